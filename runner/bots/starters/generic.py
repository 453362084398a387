"""A bot for {game}. It plays a legal action at random; the rest is yours.

Try it:        pioneers play FILE random random random --game {game} --matches 10
Check it:      pioneers bot check FILE --game {game}
Play a season: pioneers bot run FILE --url ws://HOST:PORT/play

The game asks for decisions of these kinds: {kinds}.
"""

import random

from engine.game import Action
from runner.bot import Bot, Request, run


class MyBot(Bot):
    """One object of this class plays one seat of one match."""

    version = "1"  # another version starts a new rating line in the season's table
    max_matches = 4  # how many matches it plays at once, each with an object of its own

    def decide(self, request: Request) -> Action:
        """Answer one decision. Whatever goes wrong in here, the kit plays the default in time.

        request.kind: what is asked. request.view: what the seat may know, see
        engine/README.md or `pioneers schema`. request.left: seconds until the kit answers.

        Instead of `decide` you can write one method for each kind, called like it, that gets
        the view: `def turn(self, view): ...`. A kind without a method plays the default.
        """
        legal = request.legal()
        return legal[random.randrange(len(legal))]


if __name__ == "__main__":
    run(MyBot)

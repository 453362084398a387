"""A bot for The Pioneers Program: it builds a town in the draft, then researches for points.

Try it:        pioneers play FILE settler random random --game pioneers-program --matches 10
Check it:      pioneers bot check FILE --game pioneers-program
Play a season: pioneers bot run FILE --url ws://HOST:PORT/play

Every method gets the view of your seat and returns an action; what you leave out plays the
default: here attacks (`defend`, `reroll`, `raid`, `loot`, `lose`, `protect`) and `maintenance`,
which pays for what it can. Should a method raise, run late or answer against the rules, the kit
plays the default in time and says so in the log. The rules and the view's fields:
engine/program/README.md; the cards: `pioneers cards`.
"""

from engine.program.actions import (
    Choose,
    ChooseSurvivor,
    Draft,
    EndTurn,
    Market,
    Plan,
    PlayCard,
    Research,
    TurnAction,
    Wastes,
)
from engine.program.cards import Card
from engine.program.view import ProgramView
from runner.bot import Bot, run

SURVIVORS = (5, 6, 8, 3, 1, 2, 4, 7)  # the Scholar first: its research places a token more


class MyBot(Bot):
    """One object of this class plays one seat of one match: keep what you like in `self`."""

    version = "1"  # another version starts a new rating line in the season's table
    max_matches = 4  # how many matches it plays at once, each with an object of its own

    def draft(self, view: ProgramView) -> Draft:
        """Take a card of `view.pack`: the best one, and into the town at once if it can be."""
        picks = [action for action in self.legal() if isinstance(action, Draft)]
        return max(picks, key=lambda pick: (self.worth(view, pick.card), pick.play))

    def turn(self, view: ProgramView) -> TurnAction:
        """One thing to do in your turn; you are asked again until you end it."""
        legal = self.legal()  # every action that the rules allow you now
        for action in legal:
            if isinstance(action, PlayCard) and self.worth(view, action.card) > 0:
                return action
        if view.acted:  # one of market, wastes, plan and research a turn
            return EndTurn()
        research = [action for action in legal if isinstance(action, Research)]
        if research:
            return max(research, key=lambda action: self.progress(view, action))
        for action in legal:
            if isinstance(action, Market) and self.price(view, action) == 0:
                card = view.market[action.slot]
                if card is not None and self.worth(view, card) > 0:
                    return action
        town = view.towns[self.seat]
        return Wastes() if town.pile.responses and Wastes() in legal else Plan()

    def choose(self, view: ProgramView) -> Choose:
        """You drew several wastes cards, `view.choices`: keep the best one."""
        picks = [action for action in self.legal() if isinstance(action, Choose)]
        return max(picks, key=lambda pick: self.worth(view, pick.card))

    def survivor(self, view: ProgramView) -> ChooseSurvivor:
        """Choose a survivor for the next round from `view.survivors_left`."""
        return ChooseSurvivor(survivor=min(view.survivors_left, key=SURVIVORS.index))

    # From here on: your own helpers.

    def facts(self, view: ProgramView, card: str) -> Card:
        """What is printed on a card."""
        return view.facts[view.cards[card]]

    def worth(self, view: ProgramView, card: str) -> float:
        """What a card would be worth in your town: points above all, then what it brings."""
        facts = self.facts(view, card)
        if facts.type not in ("structure", "personality", "item"):
            return 0.0
        brings, takes = facts.production, facts.maintenance
        size = 1 if facts.type == "structure" else 0  # from five structures on, more research
        gain = brings.food + 2 * brings.credits + 3 * brings.responses
        loss = 1.5 * takes.food + 2 * takes.credits
        return 6 * facts.points + gain - loss + size

    def progress(self, view: ProgramView, action: Research) -> tuple[int, int]:
        """How close a project comes to being yours, and how many tokens that takes."""
        project = next(open_ for open_ in view.projects if open_ and open_.card == action.project)
        missing = self.facts(view, action.project).value - project.tokens[self.seat]
        return action.tokens - missing, -action.tokens

    def price(self, view: ProgramView, action: Market) -> int:
        """Credits for a card of the market: less where something makes it cheaper, not counted."""
        return len(view.market) - 1 - action.slot


if __name__ == "__main__":
    run(MyBot)

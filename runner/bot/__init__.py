"""The kit for bot authors.

from engine.pioneers.actions import EndTurn, Respond
from runner.bot import Bot, run

class MyBot(Bot):
    def turn(self, view):
        return EndTurn()

    def trade(self, view):
        return Respond(accept=False)

if __name__ == "__main__":
    run(MyBot)
"""

from runner.bot.bot import Bot
from runner.bot.client import play
from runner.bot.request import Request
from runner.bot.retry import Refused
from runner.bot.script import run

__all__ = ["Bot", "Refused", "Request", "play", "run"]

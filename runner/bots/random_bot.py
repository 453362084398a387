"""`random`: any legal action, each as likely as the others. The floor that a bot must beat."""

from __future__ import annotations

from engine.game import Action
from runner.bot import Request
from runner.bots.seeded import SeededBot


class RandomBot(SeededBot):
    """Uniform over the legal actions of whatever game it is asked about."""

    version = "1"
    max_matches = 256
    inline = True
    check_actions = False  # it picks among the legal ones

    def decide(self, request: Request) -> Action:
        """One of the legal actions."""
        legal = request.legal()
        return legal[self.draw(len(legal))]

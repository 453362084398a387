"""Ways of pairing that a ladder has to beat."""

from __future__ import annotations

from ratings.field import Seating, Situation
from ratings.formats import Ladder
from ratings.formats.scheduler import numbered


class RandomPairing(Ladder):
    """Any bots."""

    def _new_set(self, situation: Situation) -> Seating | None:
        bots = self.lots(numbered(situation), list(situation.places))[: self.sizes[0]]
        return Seating(numbered(situation), tuple(bots)) if len(bots) == self.sizes[0] else None


class NearestRating(Ladder):
    """Any bot, and those whose ratings are nearest."""

    def _new_set(self, situation: Situation) -> Seating | None:
        first, *others = self.lots(numbered(situation), list(situation.places)) or [""]
        if len(others) < self.sizes[0] - 1:
            return None
        mu = situation.rating(first).mu
        others.sort(key=lambda bot: abs(situation.rating(bot).mu - mu))
        return Seating(numbered(situation), (first, *others[: self.sizes[0] - 1]))


class MostUncertain(Ladder):
    """The bot with the largest sigma, and those whose ratings are nearest."""

    def _new_set(self, situation: Situation) -> Seating | None:
        bots = sorted(
            self.lots(numbered(situation), list(situation.places)),
            key=lambda bot: -situation.rating(bot).sigma,
        )
        if len(bots) < self.sizes[0]:
            return None
        first, *others = bots
        mu = situation.rating(first).mu
        others.sort(key=lambda bot: abs(situation.rating(bot).mu - mu))
        return Seating(numbered(situation), (first, *others[: self.sizes[0] - 1]))

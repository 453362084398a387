"""Matchmaking: who most needs a match, and against whom it would say most.

`choose` makes the next table of a ladder in two steps.

**Who needs it.** One bot is picked by need, which adds up shares from 0 to 1:

- uncertainty, sigma over that of a new bot: what is not known yet is worth finding out;
- games behind the one that has most: everybody gets a fair share of the season;
- idleness, sets begun since its own last one: nobody waits long, whatever the rest says;
- few acquaintances, of ten that would do: a ladder hangs together by who met whom;
- whether the season waits for it: its order among its neighbours is not settled yet, where the
  season is to stop on evidence.

**Against whom.** A match says most where it is open. Opponents are ranked by the chance of a tie
(TrueSkill's match quality of the pair, on a log scale), plus their own need, less a penalty for
every recent set together. As many come from above as from below, as far as there are any: a bot
that only ever meets weaker ones is never shown to be stronger than its neighbours above.

Rules beside the ranking, each against a fault that ladders are known for:

- Bots of one owner never meet: they could play for each other.
- A provisional bot has one set in play at most, so that its next opponents are chosen by what the
  last ones showed; and it meets an anchor every other set, so that it is placed on the same scale
  as everybody before it.
- A bot that keeps resigning is on probation. Coming last every time says little about how far
  below the others it is, so that its sigma stays high and would earn it more and more games; on
  probation its uncertainty counts for nothing and its games fourfold, until it plays on.
- Anchors are no one's business to find out about: they sit as opponents, hardly by need.

Everything is a function of the situation and the draw that breaks ties.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ratings.field import Situation
from ratings.skill import Skill

_UNCERTAIN, _BEHIND, _IDLE, _UNKNOWN = 3.0, 2.0, 1.0, 1.0
_CONTESTED = 1.0
_ENOUGH_ACQUAINTANCES = 10
_PROBATION_GAMES = 4
# In units of log quality: two recent sets together weigh like a distance of two beta.
_REPEAT = 0.5
_OPPONENT_NEED = 0.15
_ANCHOR_EVERY = 2

_Floats = NDArray[np.float64]


def choose(situation: Situation, seats: int, skill: Skill, draw: bytes) -> tuple[str, ...] | None:
    """The bots of the next set, the one that needs it first; None while there is no table.

    draw: breaks ties; the same draw in the same situation makes the same choice.
    """
    field = _Field(situation, skill, draw)
    if len(field.bots) < seats:
        return None
    for focus in field.by_need():
        table = field.table(int(focus), seats)
        if table is not None:
            return tuple(field.bots[n] for n in table)
    return None


class _Field:
    """The bots that could begin a set, as columns of numbers."""

    def __init__(self, situation: Situation, skill: Skill, draw: bytes) -> None:
        self._situation = situation
        self._settings = skill.settings
        history, unfinished = situation.history, situation.unfinished
        self._begun = [sets for set_id, sets in unfinished.items() if set_id not in history.sets]
        busy = {bot for match_set in unfinished.values() for bot in match_set.bots}
        widest = skill.widest
        # One loop with plain appends: with thousands of bots this is where the time goes.
        bots, mu, sigma = [], [], []
        for bot in situation.places:
            rating = situation.rating(bot)
            if rating.sigma <= widest or bot not in busy:
                bots.append(bot)
                mu.append(rating.mu)
                sigma.append(rating.sigma)
        self.bots = bots
        self._index = {bot: n for n, bot in enumerate(bots)}
        self._mu, self._sigma = np.array(mu), np.array(sigma)
        self._provisional = self._sigma > widest
        self._anchor = self._among(situation.anchors)
        # This generator's numbers are the same in every version of numpy.
        seed = np.frombuffer(draw, dtype=np.uint32)
        self._tie = np.random.RandomState(seed).random_sample(len(bots)) * 1e-6
        self._need = self._needs()

    def by_need(self) -> Iterable[int]:
        """The bots, the one that most needs a match first."""
        # Nearly always the first one is it; sorting everybody is for when it is not.
        first = int(np.argmax(self._need))
        yield first
        for n in np.argsort(-self._need):
            if n != first:
                yield int(n)

    def table(self, focus: int, seats: int) -> list[int] | None:
        """`focus` with opponents; None where owners leave too few."""
        value = self._value(focus)
        order = [int(n) for n in np.argsort(-value) if n != focus]
        table = [focus]
        if self._wants_anchor(focus):
            self._take(table, [n for n in order if self._anchor[n]], 1)
        above = [n for n in order if self._mu[n] > self._mu[focus]]
        below = [n for n in order if self._mu[n] <= self._mu[focus]]
        # Each side gets half; of an odd number, one more from where the better opponents are.
        while len(table) < seats:
            higher = sum(self._mu[n] > self._mu[focus] for n in table[1:])
            lower = len(table) - 1 - higher
            sides = [above, below] if higher < lower else [below, above]
            if higher == lower and above and below and value[above[0]] > value[below[0]]:
                sides = [above, below]
            if not (self._take(table, sides[0], 1) or self._take(table, sides[1], 1)):
                return None
        return table

    def _among(self, bots: Iterable[str]) -> NDArray[np.bool_]:
        """Which ones are among `bots`."""
        among = np.zeros(len(self.bots), dtype=bool)
        among[[self._index[bot] for bot in bots if bot in self._index]] = True
        return among

    def _needs(self) -> _Floats:
        situation, history = self._situation, self._situation.history
        played, opponents, latest = situation.games, history.opponents, history.last_set
        games = np.array([played[bot] for bot in self.bots], dtype=float)
        known = np.array([len(opponents[bot]) if bot in opponents else 0 for bot in self.bots])
        last = np.array([latest.get(bot, 0) for bot in self.bots], dtype=float)
        for match_set in self._begun:
            last[self._among(match_set.bots)] = match_set.number
        probation = self._among(history.probation)
        games[probation] *= _PROBATION_GAMES
        now = len(history.sets) + len(self._begun)
        enough = max(1, min(_ENOUGH_ACQUAINTANCES, len(situation.entrants) - 1))
        uncertain = np.minimum(1.0, self._sigma / self._settings.sigma)
        uncertain[probation | self._anchor] = 0.0
        behind = np.maximum(0.0, 1 - games / max(1, max(played.values(), default=0)))
        behind[self._anchor] = 0.0
        need: _Floats = (
            _UNCERTAIN * uncertain
            + _BEHIND * behind
            + _IDLE * np.minimum(1.0, (now - last) / max(1.0, len(self.bots) / 2))
            + _UNKNOWN * np.maximum(0.0, 1 - known / enough)
            + _CONTESTED * self._among(situation.contested)
            + self._tie
        )
        return need

    def _value(self, focus: int) -> _Floats:
        """How much a match with `focus` is worth, by opponent."""
        beta = self._settings.beta
        spread = 2 * beta**2 + self._sigma[focus] ** 2 + self._sigma**2
        quality = -((self._mu - self._mu[focus]) ** 2) / (2 * spread)
        quality += np.log(2 * beta**2 / spread) / 2
        value: _Floats = quality + _OPPONENT_NEED * self._need
        for bot, times in self._recent(focus).items():
            n = self._index.get(bot)
            if n is not None and not self._anchor[n]:
                value[n] -= _REPEAT * times
        return value

    def _recent(self, focus: int) -> Counter[str]:
        """The opponents of the latest sets, those in play included."""
        return Counter(bot for others in self._latest(focus) for bot in others)

    def _latest(self, focus: int) -> list[Sequence[str]]:
        bot = self.bots[focus]
        latest: list[Sequence[str]] = list(self._situation.history.recent.get(bot, ()))
        latest += [match_set.bots for match_set in self._begun if bot in match_set.bots]
        return latest

    def _wants_anchor(self, focus: int) -> bool:
        if not self._provisional[focus] or self._anchor[focus]:
            return False
        lately = self._latest(focus)[1 - _ANCHOR_EVERY :]
        return not any(bot in self._situation.anchors for others in lately for bot in others)

    def _take(self, table: list[int], order: Sequence[int], wanted: int) -> bool:
        """Add the first ones of `order` that may sit at `table`; whether there were enough."""
        owners = {self._situation.owner(self.bots[n]) for n in table} - {""}
        for n in order:
            if wanted == 0:
                break
            owner = self._situation.owner(self.bots[n])
            if n not in table and owner not in owners:
                table.append(n)
                owners |= {owner} - {""}
                wanted -= 1
        return wanted == 0

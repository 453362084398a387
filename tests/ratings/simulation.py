"""Seasons without sockets: a scheduler, a field of known strengths, many matches at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from ratings.field import Entrant, History, Seating, Situation
from ratings.formats import Scheduler
from ratings.results import MatchResult
from ratings.skill import Skill
from ratings.standings import Standings
from tests.ratings.made import play

Player = Callable[[str, Sequence[str], str, Random], MatchResult]


class Simulation:
    """Plays what a scheduler says; matches end in a random order."""

    def __init__(
        self,
        strengths: Mapping[str, float],
        *,
        seed: int = 1,
        at_once: int = 8,
        places: int = 2,
        entrants: Sequence[Entrant] | None = None,
        player: Player | None = None,
        seat_bonus: Sequence[float] = (),
        skill: Skill | None = None,
    ) -> None:
        """strengths: by bot, on the scale of mu. places: matches a bot plays at once."""
        self.strengths = dict(strengths)
        self.entrants = list(entrants or [Entrant(bot) for bot in strengths])
        self.rng = Random(seed)
        self.at_once = at_once
        self.places = places
        self.out: set[str] = set()
        self.absent: set[str] = set()
        self.contested: tuple[str, ...] = ()
        self.skill = skill or Skill()
        self.standings = Standings(self.skill)
        self.history = History()
        self.in_play: list[Seating] = []
        self.results: list[MatchResult] = []
        self.seatings: list[Seating] = []
        self._player = player or self._play
        self._seat_bonus = seat_bonus

    def situation(self) -> Situation:
        busy = [bot for seating in self.in_play for bot in seating.bots]
        free = {
            entrant.bot: self.places - busy.count(entrant.bot)
            for entrant in self.entrants
            if entrant.bot not in self.out | self.absent
        }
        return Situation(
            {entrant.bot: entrant for entrant in self.entrants},
            self.history,
            self.standings,
            self.in_play,
            free,
            out=self.out,
            contested=self.contested,
        )

    def run(self, scheduler: Scheduler, matches: int | None = None) -> None:
        """Until the format is over, or so many more matches have ended and their sets with them."""
        goal = None if matches is None else len(self.results) + matches
        while True:
            enough = goal is not None and len(self.results) + len(self.in_play) >= goal
            situation = self.situation()
            seating = None
            if len(self.in_play) < self.at_once:
                seating = scheduler.next_table(situation, new_sets=not enough)
            if seating is not None:
                self.check(seating)
                self.in_play.append(seating)
                self.seatings.append(seating)
            elif self.in_play:
                self.end(self.rng.randrange(len(self.in_play)))
            else:
                assert enough or scheduler.over(situation)
                return

    def check(self, seating: Seating) -> None:
        """What must hold for any seating of any format."""
        assert len(set(seating.bots)) == len(seating.bots)
        situation = self.situation()
        for bot in seating.bots:
            assert situation.free[bot] > 0
        assert (seating.set_id, seating.bots) not in {
            (known.set_id, known.bots) for known in self.seatings
        }

    def end(self, n: int) -> None:
        seating = self.in_play.pop(n)
        result = self._player(f"m{len(self.results)}", seating.bots, seating.set_id, self.rng)
        self.results.append(result)
        self.standings.add(result)
        self.history.add(result)

    def _play(self, match: str, bots: Sequence[str], set_id: str, rng: Random) -> MatchResult:
        return play(
            match,
            bots,
            self.strengths,
            rng,
            set_id=set_id,
            seat_bonus=self._seat_bonus,
            started_ms=len(self.results),
        )

    def order(self) -> list[str]:
        """The bots as the online ratings rank them by mean, best first."""
        ratings = self.standings.lines.ratings()
        return sorted(self.strengths, key=lambda bot: -ratings[bot].mu if bot in ratings else 0)


def disorder(order: Sequence[str], strengths: Mapping[str, float]) -> int:
    """How many pairs stand the wrong way round (Kendall's distance)."""
    return sum(
        strengths[better] < strengths[worse]
        for n, better in enumerate(order)
        for worse in order[n + 1 :]
    )

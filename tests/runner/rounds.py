"""`rounds`: a game of a few lines, so that the runner can be tested move by move.

The option `rounds` lists, for each round, the seats that are asked in it, side by side. A seat
says a number from 0 to 9, but never 7; a seat's score is the sum of its numbers and of the
round's roll, which nobody sees before the round is over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Self

import msgspec
from msgspec import Meta, Struct

from engine.chance import Chance
from engine.game import Action, Event, Game, IllegalAction, MalformedAction, Memory, Outcome


class Say(Struct, frozen=True, omit_defaults=True):
    """Say a number, and something about it."""

    number: Annotated[int, Meta(ge=0, le=9)]
    text: str = ""


class Said(Struct, frozen=True, omit_defaults=True):
    """What a seat said, and what was rolled in that round."""

    seat: int
    number: int
    roll: int
    text: str = ""


class RoundsView(Struct, frozen=True):
    """The same for everybody, but for the seat."""

    seat: int | None
    round: int
    scores: tuple[int, ...]
    resigned: tuple[bool, ...]


class RoundsPosition(Struct, frozen=True):
    """The whole state."""

    seed: str
    rounds: tuple[tuple[int, ...], ...]
    round: int
    scores: tuple[int, ...]
    resigned: tuple[bool, ...]


class Rounds(Game):
    """One match; `options["rounds"]` says who is asked when."""

    id: ClassVar[str] = "rounds"
    seat_counts: ClassVar[tuple[int, ...]] = (2, 3, 4)
    reasons: ClassVar[tuple[str, ...]] = ("played",)
    kinds: ClassVar[Mapping[str, Any]] = {"say": Say}
    view_type: ClassVar[type[Struct]] = RoundsView
    event_type: ClassVar[Any] = Said
    position_type: ClassVar[type[Struct]] = RoundsPosition

    def __init__(self, position: RoundsPosition) -> None:
        self._seed = bytes.fromhex(position.seed)
        self._rounds = position.rounds
        self._round = position.round
        self._scores = list(position.scores)
        self._resigned = list(position.resigned)

    @classmethod
    def deal(
        cls,
        seats: int,
        seed: bytes,
        options: Mapping[str, object] | None = None,
        *,
        board_seed: bytes | None = None,
    ) -> Self:
        if set(options or ()) != {"rounds"}:
            raise ValueError(f"rounds needs the option `rounds` alone, not {options}")
        rounds = msgspec.convert((options or {})["rounds"], tuple[tuple[int, ...], ...])
        if any(not 0 <= seat < seats for asked in rounds for seat in asked):
            raise ValueError(f"a round asks a seat that is not among {seats}")
        nothing, nobody = (0,) * seats, (False,) * seats
        return cls(RoundsPosition(seed.hex(), rounds, 0, nothing, nobody))

    def pending(self) -> Mapping[int, str]:
        if self._round == len(self._rounds):
            return {}
        return dict.fromkeys(self._rounds[self._round], "say")

    def view(self, seat: int | None) -> RoundsView:
        return RoundsView(seat, self._round, tuple(self._scores), tuple(self._resigned))

    def decode(self, seat: int, raw: bytes | msgspec.Raw) -> Action:
        try:
            return msgspec.json.decode(raw, type=Say)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise MalformedAction(str(error)) from error

    def check(self, seat: int, action: Action) -> None:
        assert isinstance(action, Say)
        if action.number == 7:
            raise IllegalAction("no_sevens", "7 is never said")

    def legal(self, seat: int) -> Sequence[Action]:
        return [Say(n) for n in range(10) if n != 7] if seat in self.pending() else []

    def default(self, seat: int) -> Action:
        return Say(0)

    def advance(self, actions: Mapping[int, Action]) -> Sequence[Event]:
        if set(actions) != set(self.pending()):
            raise ValueError(f"{sorted(self.pending())} are asked, not {sorted(actions)}")
        for seat, action in sorted(actions.items()):
            self.check(seat, action)
        roll = Chance(self._seed).draw("dice", self._round, 6)
        events = []
        for seat, action in sorted(actions.items()):
            assert isinstance(action, Say)
            self._scores[seat] += action.number + roll
            events.append(Said(seat, action.number, roll, action.text))
        self._round += 1
        return events

    def resign(self, seat: int) -> None:
        self._resigned[seat] = True

    def outcome(self) -> Outcome | None:
        if self.pending():
            return None
        scores = tuple(self._scores)
        return Outcome(
            tuple(1 + sum(other > score for other in scores) for score in scores), scores, "played"
        )

    def copy(self) -> Self:
        return type(self)(self.position())

    def position(self) -> RoundsPosition:
        return RoundsPosition(
            self._seed.hex(),
            self._rounds,
            self._round,
            tuple(self._scores),
            tuple(self._resigned),
        )

    @classmethod
    def from_position(cls, position: Any) -> Self:
        return cls(position)

    @classmethod
    def memory(cls) -> Memory:
        raise NotImplementedError("no bot of the kit plays this game")

    @classmethod
    def from_view(cls, kind: str, view: Any, memory: Any) -> Self:
        raise NotImplementedError("no bot of the kit plays this game")

    @classmethod
    def draw(cls, view: Any) -> str:
        return f"round {view.round}: {view.scores}"

    @classmethod
    def narrate(cls, event: Any) -> str:
        return f"seat {event.seat} says {event.number}, the roll is {event.roll}"

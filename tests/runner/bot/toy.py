"""A game of a few lines for the kit's tests: a seat picks numbers, now and then it passes.

What the view does not say is how often the seat has picked; picking is forbidden after 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import msgspec
from msgspec import Struct

from engine.game import Event, Game, IllegalAction, MalformedAction, Outcome

MOST_PICKS = 3


class Pick(Struct, frozen=True):
    """Pick a number below the view's `below`."""

    number: int


class Pass(Struct, frozen=True):
    """Say whether one is content."""

    content: bool = True


class ToyView(Struct, frozen=True):
    """What there is to see."""

    seat: int
    below: int


class ToyEvent(Struct, frozen=True):
    """Something happened."""

    what: str


class ToyMemory:
    """How often the seat has picked."""

    def __init__(self) -> None:
        self.first: ToyView | None = None
        self.noted: list[tuple[str, Struct]] = []

    def begin(self, kind: str, view: ToyView) -> None:
        self.first = view

    @property
    def picks(self) -> int:
        return sum(kind == "pick" for kind, _ in self.noted)

    def note(self, kind: str, view: ToyView, action: Struct) -> None:
        self.noted.append((kind, action))


class Toy(Game):
    """The game as a seat knows it; the kit needs no more of it."""

    id: ClassVar[str] = "toy"
    seat_counts: ClassVar[tuple[int, ...]] = (2,)
    reasons: ClassVar[tuple[str, ...]] = ("done",)
    kinds: ClassVar[Mapping[str, Any]] = {"pick": Pick, "rest": Pass}
    view_type: ClassVar[type[Struct]] = ToyView
    event_type: ClassVar[Any] = ToyEvent
    position_type: ClassVar[type[Struct]] = ToyView

    def __init__(self, kind: str, view: ToyView, memory: ToyMemory) -> None:
        self.kind = kind
        self.seen = view
        self.seat_memory = memory

    @classmethod
    def memory(cls) -> ToyMemory:
        return ToyMemory()

    @classmethod
    def from_view(cls, kind: str, view: Any, memory: Any) -> Self:
        return cls(kind, view, memory)

    def pending(self) -> Mapping[int, str]:
        return {self.seen.seat: self.kind}

    def decode(self, seat: int, raw: bytes | msgspec.Raw) -> Struct:
        try:
            action: Struct = msgspec.json.decode(raw, type=self.kinds[self.kind])
        except msgspec.ValidationError as error:
            raise MalformedAction(str(error)) from error
        return action

    def check(self, seat: int, action: Struct) -> None:
        if action not in self.legal(seat):
            raise IllegalAction("forbidden", f"{action} is not among the legal actions")

    def legal(self, seat: int) -> Sequence[Struct]:
        if self.kind == "rest":
            return [Pass(content=False), Pass(content=True)]
        if self.seat_memory.picks >= MOST_PICKS:
            return [Pick(0)]
        return [Pick(n) for n in range(self.seen.below)]

    def default(self, seat: int) -> Struct:
        return self.legal(seat)[0]

    @classmethod
    def deal(
        cls,
        seats: int,
        seed: bytes,
        options: Mapping[str, object] | None = None,
        *,
        board_seed: bytes | None = None,
    ) -> Self:
        raise NotImplementedError

    def view(self, seat: int | None) -> Struct:
        return self.seen

    def advance(self, actions: Mapping[int, Struct]) -> Sequence[Event]:
        raise NotImplementedError

    def resign(self, seat: int) -> None:
        raise NotImplementedError

    def outcome(self) -> Outcome | None:
        return None

    def copy(self) -> Self:
        return type(self)(self.kind, self.seen, self.seat_memory)

    def position(self) -> Struct:
        return self.seen

    @classmethod
    def from_position(cls, position: Any) -> Self:
        raise NotImplementedError

    @classmethod
    def draw(cls, view: Any) -> str:
        return str(view)

    @classmethod
    def narrate(cls, event: Any) -> str:
        return str(event)

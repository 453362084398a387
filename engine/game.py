"""The contract that every game keeps, and the two ways in which an action can be wrong.

A `Game` is one match in progress: mutable, synchronous, cheap to `copy`. The runner, search
bots, simulations and training environments all drive the same object:

    game = Pioneers.deal(4, seed)
    while asked := game.pending():
        game.advance({seat: choose(game, seat) for seat in asked})
    print(game.outcome())

Time, strikes and resignation belong to whoever drives the game. To the engine a default is an
action like any other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol, Self, TypeAlias

import msgspec

Action: TypeAlias = msgspec.Struct
View: TypeAlias = msgspec.Struct
Event: TypeAlias = msgspec.Struct


class Outcome(msgspec.Struct, frozen=True, rename="camel"):
    """How a match ended.

    placements: one per seat, 1 is first; seats that tie share the better number (1, 2, 2, 4).
    scores: one per seat, in the game's own points, hidden ones included.
    reason: one of the game's `reasons`.
    """

    placements: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str


class Table(msgspec.Struct, frozen=True):
    """Something to look up about a game, for people: rows of cells under named columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class ActionError(Exception):
    """An answer that the game does not take; `code` is stable, `message` is for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class MalformedAction(ActionError):
    """The answer cannot be read as an action of the asked kind; the message names the field."""

    def __init__(self, message: str) -> None:
        super().__init__("malformed", message)


class IllegalAction(ActionError):
    """The action is well formed but the rules forbid it now; `code` names the rule."""


class PositionError(ValueError):
    """A position that no match can reach; the message names the field and the reason."""


class Memory(Protocol):
    """What a seat has to remember because its view does not say it."""

    def begin(self, kind: str, view: Any) -> None:
        """Take in the first request that the seat remembers, of `kind` with `view`.

        What it answered before, if the match is not new, is lost: the memory then assumes what
        forbids most, so that the seat does nothing illegal, though perhaps less than it might.
        """
        ...

    def note(self, kind: str, view: Any, action: Any) -> None:
        """Take in that the seat answered a request of `kind`, made with `view`, by `action`."""
        ...


class Game(ABC):
    """One match in progress. Seats are numbered from 0.

    Class attributes describe the game to code that knows no game:
    `kinds` maps a decision kind to the type (a struct or a union of structs) of its actions;
    `turn_field` is the field of a view that counts the turns, or rounds, begun so far.
    """

    __slots__ = ()

    id: ClassVar[str]
    seat_counts: ClassVar[tuple[int, ...]]
    reasons: ClassVar[tuple[str, ...]]
    kinds: ClassVar[Mapping[str, Any]]
    view_type: ClassVar[type[msgspec.Struct]]
    event_type: ClassVar[Any]
    position_type: ClassVar[type[msgspec.Struct]]
    turn_field: ClassVar[str] = "turn"

    @classmethod
    @abstractmethod
    def deal(
        cls,
        seats: int,
        seed: bytes,
        options: Mapping[str, object] | None = None,
        *,
        board_seed: bytes | None = None,
    ) -> Self:
        """A new match, ready for its first decision.

        seed: 32 bytes, source of all chance (see `engine.chance`); board_seed, where given,
        replaces it for the layout alone, so that matches can share a board.
        Raises ValueError for a seat count or an option that the game does not have.
        """

    @abstractmethod
    def pending(self) -> Mapping[int, str]:
        """Whom to ask what, now: seat -> kind, in seat order; empty when the match is over."""

    @abstractmethod
    def view(self, seat: int | None) -> View:
        """What `seat` may know, built up from nothing; None is a spectator."""

    @abstractmethod
    def decode(self, seat: int, raw: bytes | msgspec.Raw) -> Action:
        """Read the JSON of an answer as an action of the kind that `seat` is asked.

        Raises MalformedAction, naming the field.
        """

    @abstractmethod
    def check(self, seat: int, action: Action) -> None:
        """Raise IllegalAction, naming the rule, unless `seat` may answer with `action` now."""

    @abstractmethod
    def legal(self, seat: int) -> Sequence[Action]:
        """Every action that `check` allows `seat` now, in a fixed order.

        Where the rules allow endlessly many (free text, bundles of any size), a finite subset
        that the game documents. Empty for a seat that is not asked.
        """

    @abstractmethod
    def default(self, seat: int) -> Action:
        """What is played for a seat that does not answer: always legal, a match of them ends."""

    @abstractmethod
    def advance(self, actions: Mapping[int, Action]) -> Sequence[Event]:
        """Settle the pending decisions; returns what happened, as everybody may know it.

        actions: one for exactly each pending seat, applied in seat order whatever the order of
        the mapping. All or nothing: raises IllegalAction before anything has changed, and
        ValueError when the seats are not the pending ones.
        """

    @abstractmethod
    def resign(self, seat: int) -> None:
        """Mark `seat` as resigned; the rules go on treating it as a player."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the match ended, or None while it goes on."""

    @abstractmethod
    def copy(self) -> Self:
        """An independent match in the same state, chance to come included."""

    @abstractmethod
    def position(self) -> msgspec.Struct:
        """The whole state, hidden facts included, as a struct with JSON both ways."""

    @classmethod
    @abstractmethod
    def from_position(cls, position: Any) -> Self:
        """A match that goes on from `position`. Raises PositionError for an impossible one."""

    @classmethod
    @abstractmethod
    def memory(cls) -> Memory:
        """An empty memory for one seat of one match."""

    @classmethod
    @abstractmethod
    def from_view(cls, kind: str, view: Any, memory: Any) -> Self:
        """The match as a seat can know it while it is asked `kind`; hidden facts are blank.

        `legal`, `check` and `default` of that seat are exact; advancing it is not supported.
        """

    @classmethod
    @abstractmethod
    def draw(cls, view: Any) -> str:
        """A view as lines of plain text, for people: board, hands, scores."""

    @classmethod
    @abstractmethod
    def narrate(cls, event: Any) -> str:
        """One event as a sentence in plain text, for people."""

    @classmethod
    def reference(cls) -> Sequence[Table]:
        """What people may want to look up, such as a card list; nothing unless a game has it."""
        return ()

"""The game `pioneers-program` behind the contract of `engine.game`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self, TypeAlias

import msgspec

from engine.chance import Chance
from engine.game import Action, Event, Game, IllegalAction, Outcome, Table
from engine.program import (
    acting,
    budgets,
    combat,
    deal,
    glimpse,
    legal,
    maintenance,
    playing,
    spoils,
    text,
    turns,
)
from engine.program import actions as act
from engine.program.convert import from_position, to_position
from engine.program.events import ProgramEvent
from engine.program.listing import tables
from engine.program.narration import narrate
from engine.program.position import Position
from engine.program.seeing import see
from engine.program.state import State
from engine.program.view import ProgramView
from engine.reading import Reader

Check: TypeAlias = Callable[[State, int, Any], object]
Play: TypeAlias = Callable[[State, Any, list[Event]], None]


def _always(_s: State, _seat: int, _action: Action) -> None:
    """Nothing forbids this action: who could not take it is not asked."""


# By kind and type of action: what checks it, and, where one seat decides alone, what plays it.
_ALONE: dict[str, dict[type, tuple[Check, Play]]] = {
    "turn": {
        act.EndTurn: (_always, turns.end_turn),
        act.Pass: (turns.check_pass, turns.pass_round),
        act.Market: (acting.check_market, acting.market),
        act.Wastes: (acting.check_wastes, acting.wastes),
        act.Plan: (acting.check_plan, acting.plan),
        act.Research: (acting.check_research, acting.research),
        act.PlayCard: (playing.check_play, playing.play),
        act.Activate: (playing.check_activate, playing.activate),
        act.UpgradeHq: (acting.check_upgrade, acting.upgrade),
    },
    "defend": {act.Defend: (combat.check_defend, combat.defend)},
    "raid": {act.Press: (combat.check_press, combat.press)},
    "reroll": {act.Reroll: (_always, combat.reroll)},
    "loot": {act.Loot: (spoils.check_loot, spoils.loot)},
    "lose": {act.Lose: (spoils.check_lose, spoils.lose)},
    "protect": {act.Protect: (_always, spoils.protect)},
    "choose": {act.Choose: (acting.check_choice, acting.choose)},
    "survivor": {act.ChooseSurvivor: (turns.check_survivor, turns.choose_survivor)},
}
_TOGETHER: dict[str, tuple[type, Check, Callable[[State, Any, list[Event]], None]]] = {
    "draft": (act.Draft, deal.check_pick, deal.settle_picks),
    "maintenance": (act.Maintenance, maintenance.check_maintenance, maintenance.settle_all),
}

_LEGAL: dict[str, Callable[[State, int], Sequence[Action]]] = {
    "draft": legal.legal_draft,
    "turn": legal.legal_turn,
    "defend": legal.legal_defend,
    "raid": legal.legal_press,
    "reroll": legal.legal_reroll,
    "loot": legal.legal_loot,
    "lose": legal.legal_lose,
    "protect": legal.legal_protect,
    "choose": legal.legal_choose,
    "maintenance": budgets.legal_maintenance,
    "survivor": legal.legal_survivor,
}

_READER = Reader(act.KINDS)


class Program(Game):
    """One match of The Pioneers Program; rules and rulings are in this package's README."""

    __slots__ = ("_seen", "_state")

    id: ClassVar[str] = "pioneers-program"
    seat_counts: ClassVar[tuple[int, ...]] = (3, 4)
    reasons: ClassVar[tuple[str, ...]] = (turns.FOUR_POINTS, turns.LAST_ROUND)
    kinds: ClassVar[Mapping[str, Any]] = act.KINDS
    view_type: ClassVar[type[msgspec.Struct]] = ProgramView
    event_type: ClassVar[Any] = ProgramEvent
    position_type: ClassVar[type[msgspec.Struct]] = Position
    turn_field: ClassVar[str] = "round"

    def __init__(self, state: State, seen: ProgramView | None = None) -> None:
        """Wrap a state; matches come from `deal`, `from_position` and `from_view`.

        seen: the view that the match was made from, where its state is partly guessed.
        """
        self._state = state
        self._seen = seen

    @classmethod
    def deal(
        cls,
        seats: int,
        seed: bytes,
        options: Mapping[str, object] | None = None,
        *,
        board_seed: bytes | None = None,
    ) -> Self:
        """A new match, ready for the draft. There are no options.

        board_seed shapes what lies open before the draft: the market row and the two projects.
        """
        if seats not in cls.seat_counts:
            raise ValueError(f"pioneers-program is for 3 or 4 seats, not {seats}")
        for name in options or ():
            raise ValueError(f"pioneers-program has no options, so none called {name!r}")
        chance = Chance(seed)
        layout = chance if board_seed is None else Chance(board_seed)
        return cls(deal.deal(seats, chance, layout))

    def pending(self) -> Mapping[int, str]:
        """Seat -> kind in seat order; read-only."""
        return self._state.asked

    def view(self, seat: int | None) -> ProgramView:
        """What the seat, or a spectator, may know. ValueError where there is no such seat."""
        if self._seen is not None:
            if seat != self._seen.seat:
                raise ValueError(f"only the view of seat {self._seen.seat} is known")
            return self._seen
        return see(self._state, seat)

    def decode(self, seat: int, raw: bytes | msgspec.Raw) -> Action:
        """Read an answer. Raises MalformedAction, or IllegalAction for a seat that is not asked."""
        s = self._state
        if seat not in s.asked:
            raise _not_asked(seat)
        return _READER.read(s.kind, raw)

    def check(self, seat: int, action: Action) -> None:
        """Raise IllegalAction, naming the rule, unless the seat may answer so."""
        s = self._state
        if seat not in s.asked:
            raise _not_asked(seat)
        together = _TOGETHER.get(s.kind)
        if together is not None:
            action_type, check, _ = together
            if type(action) is not action_type:
                raise _wrong_kind(s.kind, action)
            check(s, seat, action)
        else:
            alone = _ALONE[s.kind].get(type(action))
            if alone is None:
                raise _wrong_kind(s.kind, action)
            alone[0](s, seat, action)

    def legal(self, seat: int) -> Sequence[Action]:
        """Every legal action; of maintenance answers, those worth giving (see `budgets`)."""
        s = self._state
        return _LEGAL[s.kind](s, seat) if seat in s.asked else ()

    def default(self, seat: int) -> Action:
        """What is played for a seat that does not answer; ValueError where it is not asked."""
        s = self._state
        if seat not in s.asked:
            raise ValueError(f"seat {seat} is not asked for a decision now")
        return legal.default(s, seat)

    def advance(self, actions: Mapping[int, Action]) -> Sequence[Event]:
        """Settle the pending decisions, all or nothing. ValueError for a match `from_view`."""
        if self._seen is not None:
            raise ValueError("a match known from one view only cannot be advanced")
        s = self._state
        asked = s.asked
        if actions.keys() != asked.keys() or not asked:
            raise ValueError(
                f"expected an action of each pending seat {[*asked]}, got {sorted(actions)}"
                if asked
                else "the match is over"
            )
        for seat in asked:
            self.check(seat, actions[seat])
        events: list[Event] = []
        together = _TOGETHER.get(s.kind)
        if together is not None:
            together[2](s, {seat: actions[seat] for seat in asked}, events)
            return events
        (seat,) = asked
        action = actions[seat]
        _, play = _ALONE[s.kind][type(action)]
        if s.kind == "turn":
            s.opened = True
        play(s, action, events)
        return events

    def resign(self, seat: int) -> None:
        """Mark a seat as resigned in every view; ValueError where there is no such seat."""
        s = self._state
        if not 0 <= seat < s.n:
            raise ValueError(f"there is no seat {seat} among {s.n}")
        s.resigned = (*s.resigned[:seat], True, *s.resigned[seat + 1 :])

    def outcome(self) -> Outcome | None:
        """Placements, points and reason once the match is over."""
        return turns.outcome(self._state)

    def copy(self) -> Self:
        """An independent match in the same state."""
        return type(self)(self._state.copy(), self._seen)

    def position(self) -> Position:
        """The whole state as a struct. ValueError for a match `from_view`."""
        if self._seen is not None:
            raise ValueError("a match known from one view only has no whole position")
        return to_position(self._state)

    @classmethod
    def from_position(cls, position: Any) -> Self:
        """A match that goes on from a `Position`; PositionError for an impossible one."""
        return cls(from_position(position))

    @classmethod
    def memory(cls) -> glimpse.ProgramMemory:
        """A memory, though there is nothing to remember."""
        return glimpse.ProgramMemory()

    @classmethod
    def from_view(cls, kind: str, view: Any, memory: Any) -> Self:  # noqa: ARG003
        """The match as the view's seat knows it while asked `kind`."""
        return cls(glimpse.guess_state(kind, view), view)

    @classmethod
    def draw(cls, view: Any) -> str:
        """A view as text: board, towns, hand."""
        return text.draw(view)

    @classmethod
    def narrate(cls, event: Any) -> str:
        """One event as a sentence."""
        return narrate(event)

    @classmethod
    def reference(cls) -> Sequence[Table]:
        """The card list: HQs, market, wastes, projects, survivors."""
        return tables()


def _not_asked(seat: int) -> IllegalAction:
    return IllegalAction("not_asked", f"seat {seat} is not asked for a decision now")


def _wrong_kind(kind: str, action: object) -> IllegalAction:
    return IllegalAction(
        "wrong_kind", f"{type(action).__name__} does not answer a `{kind}` decision"
    )

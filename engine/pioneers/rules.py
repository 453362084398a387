"""The game `pioneers` behind the contract of `engine.game`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self, TypeAlias

import msgspec

from engine.chance import Chance
from engine.game import Action, Event, Game, IllegalAction, Outcome
from engine.pioneers import (
    bandit,
    building,
    devcards,
    glimpse,
    legal,
    placing,
    text,
    trading,
    turns,
)
from engine.pioneers.actions import (
    KINDS,
    BankTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyDevCard,
    Discard,
    EndTurn,
    MoveBandit,
    OfferTrade,
    PlayEmbargo,
    PlayKnight,
    PlayRoadworks,
    PlayWindfall,
    Respond,
    Setup,
)
from engine.pioneers.convert import from_position, to_position
from engine.pioneers.events import PioneersEvent
from engine.pioneers.moves import END_TURN, REJECT
from engine.pioneers.position import Position
from engine.pioneers.seeing import see
from engine.pioneers.state import State
from engine.pioneers.view import PioneersView
from engine.reading import Reader

Check: TypeAlias = Callable[[State, int, Any], object]
Play: TypeAlias = Callable[[State, Any, list[Event]], None]


_READER = Reader(KINDS)


def _always(_s: State, _seat: int, _action: Action) -> None:
    """Nothing forbids this action."""


_CHECKS: dict[str, dict[type, Check]] = {
    "setup": {Setup: placing.check_setup},
    "discard": {Discard: bandit.check_discard},
    "bandit": {MoveBandit: bandit.check_bandit},
    "trade": {Respond: trading.check_response},
    "turn": {
        EndTurn: _always,
        BuildRoad: building.check_road,
        BuildSettlement: building.check_settlement,
        BuildCity: building.check_city,
        BuyDevCard: devcards.check_buy,
        PlayKnight: devcards.check_knight,
        PlayRoadworks: devcards.check_roadworks,
        PlayWindfall: devcards.check_windfall,
        PlayEmbargo: devcards.check_embargo,
        BankTrade: trading.check_bank_trade,
        OfferTrade: trading.check_offer,
    },
    "over": {},
}

# How one seat's action is played, and whether it can bring a win (only points can).
_PLAYS: dict[str, dict[type, tuple[Play, bool]]] = {
    "setup": {Setup: (turns.setup, False)},
    "bandit": {MoveBandit: (bandit.move_bandit, False)},
    "turn": {
        EndTurn: (turns.end_turn, False),
        BuildRoad: (building.build_road, True),
        BuildSettlement: (building.build_settlement, True),
        BuildCity: (building.build_city, True),
        BuyDevCard: (devcards.buy, True),
        PlayKnight: (devcards.play_knight, True),
        PlayRoadworks: (devcards.play_roadworks, True),
        PlayWindfall: (devcards.play_windfall, False),
        PlayEmbargo: (devcards.play_embargo, False),
        BankTrade: (trading.bank_trade, False),
        OfferTrade: (trading.offer, False),
    },
}

_LEGAL: dict[str, Callable[[State, int], Sequence[Action]]] = {
    "setup": legal.legal_setup,
    "discard": legal.legal_discard,
    "bandit": legal.legal_bandit,
    "trade": legal.legal_trade,
    "turn": legal.legal_turn,
}


class Pioneers(Game):
    """One match of Pioneers; see the contract in `engine.game` and the rules in the README."""

    __slots__ = ("_seen", "_state")

    id: ClassVar[str] = "pioneers"
    seat_counts: ClassVar[tuple[int, ...]] = (3, 4)
    reasons: ClassVar[tuple[str, ...]] = (turns.WIN, turns.TURN_CAP)
    kinds: ClassVar[Mapping[str, Any]] = KINDS
    view_type: ClassVar[type[msgspec.Struct]] = PioneersView
    event_type: ClassVar[Any] = PioneersEvent
    position_type: ClassVar[type[msgspec.Struct]] = Position

    def __init__(self, state: State, seen: PioneersView | None = None) -> None:
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
        """A new match, ready for the first set-up decision. Pioneers has no options."""
        if seats not in cls.seat_counts:
            raise ValueError(f"pioneers is for 3 or 4 seats, not {seats}")
        for name in options or ():
            raise ValueError(f"pioneers has no options, so none called {name!r}")
        chance = Chance(seed)
        board_chance = chance if board_seed is None else Chance(board_seed)
        hexes = turns.deal_board(board_chance)
        return cls(State(seats, chance, hexes, turns.deal_deck(chance)))

    def pending(self) -> Mapping[int, str]:
        """Seat -> kind in seat order; read-only."""
        return self._state.asked

    def view(self, seat: int | None) -> PioneersView:
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
        check = _CHECKS[s.kind].get(type(action))
        if check is None:
            raise _wrong_kind(s.kind, action)
        check(s, seat, action)

    def legal(self, seat: int) -> Sequence[Action]:
        """Every legal action; of offers, the open ones of one card for one (see `legal`)."""
        s = self._state
        return _LEGAL[s.kind](s, seat) if seat in s.asked else ()

    def default(self, seat: int) -> Action:
        """What is played for a seat that does not answer; ValueError where it is not asked."""
        s = self._state
        if seat not in s.asked:
            raise ValueError(f"seat {seat} is not asked for a decision now")
        if s.kind == "turn":
            return END_TURN
        if s.kind == "trade":
            return REJECT
        if s.kind == "discard":
            return bandit.default_discard(s.hands[seat])
        # The lowest vertex with its lowest edge; the lowest other hex and nobody robbed.
        return self.legal(seat)[0]

    def advance(self, actions: Mapping[int, Action]) -> Sequence[Event]:
        """Settle the pending decisions, all or nothing. ValueError for a match `from_view`."""
        if self._seen is not None:
            raise ValueError("a match known from one view only cannot be advanced")
        s = self._state
        events: list[Event] = []
        plays = _PLAYS.get(s.kind)
        if plays is not None:  # of the kinds that ask the current seat alone
            if len(actions) != 1 or s.current not in actions:
                raise _wrong_seats(s, actions)
            action = actions[s.current]
            found = plays.get(type(action))
            if found is None:
                raise _wrong_kind(s.kind, action)
            play, may_win = found
            play(s, action, events)
            if may_win:
                turns.check_win(s, events)
            return events
        asked = s.asked
        if not asked or actions.keys() != asked.keys():
            raise _wrong_seats(s, actions)
        checks = _CHECKS[s.kind]
        for seat in asked:
            if type(actions[seat]) not in checks:
                raise _wrong_kind(s.kind, actions[seat])
        if s.kind == "trade":
            trading.respond(s, actions, events)
        else:
            turns.discard_all(s, actions, events)
        return events

    def resign(self, seat: int) -> None:
        """Mark a seat as resigned in every view; ValueError where there is no such seat."""
        s = self._state
        if not 0 <= seat < s.n:
            raise ValueError(f"there is no seat {seat} among {s.n}")
        s.resigned = (*s.resigned[:seat], True, *s.resigned[seat + 1 :])

    def outcome(self) -> Outcome | None:
        """Placements, true points and reason once the match is over."""
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
    def memory(cls) -> glimpse.PioneersMemory:
        """An empty memory of what the view does not count."""
        return glimpse.PioneersMemory()

    @classmethod
    def from_view(cls, kind: str, view: Any, memory: Any) -> Self:
        """The match as the view's seat knows it while asked `kind`."""
        return cls(glimpse.guess_state(kind, view, memory), view)

    @classmethod
    def draw(cls, view: Any) -> str:
        """A view as text: island, seats, hand."""
        return text.draw(view)

    @classmethod
    def narrate(cls, event: Any) -> str:
        """One event as a sentence."""
        return text.narrate(event)


def _wrong_seats(s: State, actions: Mapping[int, Action]) -> ValueError:
    if not s.asked:
        return ValueError("the match is over")
    return ValueError(
        f"expected an action of each pending seat {[*s.asked]}, got {sorted(actions)}"
    )


def _not_asked(seat: int) -> IllegalAction:
    return IllegalAction("not_asked", f"seat {seat} is not asked for a decision now")


def _wrong_kind(kind: str, action: object) -> IllegalAction:
    return IllegalAction(
        "wrong_kind", f"{type(action).__name__} does not answer a `{kind}` decision"
    )

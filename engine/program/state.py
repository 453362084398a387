"""The state of one match: plain facts in slots, and what can be read off them.

What copies share is immutable: ints, tuples, frozen structs, traits. Cards are numbers (see
`cards`); 0 stands for "never" in a stamp and for "none" in a survivor, -1 for an empty slot.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from msgspec import Struct

from engine.chance import Chance
from engine.game import Event
from engine.program.actions import KINDS
from engine.program.events import Scored
from engine.program.player import Player
from engine.program.traits import traits_of

MAX_SEATS = 4
WINNING_POINTS = 4
TURNS_PER_ROUND = 2
MOST_TURNS = 3
ALARM_ROUNDS = (5, 6, 7)
EMPTY = -1

Asked: TypeAlias = Mapping[int, str]
NOBODY: Asked = MappingProxyType({})

# Whom to ask, by kind and seat, and by kind for all of 3 or 4 seats: the only mappings that
# `pending` ever returns.
_ASK_ONE: dict[str, tuple[Asked, ...]] = {
    kind: tuple(MappingProxyType({seat: kind}) for seat in range(MAX_SEATS)) for kind in KINDS
}
_ASK_ALL: dict[str, tuple[Asked, ...]] = {
    kind: tuple(MappingProxyType(dict.fromkeys(range(n), kind)) for n in range(MAX_SEATS + 1))
    for kind in KINDS
}


class Combat(Struct, frozen=True, gc=False, kw_only=True):
    """An attack or a raid that is being carried out.

    number: of the match's combats, from 0; with the side and the count of its rolls it names
    the draws of the dice. bonus: responses spent and cards played by the side.
    stake: the structure about to be lost, or EMPTY.
    """

    card: int
    target: int
    number: int
    defence_bonus: int = 0
    defence_dice: tuple[int, int] | None = None
    defence_rolls: int = 0
    raid_bonus: int = 0
    raid_dice: tuple[int, int] | None = None
    raid_rolls: int = 0
    stake: int = EMPTY


class State:
    """One match.

    kind, asked: what is asked and of whom; kind is "over" when the match is.
    round: 0 in the draft. turn: 1 to 3 in the actions step, else 0.
    order: seats in the order in which they act in this step; tokens: seats whose player token
    lies by the market, in order. current: who is on turn or chooses a survivor.
    opened, acted: whether the turn has had an answer, and one of the four actions; played:
    cards played from the hand in it; used: cards activated in it that can be once a turn.
    market: by slot. research: tokens by seat on each open project.
    packs: by seat, in the draft. choices: cards drawn, of which the current seat keeps one.
    arc: the round whose alarm token is the Arc alarm.
    clock: stamps given out; combats, market_shuffles, wastes_shuffles: how often each was.
    """

    __slots__ = (
        "acted",
        "arc",
        "asked",
        "chance",
        "choices",
        "clock",
        "combat",
        "combats",
        "current",
        "kind",
        "market",
        "market_deck",
        "market_discard",
        "market_shuffles",
        "n",
        "opened",
        "order",
        "packs",
        "played",
        "players",
        "project_deck",
        "projects",
        "research",
        "resigned",
        "round",
        "tokens",
        "turn",
        "used",
        "wastes_deck",
        "wastes_discard",
        "wastes_shuffles",
    )

    def __init__(self, chance: Chance, survivors: tuple[int, ...]) -> None:
        """An empty table before the draft; one seat per survivor."""
        self.n = len(survivors)
        self.chance = chance
        self.kind = "over"
        self.asked = NOBODY
        self.round = 0
        self.turn = 0
        self.order: tuple[int, ...] = ()
        self.tokens: tuple[int, ...] = ()
        self.current = 0
        self.opened = False
        self.acted = False
        self.played = 0
        self.used: tuple[int, ...] = ()
        self.market: tuple[int, ...] = ()
        self.market_deck: tuple[int, ...] = ()
        self.market_discard: tuple[int, ...] = ()
        self.wastes_deck: tuple[int, ...] = ()
        self.wastes_discard: tuple[int, ...] = ()
        self.projects: tuple[int, ...] = ()
        self.project_deck: tuple[int, ...] = ()
        self.research: tuple[tuple[int, ...], ...] = ()
        self.packs: tuple[tuple[int, ...], ...] = ()
        self.choices: tuple[int, ...] = ()
        self.combat: Combat | None = None
        self.arc = 0
        self.clock = 0
        self.combats = 0
        self.market_shuffles = 0
        self.wastes_shuffles = 0
        self.resigned = (False,) * self.n
        self.players = [Player(survivor) for survivor in survivors]

    def copy(self) -> State:
        """An independent state, equal in everything."""
        new: State = State.__new__(State)
        new.n = self.n
        new.chance = self.chance
        new.kind = self.kind
        new.asked = self.asked
        new.round = self.round
        new.turn = self.turn
        new.order = self.order
        new.tokens = self.tokens
        new.current = self.current
        new.opened = self.opened
        new.acted = self.acted
        new.played = self.played
        new.used = self.used
        new.market = self.market
        new.market_deck = self.market_deck
        new.market_discard = self.market_discard
        new.wastes_deck = self.wastes_deck
        new.wastes_discard = self.wastes_discard
        new.projects = self.projects
        new.project_deck = self.project_deck
        new.research = self.research
        new.packs = self.packs
        new.choices = self.choices
        new.combat = self.combat
        new.arc = self.arc
        new.clock = self.clock
        new.combats = self.combats
        new.market_shuffles = self.market_shuffles
        new.wastes_shuffles = self.wastes_shuffles
        new.resigned = self.resigned
        new.players = [player.copy() for player in self.players]
        return new

    def ask(self, kind: str, seat: int) -> None:
        """Ask one seat for a decision of `kind` next."""
        self.kind = kind
        self.asked = _ASK_ONE[kind][seat]

    def ask_all(self, kind: str) -> None:
        """Ask every seat for a decision of `kind` next, all at once."""
        self.kind = kind
        self.asked = _ASK_ALL[kind][self.n]

    def end(self) -> None:
        """End the match."""
        self.kind = "over"
        self.asked = NOBODY

    def refresh(self, seat: int, events: list[Event]) -> None:
        """Add up anew what a seat has; to follow every change of town, projects or points.

        A survivor's skill is idle in round 1. Where the score changes, in either direction, the
        seat's marker arrives on its new space now.
        """
        p = self.players[seat]
        p.traits = traits_of(p.hq, p.town, p.projects, p.survivor if self.round > 1 else 0)
        score = p.permanent + p.traits.points
        if score == p.score:
            return
        self.clock += 1
        if score < WINNING_POINTS:
            p.four = 0
        elif p.score < WINNING_POINTS:
            p.four = self.clock
        p.score = score
        p.arrival = self.clock
        events.append(Scored(seat, score))

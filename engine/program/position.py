"""A whole state of The Pioneers Program as a struct with JSON both ways.

Positions are for tests, bug reports and analysis; they hold hidden facts.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from engine.program.actions import CardId, Seat
from engine.program.resources import Count, Resources
from engine.program.view import OpenProject, Step

Die = Annotated[int, Meta(ge=1, le=6)]
Stamp = Annotated[int, Meta(ge=0, le=2**31)]


class SeatPosition(Struct, frozen=True, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """One seat. Scores follow from the town and the `permanent` points.

    town: in the order in which the cards came. projects: completed ones, likewise.
    survivor: None once it has gone back to the pool. arrival, four: stamps, 0 for never.
    """

    hq: str
    town: tuple[CardId, ...] = ()
    hand: tuple[CardId, ...] = ()
    projects: tuple[CardId, ...] = ()
    pile: Resources = Resources()
    permanent: Annotated[int, Meta(ge=0, le=999)] = 0
    arrival: Stamp = 0
    four: Stamp = 0
    survivor: int | None = None
    extra_turn: bool = False


class CombatPosition(Struct, frozen=True, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """An attack or raid by the current seat; `asked` is what it waits for.

    number: of the match's combats, from 0. Its dice are drawn from the streams
    "defence.number" and "raid.number", two for each roll.
    """

    asked: Literal["defend", "reroll", "raid", "loot", "lose", "protect"]
    card: CardId
    target: Seat
    number: Count
    defence_bonus: Count = 0
    defence_dice: tuple[Die, Die] | None = None
    defence_rolls: Count = 0
    raid_bonus: Count = 0
    raid_dice: tuple[Die, Die] | None = None
    raid_rolls: Count = 0
    stake: CardId | None = None


class Position(Struct, frozen=True, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Everything there is to know of a match.

    round: 0 in the draft. turn, current, opened, acted, played, used: of the turn in play, in
    the actions step alone. tokens: seats whose player token is placed, in order; all of them in
    the survivor step. market: by slot, the one that costs 5 first. Decks: the next card first;
    discard piles: the last card on top. projects: the open ones. packs: by seat, in the draft.
    arc: the round whose alarm token is the Arc alarm. choices: cards drawn by the current seat,
    of which it keeps one. clock: stamps given out; combats, market_shuffles, wastes_shuffles:
    how often there was one, which numbers the next one's stream. seed: 64 hex digits.
    """

    seats: Annotated[int, Meta(ge=3, le=4)]
    round: Annotated[int, Meta(ge=0, le=8)]
    step: Step
    turn: Annotated[int, Meta(ge=0, le=3)] = 0
    current: Seat | None = None
    opened: bool = False
    acted: bool = False
    played: Count = 0
    used: tuple[CardId, ...] = ()
    tokens: tuple[Seat, ...] = ()
    towns: tuple[SeatPosition, ...]
    market: Annotated[tuple[CardId | None, ...], Meta(min_length=6, max_length=6)]
    market_deck: tuple[CardId, ...]
    market_discard: tuple[CardId, ...] = ()
    wastes_deck: tuple[CardId, ...]
    wastes_discard: tuple[CardId, ...] = ()
    projects: Annotated[tuple[OpenProject | None, ...], Meta(min_length=2, max_length=2)]
    project_deck: tuple[CardId, ...]
    packs: tuple[tuple[CardId, ...], ...] = ()
    arc: Annotated[int, Meta(ge=5, le=7)]
    choices: tuple[CardId, ...] = ()
    combat: CombatPosition | None = None
    clock: Stamp = 0
    combats: Count = 0
    market_shuffles: Count = 0
    wastes_shuffles: Count = 0
    seed: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    resigned: tuple[bool, ...]

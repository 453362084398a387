"""Dev cards: how a seat's are kept, buying them, and what each does.

A seat's cards are five lanes of 5 bits in one int, in the order of DEV_CARDS; none overflows,
for there are 25 cards in all.
"""

from __future__ import annotations

from engine.game import Event, IllegalAction
from engine.pioneers.actions import (
    DEV_CARDS,
    RESOURCES,
    BuyDevCard,
    PlayEmbargo,
    PlayKnight,
    PlayRoadworks,
    PlayWindfall,
)
from engine.pioneers.board import EDGE_COUNT, EDGE_MASK_AT, EDGES
from engine.pioneers.building import MAX_ROADS, add_road, cannot_afford
from engine.pioneers.cards import DEV_CARD_COST, LANE, SHIFTS, UNITS, covers
from engine.pioneers.events import AwardMoved, DevCardBought, DevCardPlayed
from engine.pioneers.state import AWARD_POINTS, State
from engine.pioneers.view import DevCards

DECK_COUNTS = (14, 5, 2, 2, 2)
LARGEST_ARMY_MINIMUM = 3
WINDFALL_CARDS = 2

_LANE_BITS = 5
_LANE = (1 << _LANE_BITS) - 1
KNIGHT, VICTORY_POINT, ROADWORKS, WINDFALL, EMBARGO = range(len(DEV_CARDS))
DEV_UNITS = tuple(1 << _LANE_BITS * card for card in range(len(DEV_CARDS)))
PLAYABLE = ~(_LANE << _LANE_BITS * VICTORY_POINT)

_RESOURCE_INDEX: dict[str, int] = {name: r for r, name in enumerate(RESOURCES)}


def held(cards: int, card: int) -> int:
    """How many of one kind."""
    return cards >> _LANE_BITS * card & _LANE


def dev_total(cards: int) -> int:
    """How many of all kinds."""
    # As in cards.total: the remainder is the sum of the lanes.
    return cards % _LANE


def pack_dev(cards: DevCards) -> int:
    """Cards by kind as an int."""
    return sum(getattr(cards, name) * unit for name, unit in zip(DEV_CARDS, DEV_UNITS, strict=True))


def unpack_dev(cards: int) -> DevCards:
    """An int as cards by kind."""
    return DevCards(*(held(cards, card) for card in range(len(DEV_CARDS))))


def hidden_points(s: State, seat: int) -> int:
    """Points from victory point cards, which count from the moment they are bought."""
    points = held(s.dev[seat], VICTORY_POINT)
    return points + held(s.bought, VICTORY_POINT) if seat == s.current else points


def check_buy(s: State, seat: int, _action: BuyDevCard) -> None:
    """Raise IllegalAction unless the seat may buy a dev card."""
    if not s.deck:
        raise IllegalAction("deck_empty", "no dev cards are left to buy")
    if not covers(s.hands[seat], DEV_CARD_COST):
        cannot_afford(s, seat, "a dev card", DEV_CARD_COST)


def buy(s: State, action: BuyDevCard, events: list[Event]) -> None:
    """Draw the next card of the deck, if legal; it is playable from the seat's next turn on."""
    seat = s.current
    check_buy(s, seat, action)
    s.hands[seat] -= DEV_CARD_COST
    s.bought += DEV_UNITS[s.deck[0]]
    s.deck = s.deck[1:]
    events.append(DevCardBought(seat, len(s.deck)))


def check_knight(s: State, seat: int, _action: PlayKnight) -> None:
    """Raise IllegalAction unless the seat may play a knight."""
    _check_card(s, seat, KNIGHT)


def play_knight(s: State, action: PlayKnight, events: list[Event]) -> None:
    """Count a knight at once, if legal; then the bandit is to be moved."""
    seat = s.current
    check_knight(s, seat, action)
    _spend(s, seat, KNIGHT)
    s.knights[seat] += 1
    events.append(DevCardPlayed(seat, "knight", (0,) * s.n))
    holder = s.largest_army
    count = s.knights[seat]
    # Largest army: the first to play three, then whoever strictly exceeds the holder.
    to_beat = LARGEST_ARMY_MINIMUM - 1 if holder is None else s.knights[holder]
    if holder != seat and count > to_beat:
        if holder is not None:
            s.scores[holder] -= AWARD_POINTS
        s.scores[seat] += AWARD_POINTS
        s.largest_army = seat
        events.append(AwardMoved(seat, "largestArmy", seat))
    s.ask("bandit", 1 << seat)


def check_roadworks(s: State, seat: int, action: PlayRoadworks) -> None:
    """Raise IllegalAction unless every road may be built in the listed order."""
    _check_card(s, seat, ROADWORKS)
    edges = action.edges
    if len(edges) > 2:
        raise IllegalAction("too_many", f"roadworks builds at most 2 roads, not {len(edges)}")
    if len(s.roads[seat]) + len(edges) > MAX_ROADS:
        raise IllegalAction(
            "limit_reached",
            f"{MAX_ROADS - len(s.roads[seat])} of your {MAX_ROADS} roads are left to build",
        )
    taken, reach = s.taken, s.reach[seat]
    for edge in edges:
        if not 0 <= edge < EDGE_COUNT:
            raise IllegalAction("no_such_place", f"there is no edge {edge}")
        a, b = EDGES[edge]
        if taken >> edge & 1:
            raise IllegalAction("occupied", f"edge {edge} has a road already")
        if not reach >> edge & 1:
            raise IllegalAction(
                "not_connected", f"edge {edge} ({a}, {b}) does not connect to your network"
            )
        taken |= 1 << edge
        reach |= reach_beyond(s, seat, edge)


def reach_beyond(s: State, seat: int, edge: int) -> int:
    """The edges that a new road of `seat` on `edge` would connect to."""
    blocked = s.blocked_for(seat)
    edges = 0
    for end in EDGES[edge]:
        if not blocked >> end & 1:
            edges |= EDGE_MASK_AT[end]
    return edges


def play_roadworks(s: State, action: PlayRoadworks, events: list[Event]) -> None:
    """Build the roads for nothing, if all are legal."""
    seat = s.current
    check_roadworks(s, seat, action)
    _spend(s, seat, ROADWORKS)
    events.append(DevCardPlayed(seat, "roadworks", (0,) * s.n))
    for edge in action.edges:
        add_road(s, seat, edge, events)


def check_windfall(s: State, seat: int, action: PlayWindfall) -> None:
    """Raise IllegalAction unless the seat may play a windfall."""
    _check_card(s, seat, WINDFALL)
    if len(action.resources) != WINDFALL_CARDS:
        raise IllegalAction(
            "wrong_total",
            f"a windfall is exactly {WINDFALL_CARDS} cards, not {len(action.resources)}",
        )
    for name in action.resources:
        resource_index(name)


def play_windfall(s: State, action: PlayWindfall, events: list[Event]) -> None:
    """Take two cards from the bank, if legal."""
    seat = s.current
    check_windfall(s, seat, action)
    _spend(s, seat, WINDFALL)
    for name in action.resources:
        s.hands[seat] += UNITS[_RESOURCE_INDEX[name]]
    taken = [0] * s.n
    taken[seat] = WINDFALL_CARDS
    events.append(DevCardPlayed(seat, "windfall", tuple(taken)))


def check_embargo(s: State, seat: int, action: PlayEmbargo) -> None:
    """Raise IllegalAction unless the seat may play an embargo, held by somebody or not."""
    _check_card(s, seat, EMBARGO)
    resource_index(action.resource)


def play_embargo(s: State, action: PlayEmbargo, events: list[Event]) -> None:
    """Take every opponent's cards of one resource, if legal."""
    seat = s.current
    check_embargo(s, seat, action)
    _spend(s, seat, EMBARGO)
    resource = _RESOURCE_INDEX[action.resource]
    unit = UNITS[resource]
    taken = [0] * s.n
    for other in range(s.n):
        count = s.hands[other] >> SHIFTS[resource] & LANE
        if other != seat and count:
            s.hands[other] -= count * unit
            s.hands[seat] += count * unit
            taken[other] -= count
            taken[seat] += count
    events.append(DevCardPlayed(seat, "embargo", tuple(taken)))


def resource_index(name: str) -> int:
    """A resource's place in RESOURCES. Raises IllegalAction for anything else."""
    index = _RESOURCE_INDEX.get(name)
    if index is None:
        raise IllegalAction("no_such_resource", f"there is no resource {name!r}")
    return index


def _check_card(s: State, seat: int, card: int) -> None:
    """Raise IllegalAction unless the seat may play a card of this kind now."""
    if s.dev_played:
        raise IllegalAction("already_played", "one dev card a turn, and you played one this turn")
    if not held(s.dev[seat], card):
        bought = held(s.bought, card)
        raise IllegalAction(
            "no_such_card",
            f"you hold no {DEV_CARDS[card]} to play"
            + (f"; the {bought} bought this turn can be played from your next" if bought else ""),
        )


def _spend(s: State, seat: int, card: int) -> None:
    """Take a checked card out of the game."""
    s.dev[seat] -= DEV_UNITS[card]
    s.dev_played = True

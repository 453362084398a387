"""States to positions and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.chance import Chance
from engine.game import PositionError
from engine.pioneers.actions import DEV_CARDS
from engine.pioneers.bandit import must_discard
from engine.pioneers.board import mask_of
from engine.pioneers.cards import pack, unpack
from engine.pioneers.devcards import pack_dev, unpack_dev
from engine.pioneers.placing import put_city, put_road, put_settlement
from engine.pioneers.position import OpenOffer, Position
from engine.pioneers.roads import longest_road, reachable
from engine.pioneers.state import AWARD_POINTS, LAST_TURN, WINNING_POINTS, State
from engine.pioneers.trades import terms
from engine.pioneers.turns import TURN_CAP, WIN, begin_turn, true_points
from engine.pioneers.validate import validate
from engine.pioneers.view import Awards, DevCards


def to_position(s: State) -> Position:
    """The whole state, hidden facts included."""
    nothing = DevCards()
    return Position(
        seats=s.n,
        turn=LAST_TURN + 1 if s.reason == TURN_CAP else s.turn,
        current=s.current,
        dice=s.dice,
        hexes=s.hexes,
        bandit=s.bandit,
        settlements=tuple(s.settlements),
        cities=tuple(s.cities),
        roads=tuple(s.roads),
        hands=tuple(unpack(hand) for hand in s.hands),
        dev_cards=tuple(unpack_dev(cards) for cards in s.dev),
        dev_bought_this_turn=tuple(
            unpack_dev(s.bought) if seat == s.current else nothing for seat in range(s.n)
        ),
        knights=tuple(s.knights),
        awards=Awards(s.largest_army, s.longest_road),
        deck=tuple(DEV_CARDS[card] for card in s.deck),
        offers_this_turn=s.offers,
        dev_played=s.dev_played,
        must_roll=False,
        seed=s.chance.seed.hex(),
        talk=s.talk,
        resigned=s.resigned,
        asked="discard" if s.kind == "discard" else "bandit" if s.kind == "bandit" else None,
        offer=None
        if s.offer is None
        else OpenOffer(give=s.offer.give_bundle, get=s.offer.get_bundle, to=s.offer_to),
        steals=s.steals,
    )


def from_position(position: Any) -> State:
    """The state that a Position describes. Raises PositionError for an impossible one."""
    validate(position)
    p: Position = position
    s = State(
        p.seats,
        Chance(bytes.fromhex(p.seed)),
        p.hexes,
        tuple(DEV_CARDS.index(card) for card in p.deck),
    )
    s.turn = min(p.turn, LAST_TURN)
    s.current = p.current
    s.placed = sum(len(vertices) for vertices in p.settlements)
    s.dice = p.dice
    s.bandit = p.bandit
    lay_pieces(s, p.settlements, p.cities, p.roads)
    lay_awards(s, p.awards)
    s.hands = [pack(hand) for hand in p.hands]
    s.dev = [pack_dev(cards) for cards in p.dev_cards]
    s.bought = pack_dev(p.dev_bought_this_turn[p.current])
    s.knights = list(p.knights)
    s.offers = p.offers_this_turn
    s.dev_played = p.dev_played
    s.steals = p.steals
    s.talk = p.talk
    s.resigned = p.resigned
    if p.must_roll:
        begin_turn(s, p.turn, [])
    else:
        _go_on(s, p)
    return s


def _go_on(s: State, p: Position) -> None:
    """Ask what is to be asked in the position, or end the match where it has ended."""
    if p.turn > LAST_TURN:
        s.end(TURN_CAP)
    elif p.turn == 0:
        s.ask("setup", 1 << s.current)
    elif true_points(s, s.current) >= WINNING_POINTS:
        # The win check follows every gain of the turn's owner, so this match has been won.
        if p.asked is not None or p.offer is not None:
            raise PositionError(
                f"{'asked' if p.offer is None else 'offer'}: the match is over, "
                f"won by seat {s.current} with {true_points(s, s.current)} points"
            )
        s.end(WIN)
    elif p.asked == "discard":
        s.ask("discard", mask_of(i for i, hand in enumerate(s.hands) if must_discard(hand)))
    elif p.asked == "bandit":
        s.ask("bandit", 1 << s.current)
    elif p.offer is not None:
        s.offer = terms(p.offer.give, p.offer.get)
        s.offer_to = p.offer.to
        s.ask_about_offer()
    else:
        s.ask_to_act()


def lay_pieces(
    s: State,
    settlements: Sequence[Sequence[int]],
    cities: Sequence[Sequence[int]],
    roads: Sequence[Sequence[int]],
) -> None:
    """Put the pieces of all seats on an empty island."""
    for seat in range(s.n):
        for vertex in (*settlements[seat], *cities[seat]):
            put_settlement(s, seat, vertex)
        for vertex in cities[seat]:
            put_city(s, seat, vertex)
    for seat in range(s.n):
        for edge in roads[seat]:
            put_road(s, seat, edge)
        blocked = s.blocked_for(seat)
        s.lengths[seat] = longest_road(s.own_roads[seat], blocked)
        s.reach[seat] = reachable(s.own_roads[seat], s.own[seat], blocked)


def lay_awards(s: State, awards: Awards) -> None:
    """Give out the awards and their points."""
    s.largest_army = awards.largest_army
    s.longest_road = awards.longest_road
    for holder in (awards.largest_army, awards.longest_road):
        if holder is not None:
            s.scores[holder] += AWARD_POINTS

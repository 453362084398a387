"""Pioneers for a model: the rules in short, a view as text, actions in words."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Action
from engine.pioneers import actions as act
from engine.pioneers import roads
from engine.pioneers.actions import RESOURCES
from engine.pioneers.analysis import income, open_vertices, trade_rates, vertex_odds
from engine.pioneers.board import EDGES, HEXES_AT, PORT_AT, PORTS, mask_of
from engine.pioneers.cards import spell_bundle
from engine.pioneers.text import spell_dev_cards
from engine.pioneers.view import PioneersView

RULES = """\
You play Pioneers, in which 3 or 4 seats settle an island of 19 hexes; numbers on the hexes are the
rolls of two dice on which they pay, a card for each settlement and two for each city at one of
their corners (vertices). The first to have 10 points in a turn of their own wins: settlement 1,
city 2, victory point card 1, largest army (3 or more knights) 2, longest road (5 or more) 2.
Road: 1 brick, 1 lumber. Settlement: 1 brick, 1 lumber, 1 wool, 1 grain, at the end of an own road,
no town on a neighbouring vertex. City, in place of a settlement: 3 ore, 2 grain. Dev card: 1 ore,
1 wool, 1 grain: mostly knights; roadworks gives 2 roads, windfall 2 cards of your choice, embargo
takes all cards of a kind from everybody. One is played a turn, from the turn after its purchase.
The bank gives 1 card for 4 of a kind, 3 or 2 with a port. On a 7, who has more than 7 cards loses
half of them, and the bandit moves: its hex pays nothing, and a seat there loses a card to whoever
moved it. You are asked for one action after the other until you end the turn."""

_MOST_SITES = 16  # of which a setup can choose; each has up to three roads


def situation(view: PioneersView) -> str:
    """What the seat knows, in lines."""
    lines = [_head(view), _island(view)]
    lines += [_seat(view, seat) for seat in range(view.seats)]
    return "\n".join([*lines, *_own(view), *_asked(view)])


def _head(view: PioneersView) -> str:
    you = f"You are seat {view.seat} of seats 0 to {view.seats - 1}."
    if view.dice is None:
        return f"{you} The match begins; seat {view.current} places."
    whose = "yours" if view.current == view.seat else f"that of seat {view.current}"
    return (
        f"{you} Turn {view.turn} is {whose}; {sum(view.dice)} was rolled. "
        f"{view.dev_deck} dev cards can be bought."
    )


def _island(view: PioneersView) -> str:
    hexes = ", ".join(f"{h} {_tile(view, h)}" for h in range(len(view.hexes)))
    return f"Hexes: {hexes}. The bandit is on hex {view.bandit}."


def _tile(view: PioneersView, hex_: int) -> str:
    tile = view.hexes[hex_]
    return tile.resource if tile.token is None else f"{tile.resource} {tile.token}"


def _seat(view: PioneersView, seat: int) -> str:
    awards = [
        name
        for name, holder in (
            ("largest army", view.awards.largest_army),
            ("longest road", view.awards.longest_road),
        )
        if holder == seat
    ]
    towns = [
        f"{what} at {_ids(vertices)}"
        for what, vertices in (
            ("settlements", view.settlements[seat]),
            ("cities", view.cities[seat]),
        )
        if vertices
    ]
    collects = ", ".join(
        f"{count} {name}"
        for count, name in zip(income(view, seat), RESOURCES, strict=True)
        if count
    )
    return (
        f"Seat {seat}{' (you)' if seat == view.seat else ''}: {view.scores[seat]} points"
        f"{''.join(f', {award}' for award in awards)}, {view.hand_counts[seat]} cards, "
        f"{view.dev_counts[seat]} dev cards, {view.knights[seat]} knights played, "
        f"road of {view.road_lengths[seat]}, {', '.join(towns) or 'no towns'}; "
        f"collects in 36 rolls {collects or 'nothing'}"
        f"{'; resigned' if view.resigned[seat] else ''}."
    )


def _own(view: PioneersView) -> list[str]:
    assert view.seat is not None
    assert view.hand is not None
    assert view.dev_cards is not None
    assert view.dev_bought_this_turn is not None
    rates = ", ".join(
        f"{rate} {name}" for rate, name in zip(trade_rates(view, view.seat), RESOURCES, strict=True)
    )
    lines = [
        f"Your hand: {spell_bundle(view.hand)}. Your points, hidden ones included: "
        f"{view.my_score}. For 1 card the bank takes {rates}."
    ]
    if held := spell_dev_cards(view.dev_cards):
        bought = spell_dev_cards(view.dev_bought_this_turn)
        new = f", of which bought this turn: {bought}" if bought else ""
        lines.append(f"Your dev cards: {held}{new}.")
    return lines


def _asked(view: PioneersView) -> list[str]:
    lines = []
    if view.must_discard:
        lines.append(f"You have to discard {view.must_discard} cards.")
    if view.offer is not None:
        lines.append(
            f"Seat {view.offer.seat} offers {spell_bundle(view.offer.give)} "
            f"and wants {spell_bundle(view.offer.get)} of you."
        )
    return lines


def _ids(ids: Sequence[int]) -> str:
    return " ".join(map(str, ids))


def promising(view: PioneersView, legal: Sequence[Action]) -> Sequence[Action]:
    """The legal actions worth showing: of sites in set-up those that collect most."""
    sites = {move.settlement for move in legal if isinstance(move, act.Setup)}
    if len(sites) <= _MOST_SITES:
        return legal
    odds = vertex_odds(view.hexes)
    best = sorted(sites, key=lambda vertex: (-sum(odds[vertex]), vertex))[:_MOST_SITES]
    return [move for move in legal if isinstance(move, act.Setup) and move.settlement in best]


def spell(view: PioneersView, action: Action) -> str:
    """An action in words."""
    match action:
        case act.Setup(settlement=vertex, road=edge):
            far = sum(EDGES[edge]) - vertex
            return f"settlement at {_site(view, vertex)}, road towards {far}"
        case act.Discard(discard=bundle):
            return f"discard {spell_bundle(bundle)}"
        case act.MoveBandit(hex=hex_, victim=victim):
            robbed = "rob nobody" if victim is None else f"rob seat {victim}"
            return f"bandit to hex {hex_} ({_tile(view, hex_)}), {robbed}"
        case act.Respond(accept=accept):
            return "accept" if accept else "refuse"
        case act.BuildRoad(edge=edge):
            return f"build road {_road(view, edge)}"
        case act.BuildSettlement(vertex=vertex):
            return f"build settlement at {_site(view, vertex)}"
        case act.BuildCity(vertex=vertex):
            return f"build city at {_site(view, vertex)}"
        case act.PlayRoadworks(edges=edges):
            built = ", ".join(f"{a}-{b}" for a, b in (EDGES[edge] for edge in edges))
            return f"play roadworks: {built or 'no road'}"
        case act.PlayWindfall(resources=(one, other)):
            return f"play windfall: {one}, {other}"
        case act.PlayEmbargo(resource=resource):
            return f"play embargo: {resource}"
        case act.BankTrade(give=give, get=get):
            assert view.seat is not None
            rate = trade_rates(view, view.seat)[RESOURCES.index(give)]
            return f"bank: {rate} {give} for 1 {get}"
        case act.OfferTrade(give=give_, get=get_, to=to):
            asked = "all" if to is None else f"seat {to}"
            return f"offer {asked}: {spell_bundle(give_)} for {spell_bundle(get_)}"
        case _:  # buy_dev_card, play_knight, end_turn: nothing but their names
            return str(action.__struct_config__.tag).replace("_", " ")


def _site(view: PioneersView, vertex: int) -> str:
    """A vertex and what is around it: "10 (grain 9, ore 6, port 3:1)"."""
    around = [_tile(view, h) for h in HEXES_AT[vertex]]
    if PORT_AT[vertex]:
        (kind,) = (port.kind for port in PORTS if vertex in port.vertices)
        around.append("port 3:1" if kind == "generic" else f"{kind} port")
    return f"{vertex} ({', '.join(around)})"


def _road(view: PioneersView, edge: int) -> str:
    """An edge, and what lies at the end that the seat has not reached yet."""
    assert view.seat is not None
    low, high = EDGES[edge]
    reached = roads.touched(mask_of(view.roads[view.seat]))
    new = [vertex for vertex in (low, high) if not reached >> vertex & 1]
    if not new:
        return f"{low}-{high}, between own roads"
    free = open_vertices(view)
    sites = (f"{'free' if free >> v & 1 else 'no'} site {_site(view, v)}" for v in new)
    return f"{low}-{high} to {' and '.join(sites)}"

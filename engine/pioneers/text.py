"""Views and events as plain text, for people."""

from __future__ import annotations

from engine.pioneers import events as ev
from engine.pioneers.actions import DEV_CARDS
from engine.pioneers.board import EDGES
from engine.pioneers.cards import spell_bundle
from engine.pioneers.island import draw_island
from engine.pioneers.view import DevCards, PioneersView
from engine.plain import printable

_COLUMNS = ("seat", "points", "cards", "dev", "knights", "road", "settlements", "cities")
_LAST_SAID = 5


def draw(view: PioneersView) -> str:
    """A view as lines of plain text: island, ports, seats, one's own hand, the last talk."""
    return "\n".join([_head(view), *draw_island(view), *_table(view), *_own(view), *_talk(view)])


def _head(view: PioneersView) -> str:
    if view.turn == 0:
        return f"set-up, seat {view.current} places"
    dice = f", rolled {view.dice[0]} + {view.dice[1]}" if view.dice else ""
    return f"turn {view.turn} of seat {view.current}{dice}, {view.dev_deck} dev cards left"


def _table(view: PioneersView) -> list[str]:
    rows = [_COLUMNS]
    for seat in range(view.seats):
        marks = [
            "*" if seat == view.seat else "",
            "" if seat != view.awards.largest_army else " largest army",
            "" if seat != view.awards.longest_road else " longest road",
            " resigned" if view.resigned[seat] else "",
        ]
        rows.append(
            (
                f"{seat}{marks[0]}",
                str(view.scores[seat]),
                str(view.hand_counts[seat]),
                str(view.dev_counts[seat]),
                str(view.knights[seat]),
                str(view.road_lengths[seat]),
                _ids(view.settlements[seat]),
                _ids(view.cities[seat]) + "".join(marks[1:]),
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(_COLUMNS))]
    ports = "; ".join(
        f"{'3:1' if port.kind == 'generic' else port.kind} at {port.vertices[0]}, "
        f"{port.vertices[1]}"
        for port in view.ports
    )
    return [
        f"ports: {ports}",
        *(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        ),
    ]


def _ids(ids: tuple[int, ...]) -> str:
    return " ".join(map(str, ids)) or "-"


def _own(view: PioneersView) -> list[str]:
    if view.hand is None or view.dev_cards is None or view.dev_bought_this_turn is None:
        return []
    lines = [f"hand: {spell_bundle(view.hand)}; {view.my_score} points"]
    held = spell_dev_cards(view.dev_cards)
    bought = spell_dev_cards(view.dev_bought_this_turn)
    if held or bought:
        lines.append(
            f"dev cards: {held or 'none'}" + (f"; bought this turn: {bought}" if bought else "")
        )
    if view.must_discard:
        lines.append(f"to discard: {view.must_discard}")
    if view.offer is not None:
        lines.append(
            f"offer of seat {view.offer.seat} to {'everybody' if view.offer.open else 'you'}: "
            f"{spell_bundle(view.offer.give)} for {spell_bundle(view.offer.get)}"
        )
    return lines


def _talk(view: PioneersView) -> list[str]:
    return [
        f"turn {talk.turn}, seat {talk.seat}: {printable(talk.message)}"
        for talk in view.talk[-_LAST_SAID:]
    ]


def spell_dev_cards(cards: DevCards) -> str:
    """Dev cards by kind, such as "2 knight, 1 windfall"; nothing for none."""
    counts = ((getattr(cards, name), name) for name in DEV_CARDS)
    return ", ".join(f"{count} {name}" for count, name in counts if count)


def _side(edge: int) -> str:
    """An edge by its number and by the vertices that the drawing shows."""
    a, b = EDGES[edge]
    return f"edge {edge} ({a} to {b})"


def _cards(count: int) -> str:
    return f"{count} card" if count == 1 else f"{count} cards"


def _by_seat(counts: tuple[int, ...], verbs: tuple[str, str]) -> str:
    """Who gains and who loses: ": seat 1 takes 2 cards, seat 2 gives 2 cards", or nothing."""
    parts = [
        f"seat {seat} {verbs[count < 0]} {_cards(abs(count))}"
        for seat, count in enumerate(counts)
        if count
    ]
    return ": " + ", ".join(parts) if parts else ""


def narrate(event: ev.PioneersEvent) -> str:
    """One event as a sentence."""
    who = f"seat {event.seat}"
    match event:
        case ev.Placed(vertex=vertex, edge=edge):
            return f"{who} places a settlement on vertex {vertex} and a road on {_side(edge)}"
        case ev.Rolled(turn=turn, dice=(d1, d2), collected=collected):
            return f"turn {turn}: {who} rolls {d1} + {d2}" + _by_seat(collected, ("collects", ""))
        case ev.Discarded(count=count):
            return f"{who} discards {_cards(count)}"
        case ev.BanditMoved(hex=h, victim=victim, stolen=stolen):
            robbed = "" if victim is None else f" and takes {_cards(stolen)} of seat {victim}"
            return f"{who} moves the bandit to hex {h}{robbed}"
        case ev.RoadBuilt(edge=edge):
            return f"{who} builds a road on {_side(edge)}"
        case ev.SettlementBuilt(vertex=vertex):
            return f"{who} builds a settlement on vertex {vertex}"
        case ev.CityBuilt(vertex=vertex):
            return f"{who} builds a city on vertex {vertex}"
        case ev.DevCardBought(left=left):
            return f"{who} buys a dev card; {left} left"
        case ev.DevCardPlayed(card=card, taken=taken):
            return f"{who} plays {card}" + _by_seat(taken, ("takes", "gives"))
        case ev.BankTraded(given=given):
            return f"{who} trades {_cards(given)} with the bank for 1"
        case ev.Offered(to=to, give=give, get=get):
            asked = "everybody" if to is None else f"seat {to}"
            return f"{who} offers {asked} {_cards(give)} for {get}"
        case ev.Responded(accept=accept):
            return f"{who} {'accepts' if accept else 'refuses'}"
        case ev.Traded(partner=partner, given=given, got=got):
            return f"{who} gives seat {partner} {_cards(given)} and gets {got}"
        case ev.AwardMoved(award=award, holder=holder):
            verb = "loses" if holder is None else "takes"
            name = "largest army" if award == "largestArmy" else "longest road"
            return f"{who} {verb} the {name} award"
        case ev.Said(message=message):
            return f"{who} says: {printable(message)}"
        case ev.Ended(reason=reason):
            if reason == "win":
                return f"the match ends: {who} wins"
            return f"the match ends with the last turn ({reason.replace('_', ' ')})"

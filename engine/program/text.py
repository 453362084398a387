"""Views as plain text, for people."""

from __future__ import annotations

from engine.program.resources import spell
from engine.program.view import CombatView, ProgramView, SeatView


def draw(view: ProgramView) -> str:
    """A view as lines of plain text: round, market, projects, towns, one's own cards."""
    lines = [_head(view), _market(view), _decks(view), *_projects(view)]
    for seat, town in enumerate(view.towns):
        lines += _town(view, seat, town)
    if view.combat is not None:
        lines.append(_combat(view, view.combat))
    for title, cards in (("hand", view.hand), ("pack", view.pack), ("drawn", view.choices)):
        if cards:
            lines.append(f"your {title}: {_named(view, cards)}")
    return "\n".join(lines)


def _named(view: ProgramView, cards: tuple[str, ...]) -> str:
    return ", ".join(f"{view.cards[card]} ({card})" for card in cards) or "-"


def _head(view: ProgramView) -> str:
    where = "the draft" if view.step == "draft" else f"round {view.round}, step {view.step}"
    turn = "" if not view.turn else f", turn {view.turn}"
    whose = "" if view.current is None else f", seat {view.current}"
    last = "" if view.last_round is None else f"; round {view.last_round} is the last"
    return f"{where}{turn}{whose}; alarms {' '.join(view.alarms)}{last}"


def _market(view: ProgramView) -> str:
    slots = (
        f"{len(view.market) - 1 - slot}: "
        + ("-" if card is None else f"{view.cards[card]} ({card})")
        for slot, card in enumerate(view.market)
    )
    return "market by cost: " + "; ".join(slots)


def _decks(view: ProgramView) -> str:
    return (
        f"cards left: market {view.market_deck} (discarded {len(view.market_discard)}), "
        f"wastes {view.wastes_deck} (discarded {len(view.wastes_discard)}), "
        f"projects {view.project_deck}"
    )


def _projects(view: ProgramView) -> list[str]:
    lines = []
    for project in view.projects:
        if project is not None:
            name = view.cards[project.card]
            tokens = "/".join(map(str, project.tokens))
            value = view.facts[name].value
            lines.append(f"project {name} ({project.card}), value {value}: tokens {tokens}")
    return lines


def _town(view: ProgramView, seat: int, town: SeatView) -> list[str]:
    names = {survivor.number: survivor.name for survivor in view.survivors}
    marks = [
        "*" if seat == view.seat else "",
        " resigned" if view.resigned[seat] else "",
        " passed" if seat in view.tokens and view.step == "actions" else "",
        " extra turn" if town.extra_turn else "",
    ]
    survivor = "-" if town.survivor is None else f"{town.survivor} {names[town.survivor]}"
    return [
        f"seat {seat}{''.join(marks)}: {town.score} points, {town.size} town, {town.hq}, "
        f"survivor {survivor}, hand {town.hand_count}, {spell(town.pile)}, "
        f"defence +{town.defence}, raids +{town.raiding}",
        f"  town: {_named(view, town.town)}; projects: {_named(view, town.projects)}",
    ]


def _combat(view: ProgramView, combat: CombatView) -> str:
    parts = [
        f"{view.cards[combat.card]} ({combat.card}) of seat {combat.attacker} "
        f"on seat {combat.target}"
    ]
    if combat.defence_total is not None:
        parts.append(f"defence {combat.defence_total}")
    if combat.raid_total is not None:
        parts.append(f"raid {combat.raid_total}")
    if combat.difficulty is not None:
        parts.append(f"to reach {combat.difficulty}")
    if combat.stake is not None:
        parts.append(f"{view.cards[combat.stake]} ({combat.stake}) at stake")
    return "; ".join(parts)

"""What a seat sees: a view built up from nothing out of what that seat may know."""

from __future__ import annotations

from collections.abc import Iterable

from engine.program import combat, turns
from engine.program.cards import FACTS, HQS, ID_OF, NAME_OF, SIZES, SURVIVORS, ids
from engine.program.player import Player
from engine.program.resources import Resources
from engine.program.state import ALARM_ROUNDS, EMPTY, Combat, State
from engine.program.view import (
    Alarm,
    CombatView,
    OpenProject,
    ProgramView,
    Room,
    SeatView,
    Step,
)

_STEPS: dict[str, Step] = {
    "draft": "draft",
    "maintenance": "maintenance",
    "survivor": "survivors",
    "over": "over",
}


def step_of(s: State) -> Step:
    """The step of the round that the match is in."""
    return _STEPS.get(s.kind, "actions")


def see(s: State, seat: int | None) -> ProgramView:
    """The view of `seat`, or a spectator's for None. ValueError where there is no such seat."""
    hand: tuple[int, ...] | None = None
    pack: tuple[int, ...] | None = None
    choices: tuple[int, ...] | None = None
    if seat is not None:
        if not 0 <= seat < s.n:
            raise ValueError(f"there is no seat {seat} among {s.n}")
        hand = s.players[seat].hand
        pack = s.packs[seat] if s.packs else ()
        choices = s.choices if seat == s.current else ()
    step = step_of(s)
    names = _names(s, (*(hand or ()), *(pack or ()), *(choices or ())))
    return ProgramView(
        seat=seat,
        seats=s.n,
        round=s.round,
        step=step,
        turn=s.turn,
        current=s.current if step in ("actions", "survivors") else None,
        order=s.order,
        tokens=s.tokens,
        opened=s.opened,
        acted=s.acted,
        cards_played=s.played,
        used=ids(s.used),
        market=tuple([None if card == EMPTY else ID_OF[card] for card in s.market]),
        market_deck=len(s.market_deck),
        market_discard=ids(s.market_discard),
        wastes_deck=len(s.wastes_deck),
        wastes_discard=ids(s.wastes_discard),
        projects=open_projects(s),
        project_deck=len(s.project_deck),
        alarms=tuple([_alarm(s, number) for number in ALARM_ROUNDS]),
        last_round=turns.last_round(s),
        survivors_left=tuple(turns.survivors_left(s)),
        combat=None if s.combat is None else _see_combat(s, s.combat),
        towns=tuple([_see_seat(p) for p in s.players]),
        hand=None if hand is None else ids(hand),
        pack=None if pack is None else ids(pack),
        choices=None if choices is None else ids(choices),
        resigned=s.resigned,
        cards=names,
        facts={name: FACTS[name] for name in names.values()},
        hqs=HQS,
        survivors=SURVIVORS,
    )


def _names(s: State, own: Iterable[int]) -> dict[str, str]:
    """The name of every card that can be seen: what lies open, and `own`."""
    seen = {*own, *s.market, *s.projects, *s.market_discard, *s.wastes_discard}
    for p in s.players:
        seen.update(p.town, p.projects)
    if s.combat is not None:
        seen.add(s.combat.card)
    seen.discard(EMPTY)
    return {ID_OF[card]: NAME_OF[card] for card in sorted(seen)}


def open_projects(s: State) -> tuple[OpenProject | None, ...]:
    """The open projects with the tokens on them."""
    return tuple(
        [
            None if card == EMPTY else OpenProject(ID_OF[card], placed)
            for card, placed in zip(s.projects, s.research, strict=True)
        ]
    )


def _alarm(s: State, number: int) -> Alarm:
    if s.round < number:
        return "hidden"
    return "arc" if s.arc == number else "quiet"


def _see_seat(p: Player) -> SeatView:
    t = p.traits
    return SeatView(
        hq=HQS[p.hq].name,
        town=ids(p.town),
        projects=ids(p.projects),
        hand_count=len(p.hand),
        pile=Resources(p.food, p.credits, p.responses),
        room=Room(t.room, t.room_food, t.room_credits, t.room_responses),
        size=SIZES[t.size],
        survivor=p.survivor or None,
        score=p.score,
        permanent=p.permanent,
        arrival=p.arrival,
        four_since=p.four or None,
        defence=combat.modifiers(p, "defence"),
        raiding=combat.modifiers(p, "raid"),
        extra_turn=p.extra,
    )


def _see_combat(s: State, c: Combat) -> CombatView:
    side = combat.side_to_roll(s, c)
    return CombatView(
        card=ID_OF[c.card],
        attacker=s.current,
        target=c.target,
        defence_bonus=c.defence_bonus,
        defence_dice=c.defence_dice,
        defence_rolls=c.defence_rolls,
        defence_total=combat.defence_total(s, c),
        raid_bonus=c.raid_bonus,
        raid_dice=c.raid_dice,
        raid_rolls=c.raid_rolls,
        raid_total=combat.raid_total(s, c),
        difficulty=combat.needed(s, c, side),
        stake=None if c.stake == EMPTY else ID_OF[c.stake],
    )

"""States to positions and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.chance import Chance
from engine.program import turns
from engine.program.cards import HQ_LEVEL, HQS, ID_OF, NUMBER_OF, ids
from engine.program.combat import reroll_cost
from engine.program.player import Player
from engine.program.position import CombatPosition, Position, SeatPosition
from engine.program.reactions import protector
from engine.program.refusals import impossible
from engine.program.resources import Resources
from engine.program.seeing import open_projects, step_of
from engine.program.state import EMPTY, Combat, State
from engine.program.validate import validate


def to_position(s: State) -> Position:
    """The whole state, hidden facts included."""
    step = step_of(s)
    return Position(
        seats=s.n,
        round=s.round,
        step=step,
        turn=s.turn,
        current=s.current if step in ("actions", "survivors") else None,
        opened=s.opened,
        acted=s.acted,
        played=s.played,
        used=ids(s.used),
        tokens=s.tokens,
        towns=tuple(_from_player(p) for p in s.players),
        market=tuple(None if card == EMPTY else ID_OF[card] for card in s.market),
        market_deck=ids(s.market_deck),
        market_discard=ids(s.market_discard),
        wastes_deck=ids(s.wastes_deck),
        wastes_discard=ids(s.wastes_discard),
        projects=open_projects(s),
        project_deck=ids(s.project_deck),
        packs=tuple(ids(pack) for pack in s.packs),
        arc=s.arc,
        choices=ids(s.choices),
        combat=None if s.combat is None else _from_combat(s, s.combat),
        clock=s.clock,
        combats=s.combats,
        market_shuffles=s.market_shuffles,
        wastes_shuffles=s.wastes_shuffles,
        seed=s.chance.seed.hex(),
        resigned=s.resigned,
    )


def _from_player(p: Player) -> SeatPosition:
    return SeatPosition(
        hq=HQS[p.hq].name,
        town=ids(p.town),
        hand=ids(p.hand),
        projects=ids(p.projects),
        pile=Resources(p.food, p.credits, p.responses),
        permanent=p.permanent,
        arrival=p.arrival,
        four=p.four,
        survivor=p.survivor or None,
        extra_turn=p.extra,
    )


def _from_combat(s: State, combat: Combat) -> CombatPosition:
    return CombatPosition(
        asked=s.kind,  # type: ignore[arg-type]  # in combat it is one of these
        card=ID_OF[combat.card],
        target=combat.target,
        number=combat.number,
        defence_bonus=combat.defence_bonus,
        defence_dice=combat.defence_dice,
        defence_rolls=combat.defence_rolls,
        raid_bonus=combat.raid_bonus,
        raid_dice=combat.raid_dice,
        raid_rolls=combat.raid_rolls,
        stake=None if combat.stake == EMPTY else ID_OF[combat.stake],
    )


def from_position(position: Any) -> State:
    """The state that a Position describes. Raises PositionError for an impossible one."""
    validate(position)
    p: Position = position
    s = State(Chance(bytes.fromhex(p.seed)), tuple(town.survivor or 0 for town in p.towns))
    s.round = p.round
    s.turn = p.turn
    s.tokens = p.tokens
    s.order = _order(s, p)
    s.current = p.current or 0
    s.opened, s.acted, s.played = p.opened, p.acted, p.played
    s.used = _numbers(p.used)
    s.market = tuple(EMPTY if card is None else NUMBER_OF[card] for card in p.market)
    s.market_deck = _numbers(p.market_deck)
    s.market_discard = _numbers(p.market_discard)
    s.wastes_deck = _numbers(p.wastes_deck)
    s.wastes_discard = _numbers(p.wastes_discard)
    s.projects = tuple(EMPTY if it is None else NUMBER_OF[it.card] for it in p.projects)
    s.research = tuple((0,) * p.seats if it is None else it.tokens for it in p.projects)
    s.project_deck = _numbers(p.project_deck)
    s.packs = tuple(tuple(sorted(_numbers(pack))) for pack in p.packs)
    s.arc = p.arc
    s.choices = tuple(sorted(_numbers(p.choices)))
    s.combats = p.combats
    s.market_shuffles = p.market_shuffles
    s.wastes_shuffles = p.wastes_shuffles
    s.resigned = p.resigned
    for seat, town in enumerate(p.towns):
        _fill(s, seat, town)
    s.clock = p.clock
    _go_on(s, p)
    return s


def _numbers(card_ids: Iterable[str]) -> tuple[int, ...]:
    return tuple([NUMBER_OF[card] for card in card_ids])


def _order(s: State, p: Position) -> tuple[int, ...]:
    if p.step == "survivors":
        return p.tokens
    return () if p.step == "draft" else turns.by_survivor(s)


def _fill(s: State, seat: int, town: SeatPosition) -> None:
    player = s.players[seat]
    player.hq = HQ_LEVEL[town.hq]
    player.town = _numbers(town.town)
    player.hand = tuple(sorted(_numbers(town.hand)))
    player.projects = _numbers(town.projects)
    player.food, player.credits, player.responses = (
        town.pile.food,
        town.pile.credits,
        town.pile.responses,
    )
    player.permanent = town.permanent
    player.extra = town.extra_turn
    s.refresh(seat, [])
    player.arrival = town.arrival
    player.four = town.four


def _go_on(s: State, p: Position) -> None:
    """Ask what is to be asked in the position."""
    if p.combat is not None:
        s.combat = _to_combat(p.combat)
        seat = _asked_seat(p, p.combat)
        s.ask(p.combat.asked, seat)
        if p.combat.asked == "reroll" and reroll_cost(s, seat) is None:
            impossible("combat.asked", f"seat {seat} cannot pay for a reroll")
        if p.combat.asked == "protect" and protector(s.players[seat]) == EMPTY:
            impossible("combat.asked", f"seat {seat} has nothing to protect a structure with")
    elif p.step == "draft":
        s.ask_all("draft")
    elif p.step == "maintenance":
        s.ask_all("maintenance")
    elif p.step == "survivors":
        s.ask("survivor", s.current)
    elif p.step == "actions":
        s.ask("choose" if p.choices else "turn", s.current)
    else:
        s.end()


def _asked_seat(p: Position, combat: CombatPosition) -> int:
    """Whom a combat waits for."""
    raider_rerolls = combat.asked == "reroll" and combat.raid_dice is not None
    if raider_rerolls or combat.asked in ("raid", "loot"):
        assert p.current is not None
        return p.current
    return combat.target


def _to_combat(combat: CombatPosition) -> Combat:
    return Combat(
        card=NUMBER_OF[combat.card],
        target=combat.target,
        number=combat.number,
        defence_bonus=combat.defence_bonus,
        defence_dice=combat.defence_dice,
        defence_rolls=combat.defence_rolls,
        raid_bonus=combat.raid_bonus,
        raid_dice=combat.raid_dice,
        raid_rolls=combat.raid_rolls,
        stake=EMPTY if combat.stake is None else NUMBER_OF[combat.stake],
    )

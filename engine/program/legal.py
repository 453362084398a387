"""Listing the legal moves of a seat, in a fixed order; the default of each kind.

All of them, but for maintenance answers, of which `budgets` lists the ones worth giving. A list
of cards is listed once, by ascending id, though any order of it is legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from engine.game import Action
from engine.program import acting, playing, spoils, turns
from engine.program.actions import Defend, Loot, Press
from engine.program.cards import CARDS, ID_OF, IN_TOWN, TYPE_OF
from engine.program.effects import Side
from engine.program.maintenance import default_maintenance
from engine.program.moves import (
    ACTIVATE,
    ATTACKS,
    CHOOSE,
    END_TURN,
    KEEP,
    KEEP_OR_PLAY,
    LOSE,
    MARKET,
    PASS,
    PLAN,
    PLAY,
    PLAY_WITH_SLOT,
    PROTECT,
    REROLL,
    RESEARCH,
    SURVIVOR,
    UPGRADE_HQ,
    WASTES,
)
from engine.program.piles import paid
from engine.program.player import Player
from engine.program.reactions import BOOST, reaction_cost
from engine.program.resources import Resources
from engine.program.state import EMPTY, State


def legal_draft(s: State, seat: int) -> list[Action]:
    """Each card of the pack, kept, and played where it can be."""
    moves: list[Action] = []
    for card in s.packs[seat]:
        if TYPE_OF[card] in IN_TOWN:
            moves.extend(KEEP_OR_PLAY[card])
        else:
            moves.append(KEEP[card])
    return moves


def legal_turn(s: State, seat: int) -> list[Action]:
    """End and pass, the four actions, cards of the hand, cards of the town, the upgrade."""
    p = s.players[seat]
    moves: list[Action] = [END_TURN]
    if not s.opened:
        moves.append(PASS)
    if not s.acted:
        _add_actions(s, seat, moves)
    if p.hand:
        _add_plays(s, seat, moves)
    for card in p.town:
        effect = playing.ACTIVATION[card]
        if effect is None or (effect.once and card in s.used):
            continue
        if paid(p.pile(), effect.pay) is not None:
            moves.append(ACTIVATE[card])
    if acting.can_upgrade(p):
        moves.append(UPGRADE_HQ)
    return moves


def _add_actions(s: State, seat: int, moves: list[Action]) -> None:
    p = s.players[seat]
    moves += [
        move
        for slot, move in enumerate(MARKET)
        if s.market[slot] != EMPTY and acting.market_cost(p, slot) <= p.credits
    ]
    if s.wastes_deck or s.wastes_discard:
        moves.append(WASTES)
    moves.append(PLAN)
    most = min(acting.RESEARCH_TOKENS[p.traits.size], p.responses)
    if most:
        for project, placed in zip(s.projects, s.research, strict=True):
            if project != EMPTY:
                missing = CARDS[project].value - placed[seat]
                moves.extend(RESEARCH[project][: min(most, missing)])


def _add_plays(s: State, seat: int, moves: list[Action]) -> None:
    p = s.players[seat]
    for card in p.hand:
        if playing.play_cost(s, p, card) > p.responses or p.traits.size < playing.SMALLEST[card]:
            continue
        if playing.AIMED[card]:
            moves.extend(ATTACKS[s.n][seat][card])
        elif playing.TAKES_SLOT[card]:
            slots = enumerate(PLAY_WITH_SLOT[card])
            moves += [move for slot, move in slots if s.market[slot] != EMPTY]
        else:
            moves.append(PLAY[card])


def _preparations(p: Player, side: Side) -> list[tuple[int, tuple[str, ...]]]:
    """What a side can spend and play: every set of its reactions with every spend left."""
    usable = [card for card in p.hand if BOOST[side][card]]
    found = []
    for size in range(len(usable) + 1):
        for chosen in combinations(usable, size):
            left = p.responses - sum([reaction_cost(p, card) for card in chosen])
            named = tuple([ID_OF[card] for card in chosen])
            found += [(spend, named) for spend in range(left + 1)]
    return found


def legal_defend(s: State, seat: int) -> list[Action]:
    """Every preparation of a defence."""
    return [Defend(spend, play) for spend, play in _preparations(s.players[seat], "defence")]


def legal_press(s: State, seat: int) -> list[Action]:
    """Every preparation of a raider's roll."""
    return [Press(spend, play) for spend, play in _preparations(s.players[seat], "raid")]


def legal_reroll(_s: State, _seat: int) -> Sequence[Action]:
    """No and yes: who cannot pay is not asked."""
    return REROLL


def legal_protect(_s: State, _seat: int) -> Sequence[Action]:
    """Yes and no: who cannot protect is not asked."""
    return PROTECT


def legal_loot(s: State, _seat: int) -> list[Action]:
    """Each structure of the target, then each bundle of the resources at stake."""
    assert s.combat is not None
    p = s.players[s.combat.target]
    moves: list[Action] = []
    if spoils.spoiling(s.combat) is None:
        moves.extend(Loot(structure=ID_OF[card]) for card in spoils.structures(p))
    due = spoils.loot_size(s, s.combat)
    for credits_ in range(min(due, p.credits), -1, -1):
        for responses in range(min(due - credits_, p.responses), -1, -1):
            food = due - credits_ - responses
            if food <= p.food:
                moves.append(Loot(resources=Resources(food, credits_, responses)))
    return moves


def legal_lose(s: State, _seat: int) -> list[Action]:
    """Each card that the attack can take."""
    return [LOSE[card] for card in spoils.losable(s)]


def legal_choose(s: State, _seat: int) -> list[Action]:
    """Each card drawn."""
    return [CHOOSE[card] for card in s.choices]


def legal_survivor(s: State, _seat: int) -> list[Action]:
    """Each survivor left."""
    return [SURVIVOR[number] for number in turns.survivors_left(s)]


def default(s: State, seat: int) -> Action:
    """What is played for a seat that does not answer."""
    p = s.players[seat]
    match s.kind:
        case "turn":
            return END_TURN
        case "draft":
            return KEEP[s.packs[seat][0]]
        case "maintenance":
            return default_maintenance(p)
        case "defend":
            return _NO_DEFENCE
        case "raid":
            return _NO_PRESSURE
        case "reroll":
            return REROLL[0]
        case "protect":
            return PROTECT[0]
        case "loot":
            return spoils.default_loot(s)
        case "lose":
            return LOSE[spoils.losable(s)[0]]
        case "choose":
            return CHOOSE[s.choices[0]]
        case "survivor":
            return SURVIVOR[turns.survivors_left(s)[-1]]
        case _:
            raise AssertionError(f"no default for {s.kind}")


_NO_DEFENCE = Defend(spend=0, play=())
_NO_PRESSURE = Press(spend=0, play=())

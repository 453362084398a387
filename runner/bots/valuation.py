"""What towns, tokens and points are worth to a seat of The Pioneers Program, in about credits.

A card is worth what the town gains by it, so that its price, its upkeep, the town's size and
whatever else it changes count in one place. The weights were set by reason and a few thousand
matches, not fitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from engine.program import effects as fx
from engine.program.acting import RESEARCH_TOKENS
from engine.program.cards import CARDS, HQS, SURVIVORS
from engine.program.piles import Pile, stored
from engine.program.player import Player
from engine.program.resources import Resources
from engine.program.state import ALARM_ROUNDS, TURNS_PER_ROUND, WINNING_POINTS, State
from engine.program.traits import Traits, traits_of
from engine.program.view import ProgramView

# By points held: each is worth more than the one before, up to the fourth, which wins.
_POINTS = (0.0, 13.0, 27.0, 42.0, 66.0, 69.0, 71.0, 72.0)
# By structures, HQ included, with all turns to come: a medium town researches twice as fast.
_STRUCTURES = (0.0, 0.0, 5.0, 10.0, 16.0, 25.0, 28.0, 33.0, 33.5)
_ALL_TURNS = 14

# The first tokens of a kind are worth most: (how many, each), then what all others are worth.
_RESPONSES = ((3, 1.7), (3, 1.4), (3, 0.9), (99, 0.3))
_CREDITS = ((3, 1.0), (3, 0.8), (4, 0.5), (99, 0.2))
_FOOD = ((3, 0.4), (4, 0.25), (99, 0.1))
_HUNGER = 1.3  # a food that is missing: a response would have to stand in for it

# What is always on, for each turn to come.
_EXTRA_RESEARCH, _BETTER_PLAN, _CHEAPER_MARKET = 1.6, 1.0, 0.25
_FREE_PLAY, _FREE_STRUCTURES, _FREE_ITEMS = 0.8, 0.25, 0.1
# And for each round to come.
_DEFENCE, _RAIDING, _REROLL, _BETTER_SALE = 0.35, 0.12, 0.5, 0.5
_ROOM = 0.4
_WASTES_CHOICE = 1.5
_CHEAPER_UPGRADE = 0.6


def points(score: int) -> float:
    """What a score is worth."""
    return _POINTS[min(score, len(_POINTS) - 1)]


def last_round(view: ProgramView) -> float:
    """The round that will probably be the last one: known, by the alarms left, or by the scores."""
    best = max(town.score for town in view.towns)
    if best >= WINNING_POINTS:
        return float(view.round)
    if view.last_round is not None:
        latest = float(view.last_round)
    else:
        quiet = view.alarms.count("quiet")
        latest = (ALARM_ROUNDS[quiet] + ALARM_ROUNDS[-1]) / 2 + 1
    return min(latest, max(1, view.round) + 2 * (WINNING_POINTS - best))


class Valuation:
    """The time left, and what things are worth in it.

    rounds: productions whose tokens can still be used. turns: of the seat, the present one
    included while its action is left.
    """

    def __init__(self, view: ProgramView, s: State, seat: int) -> None:
        self.s = s
        self.seat = seat
        self.me: Player = s.players[seat]
        left = last_round(view) - max(1, view.round)
        self.rounds = max(0.0, left)
        extra = 1 if view.towns[seat].extra_turn else 0
        if view.step == "actions":
            passed = seat in view.tokens
            this_round = 0 if passed else TURNS_PER_ROUND + extra - view.turn
            this_round += 1 if view.current == seat and not view.acted else 0
        else:
            this_round = TURNS_PER_ROUND if view.step == "draft" else 0
        self.turns = max(0, this_round) + TURNS_PER_ROUND * self.rounds

    def town(self, t: Traits, permanent: int) -> float:
        """What a town is worth, with the seat's permanent points."""
        return points(permanent + t.points) + self._lasting(t, self.rounds, self.turns)

    def skill(self, t: Traits, survivor: int) -> float:
        """What a town with a survivor at work is worth in a single round."""
        modifier = SURVIVORS[survivor - 1].modifier
        return self._lasting(t, 1, TURNS_PER_ROUND) + _DEFENCE * modifier

    def scored(self, more: int) -> float:
        """What points are worth that come on top of the seat's score."""
        return points(self.me.score + more) - points(self.me.score)

    def _lasting(self, t: Traits, rounds: float, turns: float) -> float:
        food = t.food - sum(cost.food for _, cost in t.upkeep)
        credits_ = t.credits - sum(cost.credits for _, cost in t.upkeep)
        per_round = (
            (_tokens(_FOOD, food) if food > 0 else _HUNGER * food)
            + credits_
            + 1.5 * t.responses
            + _DEFENCE * min(t.defence, 5)
            + _RAIDING * t.raiding
            + (_REROLL if t.free_reroll else 0)
            + (_BETTER_SALE * t.better_sales)
        )
        per_turn = (
            _EXTRA_RESEARCH * min(t.extra_research, 2)
            + _BETTER_PLAN * t.better_plans
            + _CHEAPER_MARKET * t.cheaper_market
            + (_FREE_PLAY if t.first_play_free else 0)
            + (_FREE_STRUCTURES if "structure" in t.free_types else 0)
            + (_FREE_ITEMS if "item" in t.free_types else 0)
        )
        room = t.room + t.room_food / 2 + t.room_credits + t.room_responses
        size = _STRUCTURES[min(t.structures, len(_STRUCTURES) - 1)] * min(1, turns / _ALL_TURNS)
        once = _ROOM * room + (_WASTES_CHOICE if t.wastes_choice > 1 else 0)
        if self.me.hq + 1 < len(HQS):
            once += _CHEAPER_UPGRADE * t.cheaper_upgrades
        return rounds * per_round + turns * per_turn + size + once * min(1, rounds)

    def traits(self, p: Player, *, hq: int = 0, town: Sequence[int], skill: int = -1) -> Traits:
        """The traits of a player with another town, a higher HQ or another survivor."""
        at_work = p.survivor if self.s.round > 1 else 0
        return traits_of(p.hq + hq, tuple(town), p.projects, at_work if skill < 0 else skill)

    def with_card(self, card: int) -> float:
        """What the own town gains by a card that comes into it."""
        p = self.me
        more = self.traits(p, town=(*p.town, card))
        return self.town(more, p.permanent) - self.town(p.traits, p.permanent)

    def without_card(self, p: Player, card: int) -> float:
        """What a player's town loses by a card that leaves it."""
        less = self.traits(p, town=[other for other in p.town if other != card])
        return self.town(p.traits, p.permanent) - self.town(less, p.permanent)

    def upgraded(self) -> float:
        """What the next level of the HQ is worth."""
        p = self.me
        more = self.traits(p, hq=1, town=p.town)
        return self.town(more, p.permanent) - self.town(p.traits, p.permanent)

    def project(self, number: int) -> float:
        """What completing a project is worth."""
        p, card = self.me, CARDS[number]
        skill = p.survivor if self.s.round > 1 else 0
        more = traits_of(p.hq, p.town, (*p.projects, number), skill)
        gain = self.town(more, p.permanent + card.points) - self.town(p.traits, p.permanent)
        at_once = [e.resources for e in card.effects if isinstance(e, fx.Gain)]
        return gain + fsum(map(self.gain, at_once))

    def gain(self, got: Resources) -> float:
        """What tokens gained now are worth, as far as there is room for them."""
        held = self.me.pile()
        after = stored(self.me.traits, held, (got.food, got.credits, got.responses))
        return self.pile(after) - self.pile(held)

    def pile(self, pile: Pile, upkeep: Traits | None = None) -> float:
        """What stored tokens are worth, for a town that has to be kept up."""
        if self.turns <= 0:
            return 0.01 * sum(pile)
        t = upkeep or self.me.traits
        hungry = max(0, sum(cost.food for _, cost in t.upkeep) - t.food)
        fed = min(hungry, pile[0])
        return (
            _HUNGER * fed
            + _tokens(_FOOD, pile[0] - fed)
            + _tokens(_CREDITS, pile[1])
            + _tokens(_RESPONSES, pile[2])
        )

    def paying(self, *, food: int = 0, credits_: int = 0, responses: int = 0) -> float:
        """What tokens that are spent now would be worth."""
        held = self.me.pile()
        after = (held[0] - food, held[1] - credits_, held[2] - responses)
        return self.pile(held) - self.pile(after)

    def pace(self, p: Player) -> int:
        """Research tokens that a player's action places, if it can pay for them."""
        return RESEARCH_TOKENS[p.traits.size] + p.traits.extra_research


def _tokens(steps: Sequence[tuple[int, float]], count: int) -> float:
    worth = 0.0
    for many, each in steps:
        worth += min(many, count) * each
        count -= many
        if count <= 0:
            break
    return worth

"""A player of The Pioneers Program with common sense: no bot, a yardstick for the card list.

It weighs every legal action by what its cards bring until the end, in about credits, and takes
the best, a little at random. It looks at views alone.
"""

from __future__ import annotations

import random
from typing import Any

from engine.game import Action
from engine.program import Program, ProgramView
from engine.program import effects as fx
from engine.program.actions import (
    Activate,
    Choose,
    ChooseSurvivor,
    Defend,
    Draft,
    EndTurn,
    Loot,
    Lose,
    Maintenance,
    Market,
    Pass,
    Plan,
    PlayCard,
    Press,
    Protect,
    Reroll,
    Research,
    UpgradeHq,
    Wastes,
)
from engine.program.cards import Card
from engine.program.resources import Resources

POINT = 14.0
FOOD, CREDIT, RESPONSE = 0.5, 1.0, 1.4
STRUCTURE = 2.5
LIKELY_LAST_ROUND = 7
SURVIVORS = {5: 8, 8: 7, 6: 6, 3: 5, 1: 4, 2: 3, 4: 2, 7: 1}


def worth(resources: Resources) -> float:
    """What tokens are worth."""
    return resources.food * FOOD + resources.credits * CREDIT + resources.responses * RESPONSE


class Sensible:
    """Chooses for any seat; `rng` breaks near ties."""

    def __init__(self, rng: random.Random, noise: float = 0.5) -> None:
        self.rng = rng
        self.noise = noise

    def choose(self, game: Program) -> dict[int, Action]:
        """An action for each pending seat."""
        chosen = {}
        for seat in game.pending():
            moves = game.legal(seat)
            if len(moves) == 1:
                chosen[seat] = moves[0]
                continue
            view = game.view(seat)
            weights = [self.weigh(view, seat, move) for move in moves]
            chosen[seat] = moves[weights.index(max(weights))]
        return chosen

    def weigh(self, view: ProgramView, seat: int, move: Any) -> float:
        """How good a move is; 0 is doing nothing."""
        weigh = getattr(self, f"_{type(move).__name__.lower()}")
        return float(weigh(view, seat, move)) + self.rng.random() * self.noise

    def rounds_left(self, view: ProgramView) -> int:
        """Maintenance steps still to come, about."""
        return max(0, (view.last_round or LIKELY_LAST_ROUND) - max(1, view.round) + 1)

    def in_town(self, view: ProgramView, card: Card) -> float:
        """What a card in the town is worth from now to the end."""
        left = self.rounds_left(view)
        value = POINT * card.points
        value += left * (worth(card.production) - worth(card.maintenance))
        value += STRUCTURE if card.type == "structure" else 0
        for effect in card.effects:
            match effect:
                case fx.Defence(amount=amount) | fx.Raiding(amount=amount):
                    value += 0.25 * left * amount
                case fx.Storage():
                    value += 1.5
                case fx.ExtraResearch():
                    value += 1.5 * left
                case fx.Boost() | fx.KeepStructure():
                    return -5.0  # from the hand alone
                case fx.Activate(gain=gain, once=once):
                    value += 0.3 * left * worth(gain) if once else 0.3 * worth(gain)
                case _:
                    value += 0.6 * left
        return value

    def once(self, view: ProgramView, seat: int, card: Card) -> float:
        """What playing an event is worth."""
        value = 0.0
        for effect in card.effects:
            match effect:
                case fx.ExtraTurn():
                    value += 5.0 if not view.towns[seat].extra_turn else 0.0
                case fx.Gain(resources=resources):
                    value += worth(resources) * (0.3 if self.full(view, seat) else 1.0)
                case fx.TakeMarket():
                    value += 3.0
                case fx.PermanentPoints(points=points):
                    value += POINT * points
                case fx.DrawWastes():
                    value += 4.0
        return value

    def full(self, view: ProgramView, seat: int) -> bool:
        """Whether a pile has little room left."""
        town = view.towns[seat]
        return town.pile.total() + 2 > town.room.any

    def card_value(self, view: ProgramView, seat: int, card_id: str) -> float:
        """What having a card in the hand is worth, playing it not yet paid."""
        card = view.facts[view.cards[card_id]]
        if card.type in ("attack", "raid"):
            return 2.5
        if card.type == "event":
            return max(0.0, self.once(view, seat, card))
        value = self.in_town(view, card)
        return max(value, 2.0) if any(isinstance(e, fx.Boost) for e in card.effects) else value

    def _draft(self, view: ProgramView, seat: int, move: Draft) -> float:
        card = view.facts[view.cards[move.card]]
        value = self.card_value(view, seat, move.card)
        return value + (RESPONSE if move.play and self.in_town(view, card) > 0 else 0)

    def _market(self, view: ProgramView, seat: int, move: Market) -> float:
        card = view.market[move.slot]
        assert card is not None
        cost = max(0, 5 - move.slot)
        return self.card_value(view, seat, card) - RESPONSE - cost * CREDIT * 0.8

    def _wastes(self, view: ProgramView, seat: int, move: Wastes) -> float:
        return 1.5

    def _plan(self, view: ProgramView, seat: int, move: Plan) -> float:
        town = view.towns[seat]
        gained = {"small": 3, "medium": 2, "large": 1}[town.size]
        room = town.room.any - town.pile.total()
        return RESPONSE * max(0, min(gained, room)) - 0.5

    def _research(self, view: ProgramView, seat: int, move: Research) -> float:
        project = next(p for p in view.projects if p is not None and p.card == move.project)
        card = view.facts[view.cards[move.project]]
        mine = project.tokens[seat]
        others = max(n for i, n in enumerate(project.tokens) if i != seat)
        gain = (POINT * card.points + 2.0) * (move.tokens + 0.3 * mine) / card.value
        gain *= 0.6 if others > mine + 1 else 1.0
        left = 2 * self.rounds_left(view) * 2
        gain *= 1.0 if card.value - mine <= left else 0.2
        return gain - RESPONSE * move.tokens

    def _playcard(self, view: ProgramView, seat: int, move: PlayCard) -> float:
        card = view.facts[view.cards[move.card]]
        if move.target is not None:
            return self.attack(view, seat, card, move.target)
        if move.slot is not None:
            taken = view.market[move.slot]
            assert taken is not None
            return self.card_value(view, seat, taken) - 2 * RESPONSE
        if card.type == "event":
            return self.once(view, seat, card) - RESPONSE
        return self.in_town(view, card) - RESPONSE

    def attack(self, view: ProgramView, seat: int, card: Card, target: int) -> float:
        """What attacking a seat is worth: what may fall, how likely, and how far ahead it is."""
        town = view.towns[target]
        at_stake = [view.facts[view.cards[c]] for c in town.town]
        loss = max([self.in_town(view, c) for c in at_stake if c.type == "structure"], default=0)
        effect = card.effects[0]
        if isinstance(effect, fx.Raid):
            edge = (
                view.towns[seat].raiding + effect.bonus - town.defence - 0.5 * town.pile.responses
            )
            gain = max(2.0, 0.35 * loss)
        elif isinstance(effect, fx.Attack):
            edge = effect.difficulty - 7 - town.defence - 0.5 * town.pile.responses
            gain = 2.0 if isinstance(effect.failure, fx.Rob) and town.pile.credits else 0.25 * loss
        else:
            return 0.0
        chance = min(0.95, max(0.03, 0.55 + 0.1 * edge))
        return chance * (gain + 2.0 * max(0, town.score - view.towns[seat].score)) - RESPONSE

    def _activate(self, view: ProgramView, seat: int, move: Activate) -> float:
        card = view.facts[view.cards[move.card]]
        effect = next(e for e in card.effects if isinstance(e, fx.Activate))
        value = worth(effect.gain) - worth(effect.pay)
        return value - self.in_town(view, card) if effect.discard else value - 0.3

    def _upgradehq(self, view: ProgramView, seat: int, move: UpgradeHq) -> float:
        level = 1 + [hq.name for hq in view.hqs].index(view.towns[seat].hq)
        new, old = view.hqs[level], view.hqs[level - 1]
        gain = POINT * new.points + self.rounds_left(view) * (
            worth(new.production) - worth(old.production) + 0.25
        )
        return gain - new.cost * CREDIT * 0.7

    def _pass(self, view: ProgramView, seat: int, move: Pass) -> float:
        return -3.0

    def _endturn(self, view: ProgramView, seat: int, move: EndTurn) -> float:
        return 0.0 if view.acted else -3.0

    def _defend(self, view: ProgramView, seat: int, move: Defend) -> float:
        assert view.combat is not None
        return self.prepared(view, seat, move, view.combat.difficulty or 8, seat, 3.0)

    def _press(self, view: ProgramView, seat: int, move: Press) -> float:
        assert view.combat is not None
        return self.prepared(view, seat, move, view.combat.difficulty or 8, view.combat.target, 3.0)

    def prepared(
        self, view: ProgramView, seat: int, move: Any, goal: int, loser: int, least: float
    ) -> float:
        """What spending before a roll is worth: the better odds less what they cost."""
        town = view.towns[seat]
        own = town.defence if isinstance(move, Defend) else town.raiding
        bonus = move.spend + 3 * len(move.play)
        need = goal - own - bonus
        odds = sum(a + b >= need for a in range(1, 7) for b in range(1, 7)) / 36
        cards = [view.facts[view.cards[c]] for c in view.towns[loser].town]
        stake = max([self.in_town(view, c) for c in cards if c.type == "structure"], default=0)
        return float(odds * max(least, stake) - RESPONSE * (move.spend + len(move.play)))

    def _reroll(self, view: ProgramView, seat: int, move: Reroll) -> float:
        combat = view.combat
        assert combat is not None
        rolled = (combat.defence_dice if seat == combat.target else combat.raid_dice) or (6, 6)
        return (6 - sum(rolled)) * 1.0 if move.reroll else 0.0

    def _loot(self, view: ProgramView, seat: int, move: Loot) -> float:
        if move.structure is not None:
            return 0.7 * self.in_town(view, view.facts[view.cards[move.structure]])
        return worth(move.resources or Resources()) * 1.3

    def _lose(self, view: ProgramView, seat: int, move: Lose) -> float:
        return -self.in_town(view, view.facts[view.cards[move.card]])

    def _protect(self, view: ProgramView, seat: int, move: Protect) -> float:
        return 1.0 if move.play else 0.0

    def _choose(self, view: ProgramView, seat: int, move: Choose) -> float:
        return self.card_value(view, seat, move.card)

    def _maintenance(self, view: ProgramView, seat: int, move: Maintenance) -> float:
        value = worth(move.keep) * 0.1 if move.keep is not None else 0.5
        for card_id in move.pay:
            card = view.facts[view.cards[card_id]]
            last = self.rounds_left(view) <= 1
            value += POINT * card.points if last else self.in_town(view, card) + 1.0
            value -= 0.3 * worth(card.maintenance)
        if move.trade is not None:
            sold = move.trade.sell or 0
            value += {0: -0.3, 3: -0.2, 5: 0.2, 7: 0.6}[sold] - RESPONSE * move.trade.responses
        return value

    def _choosesurvivor(self, view: ProgramView, seat: int, move: ChooseSurvivor) -> float:
        return float(SURVIVORS[move.survivor])

"""Attacks and raids in The Pioneers Program: how likely they succeed, what is at stake."""

from __future__ import annotations

from math import fsum

from engine.program import effects as fx
from engine.program.actions import Defend, Loot, Press, Reroll
from engine.program.cards import CARDS, NUMBER_OF, TYPE_OF
from engine.program.combat import assault, defence_total, modifiers, needed, side_to_roll
from engine.program.effects import Side
from engine.program.player import Player
from engine.program.reactions import BOOST
from engine.program.spoils import RAID_LOOT, structures
from engine.program.state import WINNING_POINTS, Combat
from runner.bots.valuation import Valuation

_RESPONSE, _CREDIT, _FOOD = 1.5, 1.0, 0.4  # tokens of others
_ROLLS = [a + b for a in range(1, 7) for b in range(1, 7)]
_ODDS = [sum(roll >= total for roll in _ROLLS) / len(_ROLLS) for total in range(14)]


def odds(total: int) -> float:
    """The probability that two dice come to `total` at least."""
    return _ODDS[min(max(total, 0), 13)]


def raid_odds(edge: int) -> float:
    """The probability that a raider who adds `edge` more than the defender wins."""
    return fsum(odds(roll - edge) for roll in _ROLLS) / len(_ROLLS)


class Skirmish:
    """What combats are worth to a seat."""

    def __init__(self, valuation: Valuation) -> None:
        self.valuation = valuation
        self.s = valuation.s
        self.me = valuation.me

    def attack(self, card: int, target: int) -> float:
        """What carrying out an attack or raid on a seat can be expected to bring."""
        p = self.s.players[target]
        # A part of what the target has stored will be spent on the roll.
        defence = modifiers(p, "defence") + min(2, p.responses // 2)
        match effect := assault(card):
            case fx.Raid(bonus=bonus):
                chance = raid_odds(modifiers(self.me, "raid") + bonus - defence)
            case fx.Attack(difficulty=difficulty):
                chance = 1 - odds(difficulty - defence)
        return chance * self._booty(effect, p)

    def _booty(self, effect: fx.Attack | fx.Raid, p: Player) -> float:
        """What success is worth to the attacker: what it gets, and that the target has less."""
        hurt = self._rivalry(p) * self._loss(effect, p)
        match effect:
            case fx.Raid():
                return max(hurt, (1 + self._rivalry(p)) * _best_tokens(p))
            case fx.Attack(failure=fx.Rob()):
                return hurt + self._loss(effect, p)
            case _:
                return hurt

    def _rivalry(self, p: Player) -> float:
        """What a loss of another seat is worth to this one, as a share of it."""
        if p.score >= WINNING_POINTS:
            return 1.0
        return min(0.6, max(0.1, 0.2 + 0.05 * p.score + 0.1 * (p.score - self.me.score)))

    def _loss(self, effect: fx.Attack | fx.Raid, p: Player) -> float:
        """What a seat loses by an attack or raid that succeeds."""
        match effect:
            case fx.Raid():
                standing = [self.valuation.without_card(p, card) for card in structures(p)]
                return max([_best_tokens(p), *standing])
            case fx.Attack(failure=fx.GiveUp(type=kind)):
                cards = [card for card in p.town if TYPE_OF[card] == kind]
                return min((self.valuation.without_card(p, card) for card in cards), default=0.0)
            case fx.Attack(failure=fx.Rob(resources=robbed)):
                return (
                    _RESPONSE * min(robbed.responses, p.responses)
                    + _CREDIT * min(robbed.credits, p.credits)
                    + _FOOD * min(robbed.food, p.food)
                )
            case _:
                return _best_tokens(p)

    def _at_stake(self, combat: Combat, side: Side) -> float:
        """What success is worth to a side."""
        effect = assault(combat.card)
        target = self.s.players[combat.target]
        return self._loss(effect, target) if side == "defence" else self._booty(effect, target)

    def prepare(self, action: Defend | Press) -> float:
        """What a preparation is worth: the odds that it makes, less what it costs."""
        side: Side = "defence" if isinstance(action, Defend) else "raid"
        combat = self._combat()
        bonus = action.spend + sum(BOOST[side][NUMBER_OF[card]] for card in action.play)
        cost = action.spend + len(action.play)
        spent = self.valuation.paying(responses=cost) + len(action.play)
        return self._odds(combat, side, bonus) * self._at_stake(combat, side) - spent

    def _odds(self, combat: Combat, side: Side, bonus: int) -> float:
        """The probability that a side's next roll does it, with `bonus` from its preparation."""
        p = self.s.players[combat.target] if side == "defence" else self.me
        total = needed(self.s, combat, side)
        effect = assault(combat.card)
        more = effect.bonus if isinstance(effect, fx.Raid) else 0
        if total is not None:
            return odds(total - modifiers(p, side) - bonus - (more if side == "raid" else 0))
        raider = modifiers(self.s.players[self.s.current], "raid") + more
        return 1 - raid_odds(raider - modifiers(p, side) - bonus)

    def reroll(self, action: Reroll) -> float:
        """What rolling again is worth, and what letting the roll stand is."""
        combat = self._combat()
        side = side_to_roll(self.s, combat)
        stake = self._at_stake(combat, side)
        if not action.reroll:
            return self._odds_as_it_stands(combat, side) * stake
        bonus = combat.defence_bonus if side == "defence" else combat.raid_bonus
        rolls = combat.defence_rolls if side == "defence" else combat.raid_rolls
        free = rolls == 1 and self.me.traits.free_reroll
        cost = 0.0 if free else self.valuation.paying(responses=1)
        return self._odds(combat, side, bonus) * stake - cost

    def _odds_as_it_stands(self, combat: Combat, side: Side) -> float:
        """Only a raid's defender is asked with a roll that may do: the raider is still to roll."""
        effect = assault(combat.card)
        total = defence_total(self.s, combat)
        if side == "raid" or isinstance(effect, fx.Attack) or total is None:
            return 0.0
        raider = modifiers(self.s.players[self.s.current], "raid") + effect.bonus
        return 1 - odds(total - raider)

    def loot(self, action: Loot) -> float:
        """What a structure's loss means to its owner, or what tokens are worth to both."""
        combat = self._combat()
        target = self.s.players[combat.target]
        rivalry = self._rivalry(target)
        if action.structure is not None:
            return rivalry * self.valuation.without_card(target, NUMBER_OF[action.structure])
        taken = action.resources
        assert taken is not None
        lost = _RESPONSE * taken.responses + _CREDIT * taken.credits + _FOOD * taken.food
        if isinstance(assault(combat.card), fx.Attack):
            return rivalry * lost
        return rivalry * lost + self.valuation.gain(taken)

    def _combat(self) -> Combat:
        assert self.s.combat is not None
        return self.s.combat


def is_assault(card: int) -> bool:
    """Whether a card is an attack or a raid."""
    return CARDS[card].type in ("attack", "raid")


def _best_tokens(p: Player) -> float:
    """What the best tokens of a pile are worth, as many as a raid takes."""
    responses = min(RAID_LOOT, p.responses)
    credits_ = min(RAID_LOOT - responses, p.credits)
    food = min(RAID_LOOT - responses - credits_, p.food)
    return _RESPONSE * responses + _CREDIT * credits_ + _FOOD * food

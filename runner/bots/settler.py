"""`settler`: a sensible mayor for The Pioneers Program. Does what its town gains most by."""

from __future__ import annotations

import math
from collections import Counter

from engine.game import Action
from engine.program import effects as fx
from engine.program.acting import PLAN_RESPONSES, market_cost, upgrade_cost
from engine.program.actions import (
    Activate,
    Choose,
    ChooseSurvivor,
    Draft,
    EndTurn,
    Lose,
    Maintenance,
    Market,
    Pass,
    Plan,
    PlayCard,
    Protect,
    Research,
    TurnAction,
    UpgradeHq,
    Wastes,
)
from engine.program.cards import CARDS, ID_OF, IN_TOWN, NUMBER_OF, SIZES, TYPE_OF, in_deck
from engine.program.glimpse import guess_state
from engine.program.maintenance import settle, traits_after
from engine.program.playing import ACTIVATION, TAKES_SLOT, play_cost
from engine.program.reactions import BOOST, SAVES_STRUCTURE
from engine.program.resources import Resources
from engine.program.state import EMPTY
from engine.program.view import ProgramView
from runner.bot import Bot, Request
from runner.bots.skirmish import Skirmish, is_assault
from runner.bots.valuation import Valuation

# In about credits, as in `valuation`; set by reason and a few thousand matches, not fitted.
_PLAY = 1.1  # a response, which it takes to play a card later on
_UNKNOWN = 1.2  # times the mean of what the wastes may hold: what turns up can be chosen from
_REACTION = 1.2  # a card to react with, in the hand
_WEAPON = 0.5  # an attack or raid, in the hand,
_LATER = 0.5  # and this much of what it would bring now
_EXTRA_TURN = 4.0
_SOME_DAY = 0.2  # of what a card would bring that the town is too small for
_IDLE = 2.0  # what a turn without an action costs

# Shares of what a project is worth.
_PROGRESS = 0.4  # for each token placed before, when one more is placed
_COMPLETED = 0.6  # at least, for the last token
_RACE_LOST = 0.45  # where somebody else will be there earlier

_WASTES = in_deck("wastes")


class Settler(Bot):
    """Weighs every legal answer and takes the best, the first of equals; deterministic."""

    version = "1"
    max_matches = 256
    inline = True
    check_actions = False  # it picks among the legal ones

    def decide(self, request: Request) -> Action:
        """The legal answer that weighs most."""
        legal = request.legal()
        if len(legal) == 1:
            return legal[0]
        mayor = Mayor(request.kind, request.view, self.seat)
        return max(legal, key=getattr(mayor, request.kind))


class Mayor:
    """One decision of a seat. A method for each kind, called like it: how good an answer is."""

    def __init__(self, kind: str, view: ProgramView, seat: int) -> None:
        self.view = view
        self.s = guess_state(kind, view)
        self.seat = seat
        self.me = self.s.players[seat]
        self.valuation = Valuation(view, self.s, seat)
        skirmish = Skirmish(self.valuation)
        self.attack = skirmish.attack
        self.defend = skirmish.prepare
        self.raid = skirmish.prepare
        self.reroll = skirmish.reroll
        self.loot = skirmish.loot

    def draft(self, pick: Draft) -> float:
        """What the card is worth, in the town or in the hand."""
        card = NUMBER_OF[pick.card]
        return self.valuation.with_card(card) if pick.play else self.in_hand(card)

    def choose(self, pick: Choose) -> float:
        """What the card is worth in the hand."""
        return self.in_hand(NUMBER_OF[pick.card])

    def in_hand(self, card: int) -> float:
        """What a card is worth that is still to be played."""
        if is_assault(card):
            others = [seat for seat in range(self.s.n) if seat != self.seat]
            best = max(self.attack(card, target) for target in others)
            return _WEAPON + _LATER * max(0.0, best - _PLAY)
        least = _REACTION if SAVES_STRUCTURE[card] or BOOST["defence"][card] else 0.0
        stays = TYPE_OF[card] in IN_TOWN
        played = self.valuation.with_card(card) if stays else self._event(card)
        return max(least, played - _PLAY)

    def turn(self, action: TurnAction) -> float:
        """What an action gains, less what it costs."""
        match action:
            case Market(slot=slot):
                price = self.valuation.paying(credits_=market_cost(self.me, slot))
                return self.in_hand(self.s.market[slot]) - price
            case Wastes():
                return self._unknown_card()
            case Plan():
                t = self.me.traits
                planned = PLAN_RESPONSES[t.size] + t.better_plans
                return self.valuation.gain(Resources(responses=planned))
            case Research():
                return self._research(action)
            case PlayCard():
                return self._play(action)
            case Activate(card=card_id):
                return self._activate(NUMBER_OF[card_id])
            case UpgradeHq():
                price = self.valuation.paying(credits_=upgrade_cost(self.me))
                return self.valuation.upgraded() - price
            case Pass():
                # Nothing to do in the last turn of a round: at least choose a survivor earlier.
                return -_IDLE * (self.view.turn == 1) - 0.5
            case EndTurn():
                return 0.0 if self.view.acted else -_IDLE

    def _research(self, action: Research) -> float:
        number = NUMBER_OF[action.project]
        placed = self.s.research[self.s.projects.index(number)]
        mine, value = placed[self.seat], CARDS[number].value
        after = min(value, mine + action.tokens + self.me.traits.extra_research)
        share = (after - mine + _PROGRESS * mine) / value
        pace = self.valuation.pace
        turns = math.ceil((value - after) / pace(self.me))
        if turns:
            if turns >= self.valuation.turns:
                share = 0.0
            others = [p for seat, p in enumerate(self.s.players) if seat != self.seat]
            theirs = [tokens for seat, tokens in enumerate(placed) if seat != self.seat]
            if any(
                tokens and math.ceil((value - tokens) / pace(p)) <= turns
                for p, tokens in zip(others, theirs, strict=True)
            ):
                share *= _RACE_LOST
        else:
            share = max(share, _COMPLETED)
        spent = self.valuation.paying(responses=action.tokens)
        return share * self.valuation.project(number) - spent

    def _play(self, action: PlayCard) -> float:
        card = NUMBER_OF[action.card]
        price = self.valuation.paying(responses=play_cost(self.s, self.me, card))
        if action.target is not None:
            return self.attack(card, action.target) - price
        if action.slot is not None:
            return self.in_hand(self.s.market[action.slot]) - price
        if TYPE_OF[card] not in IN_TOWN:
            return self._event(card) - price
        kept = _REACTION if SAVES_STRUCTURE[card] or BOOST["defence"][card] else 0.0
        return self.valuation.with_card(card) - price - kept

    def _unknown_card(self) -> float:
        """What a wastes card is worth on an average of those that may lie in the deck."""
        hidden = [card for card in _WASTES if ID_OF[card] not in self.view.cards]
        named = Counter(CARDS[card].name for card in hidden)
        first = {CARDS[card].name: card for card in hidden if not _draws(card)}
        total = math.fsum(self.in_hand(card) * named[name] for name, card in first.items())
        return _UNKNOWN * total / max(1, len(hidden))

    def _event(self, card: int) -> float:
        return math.fsum(map(self._happening, CARDS[card].effects))

    def _happening(self, effect: fx.AnyEffect) -> float:
        """What something that happens at once is worth."""
        match effect:
            case fx.ExtraTurn():
                return 0.0 if self.me.extra else _EXTRA_TURN
            case fx.Gain(resources=resources):
                return self.valuation.gain(resources)
            case fx.TakeMarket():
                there = [card for card in self.s.market if card != EMPTY and not TAKES_SLOT[card]]
                return max(map(self.in_hand, there), default=0.0)
            case fx.PermanentPoints(points=points, size=size):
                large_enough = self.me.traits.size >= SIZES.index(size)
                return self.valuation.scored(points) * (1.0 if large_enough else _SOME_DAY)
            case fx.DrawWastes(cards=cards):
                return cards * self._unknown_card()
            case _:
                return 0.0

    def _activate(self, card: int) -> float:
        effect = ACTIVATION[card]
        assert effect is not None
        pay = effect.pay
        price = self.valuation.paying(food=pay.food, credits_=pay.credits, responses=pay.responses)
        lost = self.valuation.without_card(self.me, card) if effect.discard else 0.0
        return self.valuation.gain(effect.gain) - price - lost

    def lose(self, pick: Lose) -> float:
        """The card that the town misses least."""
        return -self.valuation.without_card(self.me, NUMBER_OF[pick.card])

    def protect(self, answer: Protect) -> float:
        """Whether the structure is worth the response and the card."""
        combat = self.s.combat
        assert combat is not None
        if not answer.play:
            return 0.0
        price = self.valuation.paying(responses=1)
        return self.valuation.without_card(self.me, combat.stake) - price - _REACTION / 2

    def maintenance(self, answer: Maintenance) -> float:
        """The town that is left, and its pile."""
        settled = settle(self.s, self.me, answer)
        after = traits_after(self.s, self.me, settled.leaving)
        town = self.valuation.town(after, self.me.permanent)
        return town + self.valuation.pile(settled.pile, after)

    def survivor(self, answer: ChooseSurvivor) -> float:
        """What the town can do with the survivor in a round; a high number goes first."""
        p, number = self.me, answer.survivor
        t = self.valuation.traits(p, town=p.town, skill=number)
        return self.valuation.skill(t, number) + 0.01 * number


def _draws(card: int) -> bool:
    return any(isinstance(effect, fx.DrawWastes) for effect in CARDS[card].effects)

"""`greedy`: a sensible builder for Pioneers. Looks one purchase ahead, trades with the bank."""

from __future__ import annotations

from collections.abc import Sequence

from engine.pioneers.actions import (
    RESOURCES,
    BankTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    Bundle,
    BuyDevCard,
    Discard,
    EndTurn,
    MoveBandit,
    PlayEmbargo,
    PlayKnight,
    PlayRoadworks,
    PlayWindfall,
    Resource,
    Respond,
    Setup,
    TurnAction,
)
from engine.pioneers.analysis import (
    Cards,
    cards,
    covers,
    income,
    may_play_dev_card,
    stake,
    ways,
)
from engine.pioneers.state import WINNING_POINTS
from engine.pioneers.view import PioneersView
from runner.bot import Bot
from runner.bots.goals import Goal, Outlook
from runner.bots.placement import best_setup

SAFE_HAND = 7  # more than these are at risk on a 7
BETTER_BY = 1.02  # what a trade must improve; estimates are no finer than that
NEAR_THE_END = 8  # points of a seat that is not to be helped any more
_EMBARGO_CARDS = 2.5  # what an embargo must be expected to bring in


class Greedy(Bot):
    """Builds what is worth most for the time that it takes; deterministic."""

    version = "1"
    max_matches = 256
    inline = True
    check_actions = False  # a test plays whole matches to see that all it does is legal

    def setup(self, view: PioneersView) -> Setup:
        """The site with the best odds and variety, a road towards the next one."""
        return best_setup(view)

    def turn(self, view: PioneersView) -> TurnAction:
        """A dev card if it helps, what to build, an offer, the bank, or else the end."""
        outlook = Outlook(view)
        goals = outlook.ranked()
        at_risk = sum(outlook.hand) > SAFE_HAND
        return (
            self._play_dev_card(outlook, goals)
            or purchase(outlook.hand, goals, save=True)
            or self.deal(outlook, goals)
            or bank_trade(outlook, goals, at_risk)
            or (purchase(outlook.hand, goals, save=False) if at_risk else None)
            or EndTurn()
        )

    def discard(self, view: PioneersView) -> Discard:
        """Keeps what the best goal needs; of the rest, drops from what there is most of."""
        outlook = Outlook(view)
        goals = outlook.ranked()
        needed = goals[0].cost if goals else (0, 0, 0, 0, 0)
        left = list(outlook.hand)
        for _ in range(view.must_discard):
            spare = max(range(len(left)), key=lambda r: (left[r] > 0, left[r] - needed[r], left[r]))
            left[spare] -= 1
        dropped = (held - kept for held, kept in zip(outlook.hand, left, strict=True))
        return Discard(discard=Bundle(*dropped))

    def bandit(self, view: PioneersView) -> MoveBandit:
        """Where it costs the leaders most; robs the leader there who has cards."""
        seat = view.seat
        assert seat is not None
        hex_ = max(
            (h for h in range(len(view.hexes)) if h != view.bandit),
            key=lambda h: _damage(view, seat, h),
        )
        victims = [
            s
            for s in range(view.seats)
            if s != seat and view.hand_counts[s] and stake(view, s, hex_)
        ]
        victim = max(victims, key=lambda s: (view.scores[s], view.hand_counts[s]), default=None)
        return MoveBandit(hex=hex_, victim=victim)

    def trade(self, view: PioneersView) -> Respond:
        """Accepts what leaves it better off, but helps nobody over the line."""
        offer = view.offer
        assert offer is not None
        assert view.hand is not None
        hand = cards(view.hand)
        if view.scores[offer.seat] >= NEAR_THE_END or not covers(hand, cards(offer.get)):
            return Respond(accept=False)
        outlook = Outlook(view)
        after = swapped(hand, cards(offer.get), cards(offer.give))
        better = outlook.worth(after) > BETTER_BY * outlook.worth(hand)
        return Respond(accept=better)

    def deal(self, _outlook: Outlook, _goals: Sequence[Goal]) -> TurnAction | None:
        """An offer to the others: greedy makes none."""
        return None

    def _play_dev_card(self, outlook: Outlook, goals: Sequence[Goal]) -> TurnAction | None:
        view = outlook.view
        held = view.dev_cards
        assert held is not None
        if not may_play_dev_card(view, self.request.memory):
            return None
        if held.knight and _wants_knight(outlook):
            return PlayKnight()
        if held.roadworks and (route := _free_roads(goals)):
            return PlayRoadworks(edges=route)
        if held.windfall and (pair := _windfall(outlook, goals)):
            return PlayWindfall(resources=pair)
        if held.embargo:
            hauls = _embargo_hauls(view, outlook.seat)
            best = max(range(len(hauls)), key=lambda r: hauls[r])
            if hauls[best] >= _EMBARGO_CARDS:
                return PlayEmbargo(resource=RESOURCES[best])
        return None


def purchase(hand: Cards, goals: Sequence[Goal], *, save: bool) -> TurnAction | None:
    """The best thing that can be paid; where `save`, without what a better goal waits for."""
    free = hand
    for goal in goals:
        if covers(free, goal.price):
            return _buy(goal)
        if save:
            free = less(free, goal.cost)
    return None


def _buy(goal: Goal) -> TurnAction:
    if goal.place is None:
        return BuyDevCard()
    if goal.build == "city":
        return BuildCity(vertex=goal.place)
    if goal.build == "settlement":
        return BuildSettlement(vertex=goal.place)
    return BuildRoad(edge=goal.place)


def bank_trade(outlook: Outlook, goals: Sequence[Goal], at_risk: bool) -> TurnAction | None:
    """A trade on the way to the best goal: if it can be paid so, or if the hand is too big."""
    for goal in goals[:1]:
        lacking = less(goal.cost, outlook.hand)
        spare = less(outlook.hand, goal.cost)
        lots = [held // rate for held, rate in zip(spare, outlook.rates, strict=True)]
        give = max(range(len(lots)), key=lambda r: (lots[r], spare[r]))
        if any(lacking) and lots[give] and (at_risk or sum(lots) >= sum(lacking)):
            # What is scarcest: it would take the longest to come by itself.
            get = min(
                (r for r in range(len(lacking)) if lacking[r]), key=lambda r: outlook.income[r]
            )
            return BankTrade(give=RESOURCES[give], get=RESOURCES[get])
    return None


def _wants_knight(outlook: Outlook) -> bool:
    """To drive the bandit off, or when the largest army is within reach."""
    view, seat = outlook.view, outlook.seat
    assert view.dev_cards is not None
    if stake(view, seat, view.bandit) and ways(view.hexes[view.bandit].token):
        return True
    army = view.awards.largest_army
    if army == seat:
        return False
    needed = 3 if army is None else view.knights[army] + 1
    return view.knights[seat] + view.dev_cards.knight >= needed


def _free_roads(goals: Sequence[Goal]) -> tuple[int, ...]:
    """The first two roads to the best goal that needs roads."""
    return next((goal.route for goal in goals if len(goal.route) > 1), ())[:2]


def _windfall(outlook: Outlook, goals: Sequence[Goal]) -> tuple[Resource, Resource] | None:
    """Two cards with which the best goal can be paid at once."""
    if not goals:
        return None
    lacking = less(goals[0].cost, outlook.hand)
    missing = [RESOURCES[r] for r, count in enumerate(lacking) for _ in range(count)]
    if len(missing) == 1:
        # The other one: what the seat collects least of.
        rarest = min(range(len(RESOURCES)), key=lambda r: outlook.income[r])
        missing.append(RESOURCES[rarest])
    return (missing[0], missing[1]) if len(missing) == 2 else None


def _embargo_hauls(view: PioneersView, seat: int) -> list[float]:
    """By resource: how many cards an embargo would bring in, by what the others collect."""
    hauls = [0.0] * len(RESOURCES)
    for other in range(view.seats):
        if other != seat:
            collected = income(view, other)
            share = view.hand_counts[other] / max(1, sum(collected))
            for r, count in enumerate(collected):
                hauls[r] += share * count
    return hauls


def _damage(view: PioneersView, seat: int, hex_: int) -> float:
    """How good it is for a seat that `hex_` pays nothing."""
    tile = view.hexes[hex_]
    damage = 0.0
    for other in range(view.seats):
        cards_lost = stake(view, other, hex_)
        if cards_lost:
            lost = cards_lost * ways(tile.token)
            if other == seat:
                damage -= 2 * WINNING_POINTS * lost
            else:
                damage += view.scores[other] * lost + (1 if view.hand_counts[other] else 0)
    return damage


def swapped(hand: Cards, given: Cards, got: Cards) -> Cards:
    """`hand` after giving and getting."""
    b, lu, w, g, o = (h - x + y for h, x, y in zip(hand, given, got, strict=True))
    return b, lu, w, g, o


def less(a: Cards, b: Cards) -> Cards:
    """`a` without `b`, none below 0."""
    brick, lumber, wool, grain, ore = (max(0, x - y) for x, y in zip(a, b, strict=True))
    return brick, lumber, wool, grain, ore

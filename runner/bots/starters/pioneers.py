"""A bot for Pioneers: it settles where the dice pay, builds what it can, and trades at the bank.

Try it:        pioneers play FILE greedy random random --matches 10
Check it:      pioneers bot check FILE
Play a season: pioneers bot run FILE --url ws://HOST:PORT/play

Every method gets the view of your seat and returns an action; what you leave out plays the
default. Should a method raise, run late or answer against the rules, the kit plays the default
in time and says so in the log. The rules and the view's fields: engine/README.md.
"""

from collections.abc import Iterable

from engine.pioneers import analysis
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
    PlayKnight,
    Respond,
    Setup,
    TurnAction,
)
from engine.pioneers.board import bits
from engine.pioneers.view import PioneersView
from runner.bot import Bot, run


class MyBot(Bot):
    """One object of this class plays one seat of one match: keep what you like in `self`."""

    version = "1"  # another version starts a new rating line in the season's table
    max_matches = 4  # how many matches it plays at once, each with an object of its own

    def setup(self, view: PioneersView) -> Setup:
        """Place a settlement and a road: where the dice pay most."""
        places = [action for action in self.legal() if isinstance(action, Setup)]
        return max(places, key=lambda place: self.worth(view, place.settlement))

    def turn(self, view: PioneersView) -> TurnAction:
        """One thing to do in your turn; you are asked again until you end it."""
        legal = self.legal()  # every action that the rules allow you now
        cities = [action for action in legal if isinstance(action, BuildCity)]
        if cities:
            return max(cities, key=lambda city: self.worth(view, city.vertex))
        settlements = [action for action in legal if isinstance(action, BuildSettlement)]
        if settlements:
            return max(settlements, key=lambda site: self.worth(view, site.vertex))
        for action in legal:
            if isinstance(action, PlayKnight | BuyDevCard):
                return action
        road = self.next_road(view, legal)
        if road is not None:
            return road
        return self.bank_trade(view, legal) or EndTurn()

    def discard(self, view: PioneersView) -> Discard:
        """A 7 and more than 7 cards: give up `view.must_discard`, here of what there is most."""
        hand = self.hand(view)
        dropped = [0] * len(RESOURCES)
        for _ in range(view.must_discard):
            most = max(range(len(hand)), key=lambda r: hand[r])
            hand[most] -= 1
            dropped[most] += 1
        return Discard(discard=Bundle(*dropped))

    def bandit(self, view: PioneersView) -> MoveBandit:
        """Move the bandit: where it costs the others most, and nothing of your own."""
        moves = [action for action in self.legal() if isinstance(action, MoveBandit)]
        return max(moves, key=lambda move: self.damage(view, move))

    def trade(self, view: PioneersView) -> Respond:
        """An opponent offers `view.offer`: take it if it brings a card that you do not have."""
        assert view.offer is not None
        hand = self.hand(view)
        offered, wanted = analysis.cards(view.offer.give), analysis.cards(view.offer.get)
        brings = any(offered[r] and not hand[r] for r in range(len(hand)))
        can_pay = analysis.covers(hand, wanted)
        return Respond(accept=brings and can_pay and sum(offered) >= sum(wanted))

    # From here on: your own helpers. `engine.pioneers.analysis` has more of them: distances,
    # sites, longest road, income, offers and dev card left this turn (with `self.memory`).

    def hand(self, view: PioneersView) -> list[int]:
        """Your cards, in the order of RESOURCES: brick, lumber, wool, grain, ore."""
        assert view.hand is not None
        return list(analysis.cards(view.hand))

    def worth(self, view: PioneersView, vertex: int) -> float:
        """Cards that a settlement on `vertex` collects in 36 rolls; new resources count more."""
        have = analysis.income(view, self.seat)
        odds = analysis.vertex_odds(view.hexes)[vertex]
        return sum(odds) + 2 * sum(1 for r in range(len(odds)) if odds[r] and not have[r])

    def next_road(self, view: PioneersView, legal: Iterable[object]) -> BuildRoad | None:
        """The first road towards the best site that is at most two roads away."""
        distances = analysis.Distances(view, self.seat)
        if analysis.sites(view, self.seat):
            return None  # there is a place to settle already: keep brick and lumber for it
        goals = [
            vertex
            for vertex in bits(analysis.open_vertices(view))
            if distances.distance[vertex] in (1, 2)
        ]
        if not goals:
            return None
        goal = max(goals, key=lambda vertex: self.worth(view, vertex))
        road = BuildRoad(edge=distances.route(goal)[0])
        return road if road in legal else None

    def bank_trade(self, view: PioneersView, legal: Iterable[object]) -> BankTrade | None:
        """Change what there is most of, if plenty is left, for what there is least of."""
        hand = self.hand(view)
        rates = analysis.trade_rates(view, self.seat)
        most = max(range(len(hand)), key=lambda r: hand[r] - rates[r])
        least = min(range(len(hand)), key=lambda r: hand[r])
        if hand[most] - rates[most] < 1 or hand[least]:
            return None
        trade = BankTrade(give=RESOURCES[most], get=RESOURCES[least])
        return trade if trade in legal else None

    def damage(self, view: PioneersView, move: MoveBandit) -> float:
        """What a bandit's move costs the others in 36 rolls, the leader double, and you."""
        odds = analysis.ways(view.hexes[move.hex].token)
        total = 0.0
        for seat in range(view.seats):
            lost = odds * analysis.stake(view, seat, move.hex)
            leading = view.scores[seat] == max(view.scores)
            total += -3 * lost if seat == self.seat else lost * (2 if leading else 1)
        return total + (0.5 if move.victim is not None else 0.0)


if __name__ == "__main__":
    run(MyBot)

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.game import Action
from engine.pioneers import Pioneers
from engine.pioneers.actions import (
    MAX_TALK,
    BankTrade,
    BuildCity,
    Bundle,
    EndTurn,
    MoveBandit,
    OfferTrade,
    Respond,
)
from engine.pioneers.analysis import income, trade_rates
from engine.pioneers.view import PioneersView, Talk
from runner.bots.goals import Outlook
from runner.bots.greedy import Greedy
from runner.bots.offers import Partner, deals
from runner.bots.trader import Trader
from tests.runner.bots import scenes
from tests.runner.bots.local import LocalMatch, play_sets
from tests.runner.bots.scenes import hand, offered, opening, share_of_wins

RESOURCES = ("brick", "lumber", "wool", "grain", "ore")


def ask(kind: str, view: PioneersView, **arguments: Any) -> Any:
    return scenes.ask(Trader, kind, view, **arguments)


def rich(view: PioneersView, count: int = 6) -> PioneersView:
    """The others hold `count` cards each."""
    counts = (view.hand_counts[0], *(count for _ in view.hand_counts[1:]))
    return replace(view, hand_counts=counts)


def test_beats_greedy_clearly_and_every_action_is_legal() -> None:
    # LocalMatch checks each action; the kit's own check is off for this bot.
    assert Trader.check_actions is False
    outcomes = play_sets((Trader, Greedy, Greedy, Greedy), 32)
    assert share_of_wins(outcomes, [0]) >= 0.35
    assert all(outcome.reason == "win" for outcome in outcomes)


def test_is_deterministic_also_among_its_like_and_at_three() -> None:
    matches = [LocalMatch("m", [Trader] * 3, ("a", "b", "c")) for _ in range(2)]
    for local in matches:
        local.play()
    assert matches[0].record == matches[1].record
    offers = [action for _, action in matches[0].record if isinstance(action, OfferTrade)]
    said = [getattr(action, "talk", None) for _, action in matches[0].record]
    assert offers
    assert all(0 < len(talk) <= MAX_TALK for talk in said if talk is not None)


def test_no_offer_is_made_twice_in_a_turn() -> None:
    local = LocalMatch("m", [Trader, Greedy, Greedy, Greedy], ("a", "b", "c", "d"))
    made: set[tuple[int, Action]] = set()
    offers = 0
    while local.step():
        for seat, action in local.record:
            if isinstance(action, OfferTrade):
                assert seat == 0
                turn = local.game.view(None).turn  # type: ignore[attr-defined]
                assert (turn, action) not in made
                made.add((turn, action))
                offers += 1
        local.record.clear()
    assert offers > 20


def test_builds_rather_than_trades() -> None:
    assert isinstance(ask("turn", rich(hand(opening(), ore=3, grain=2))), BuildCity)


def refused(view: PioneersView) -> tuple[list[OfferTrade], Action]:
    """The offers of one turn when nobody takes any, and what is done then."""
    bot = scenes.seated(Trader)
    memory = Pioneers.memory()
    offers = []
    while isinstance(action := scenes.ask_again(bot, "turn", view, memory), OfferTrade):
        offers.append(action)
        memory.note("turn", view, action)
    return offers, action


def test_offers_what_it_can_spare_for_what_a_city_lacks() -> None:
    for_grain = []
    for spare in ("brick", "lumber", "wool"):
        offers, action = refused(rich(hand(opening(), ore=3, grain=1, **{spare: 2})))
        assert action == EndTurn()
        assert len(offers) <= 5
        assert all(offer.to is None and offer.talk for offer in offers)
        for_grain += [(spare, offer) for offer in offers if offer.get == Bundle(grain=1)]
    assert for_grain
    for spare, offer in for_grain:
        count = getattr(offer.give, spare)
        assert offer.give == Bundle(**{spare: count})
        assert offer.talk == f"{count} {spare} for 1 grain, anyone?"


def test_turns_to_the_bank_only_when_nobody_takes_its_offers() -> None:
    rate = trade_rates(opening(), 0)[RESOURCES.index("wool")]
    offers, action = refused(rich(hand(opening(), ore=3, grain=1, wool=rate)))
    assert 1 <= len(offers) <= 5
    assert all(offer.give.wool < rate for offer in offers if offer.get == Bundle(grain=1))
    assert action == BankTrade(give="wool", get="grain")


def test_nobody_is_asked_who_has_no_cards_has_resigned_or_is_about_to_win() -> None:
    view = hand(opening(), ore=3, grain=1, wool=2)
    assert ask("turn", rich(view, 0)) == EndTurn()
    resigned = replace(rich(view), resigned=(False, True, True, True))
    assert ask("turn", resigned) == EndTurn()
    leaders = replace(rich(view), scores=(2, 8, 9, 8))
    assert ask("turn", leaders) == EndTurn()


def test_a_partner_gives_what_it_collects_for_what_it_lacks() -> None:
    view = rich(opening())
    seat = 1
    collected = income(view, seat)
    most = max(range(5), key=lambda r: collected[r])
    never = min(range(5), key=lambda r: collected[r])
    plenty: Any = tuple(int(r == most) for r in range(5))
    lacking: Any = tuple(int(r == never) for r in range(5))
    partner = Partner(view, seat)
    assert partner.takes(gets=lacking, gives=plenty) > partner.takes(gets=plenty, gives=lacking)


def test_deals_add_to_the_own_hand_and_are_sorted_by_promise() -> None:
    view = rich(hand(opening(), ore=2, grain=1, wool=3, brick=1))
    outlook = Outlook(view)
    found = deals(outlook, outlook.ranked(), [Partner(view, seat) for seat in (1, 2, 3)])
    assert len(found) >= 3
    assert all(deal.gain > 1 and 0 < deal.odds <= 1 for deal in found)
    assert all(not (a and b) for deal in found for a, b in zip(deal.give, deal.get, strict=True))
    promises = [deal.promise for deal in found]
    assert promises == sorted(promises, reverse=True)


def test_answers_as_greedy_does_and_says_what_it_needs_but_once_a_turn() -> None:
    view = hand(opening(), ore=2, grain=2, brick=1)
    helpful = offered(view, give=Bundle(ore=1), get=Bundle(brick=1))
    assert ask("trade", helpful) == Respond(accept=True, talk="Done.")
    harmful = offered(view, give=Bundle(brick=1), get=Bundle(ore=1))
    assert ask("trade", harmful) == Respond(accept=False, talk="Not for that. I could use ore.")
    said = replace(harmful, talk=(Talk(seat=0, message="No.", turn=view.turn),))
    assert ask("trade", said) == Respond(accept=False)


def test_robs_with_an_excuse() -> None:
    view = replace(opening(), scores=(2, 2, 8, 2), hand_counts=(2, 3, 3, 3))
    move = ask("bandit", view)
    assert isinstance(move, MoveBandit)
    assert move.victim == 2
    assert move.talk == "Sorry, seat 2: you lead."
    assert ask("bandit", replace(view, hand_counts=(2, 0, 0, 0))).talk is None

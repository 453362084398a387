"""Set-up: survivors, decks, market, projects, alarm, and the packs of the draft."""

from __future__ import annotations

from engine.chance import Chance
from engine.game import Event
from engine.program import decks, turns
from engine.program.actions import Draft
from engine.program.cards import ID_OF, IN_TOWN, NUMBER_OF, SURVIVORS, TYPE_OF
from engine.program.events import Drafted
from engine.program.refusals import refuse
from engine.program.state import ALARM_ROUNDS, State
from engine.program.towns import enter_town

FROM_MARKET, FROM_WASTES = 3, 2
PICKS = 3
PACK = FROM_MARKET + FROM_WASTES


def deal(seats: int, chance: Chance, layout: Chance) -> State:
    """A table ready for the first picks; the open cards come from `layout`."""
    numbers = [survivor.number for survivor in SURVIVORS]
    chance.shuffle("survivors", numbers)
    s = State(chance, tuple(numbers[:seats]))
    s.arc = ALARM_ROUNDS[chance.draw("alarm", 0, len(ALARM_ROUNDS))]
    dealt = decks.deal_decks(chance, layout)
    s.market, s.projects, s.project_deck = dealt.market, dealt.projects, dealt.project_deck
    s.research = ((0,) * seats,) * len(s.projects)
    market, wastes = dealt.market_deck, dealt.wastes_deck
    packs = []
    for _ in range(seats):
        packs.append(tuple(sorted(market[:FROM_MARKET] + wastes[:FROM_WASTES])))
        market, wastes = market[FROM_MARKET:], wastes[FROM_WASTES:]
    s.market_deck, s.wastes_deck, s.packs = market, wastes, tuple(packs)
    s.ask_all("draft")
    return s


def check_pick(s: State, seat: int, action: Draft) -> None:
    """Raise IllegalAction unless the card is in the seat's pack, and can be played if it is."""
    card = NUMBER_OF.get(action.card, -1)
    if card not in s.packs[seat]:
        refuse("not_in_pack", f"{action.card!r} is not in your pack")
    if action.play and TYPE_OF[card] not in IN_TOWN:
        refuse("not_in_setup", f"a card of type {TYPE_OF[card]!r} can only be kept in set-up")


def settle_picks(s: State, actions: dict[int, Draft], events: list[Event]) -> None:
    """Take the checked picks in seat order, then pass the packs to the left or end the draft."""
    packs = list(s.packs)
    for seat, action in actions.items():
        card = NUMBER_OF[action.card]
        packs[seat] = tuple([other for other in packs[seat] if other != card])
        events.append(Drafted(seat, ID_OF[card] if action.play else None))
        if action.play:
            enter_town(s, seat, card, events)
        else:
            s.players[seat].take(card)
    if len(packs[0]) > PACK - PICKS:
        s.packs = (packs[-1], *packs[:-1])
        s.ask_all("draft")
        return
    for pack in packs:
        for card in pack:
            decks.discard(s, card)
    s.packs = ()
    turns.begin_round(s, events)

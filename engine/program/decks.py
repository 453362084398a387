"""The decks: dealing them, drawing, discarding, reshuffling, and the market row.

A deck is a tuple, the next card first. When the next card is due and there is none, the discard
pile is shuffled and becomes the deck. Each shuffle has a chance stream of its own, so that none
shifts another.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.chance import Chance
from engine.game import Event
from engine.program.cards import DECK_OF, ID_OF, in_deck
from engine.program.events import MarketMoved
from engine.program.state import EMPTY, State

SLOTS = 6
OPEN_PROJECTS = 2
# Credits by slot, from the one closest to the deck.
SLOT_COSTS = (5, 4, 3, 2, 1, 0)


class Decks(NamedTuple):
    """What lies on the board before the draft."""

    market: tuple[int, ...]
    market_deck: tuple[int, ...]
    wastes_deck: tuple[int, ...]
    projects: tuple[int, ...]
    project_deck: tuple[int, ...]


def deal_decks(chance: Chance, layout: Chance) -> Decks:
    """The open cards by `layout` alone, everything that stays hidden by `chance`."""
    market = list(in_deck("market"))
    layout.shuffle("market.open", market)
    projects = list(in_deck("projects"))
    layout.shuffle("projects.open", projects)
    return Decks(
        market=tuple(reversed(market[:SLOTS])),
        market_deck=_shuffled(chance, "market.0", market[SLOTS:]),
        wastes_deck=_shuffled(chance, "wastes.0", in_deck("wastes")),
        projects=tuple(projects[:OPEN_PROJECTS]),
        project_deck=_shuffled(chance, "projects", projects[OPEN_PROJECTS:]),
    )


def _shuffled(chance: Chance, stream: str, cards: list[int] | tuple[int, ...]) -> tuple[int, ...]:
    """The cards shuffled; only which cards there are counts, not how they lay."""
    deck = sorted(cards)
    chance.shuffle(stream, deck)
    return tuple(deck)


def draw_market(s: State) -> int:
    """The next market card, or EMPTY where deck and discard pile are."""
    if not s.market_deck:
        if not s.market_discard:
            return EMPTY
        s.market_shuffles += 1
        s.market_deck = _shuffled(s.chance, f"market.{s.market_shuffles}", s.market_discard)
        s.market_discard = ()
    card = s.market_deck[0]
    s.market_deck = s.market_deck[1:]
    return card


def draw_wastes(s: State, count: int) -> tuple[int, ...]:
    """Up to `count` wastes cards, as many as there are."""
    drawn = []
    for _ in range(count):
        if not s.wastes_deck:
            if not s.wastes_discard:
                break
            s.wastes_shuffles += 1
            s.wastes_deck = _shuffled(s.chance, f"wastes.{s.wastes_shuffles}", s.wastes_discard)
            s.wastes_discard = ()
        drawn.append(s.wastes_deck[0])
        s.wastes_deck = s.wastes_deck[1:]
    return tuple(drawn)


def discard(s: State, card: int) -> None:
    """Put a card on top of the discard pile of the deck it is from."""
    if DECK_OF[card] == "market":
        s.market_discard = (*s.market_discard, card)
    else:
        s.wastes_discard = (*s.wastes_discard, card)


def take_slot(s: State, slot: int) -> int:
    """Take the card in a market slot, which stays empty until the actions step ends."""
    card = s.market[slot]
    s.market = (*s.market[:slot], EMPTY, *s.market[slot + 1 :])
    return card


def next_project(s: State, place: int) -> int:
    """Put the next project, or none, in the place of a completed one. Returns it or EMPTY."""
    card = EMPTY
    if s.project_deck:
        card = s.project_deck[0]
        s.project_deck = s.project_deck[1:]
    s.projects = (*s.projects[:place], card, *s.projects[place + 1 :])
    nobody = (0,) * s.n
    s.research = (*s.research[:place], nobody, *s.research[place + 1 :])
    return card


def move_market(s: State, events: list[Event]) -> None:
    """End of the actions step: the card that costs nothing goes, the rest close up, refill.

    New cards come in behind the old ones, the first of them next to these.
    """
    last = s.market[-1]
    if last != EMPTY:
        discard(s, last)
    row = [card for card in s.market[:-1] if card != EMPTY]
    while len(row) < SLOTS:
        row.insert(0, draw_market(s))
    s.market = tuple(row)
    events.append(
        MarketMoved(
            discarded=None if last == EMPTY else ID_OF[last],
            market=tuple([None if card == EMPTY else ID_OF[card] for card in row]),
        )
    )


assert len(SLOT_COSTS) == SLOTS

"""Every move that can be written down beforehand, as one frozen object each.

`legal` hands these out, so that listing moves allocates little but the list.
"""

from __future__ import annotations

from engine.program.actions import (
    Activate,
    Choose,
    ChooseSurvivor,
    Draft,
    EndTurn,
    Lose,
    Market,
    Pass,
    Plan,
    PlayCard,
    Protect,
    Reroll,
    Research,
    TurnAction,
    UpgradeHq,
    Wastes,
)
from engine.program.cards import CARDS, ID_OF, SURVIVORS
from engine.program.decks import SLOTS
from engine.program.playing import AIMED
from engine.program.state import MAX_SEATS

END_TURN = EndTurn()
PASS = Pass()
WASTES = Wastes()
PLAN = Plan()
UPGRADE_HQ = UpgradeHq()

# By market slot.
MARKET = tuple(Market(slot) for slot in range(SLOTS))

# By card number.
KEEP = tuple(Draft(card, play=False) for card in ID_OF)
KEEP_OR_PLAY = tuple((kept, Draft(kept.card, play=True)) for kept in KEEP)
LOSE = tuple(Lose(card) for card in ID_OF)
CHOOSE = tuple(Choose(card) for card in ID_OF)
ACTIVATE = tuple(Activate(card) for card in ID_OF)
PLAY = tuple(PlayCard(card) for card in ID_OF)
PLAY_WITH_SLOT = tuple(tuple(PlayCard(card, slot=slot) for slot in range(SLOTS)) for card in ID_OF)

# By card number, then by the number of tokens less one; for projects alone.
RESEARCH = tuple(
    tuple(Research(ID_OF[number], tokens) for tokens in (1, 2, 3) if card.type == "project")
    for number, card in enumerate(CARDS)
)

# By number of seats, by the seat that plays, by card number: one for each opponent.
ATTACKS: tuple[tuple[tuple[tuple[TurnAction, ...], ...], ...], ...] = tuple(
    tuple(
        tuple(
            tuple(PlayCard(card, target=target) for target in range(n) if target != seat)
            if AIMED[number]
            else ()
            for number, card in enumerate(ID_OF)
        )
        for seat in range(n)
    )
    for n in range(MAX_SEATS + 1)
)

REROLL = (Reroll(reroll=False), Reroll(reroll=True))
PROTECT = (Protect(play=True), Protect(play=False))

# By survivor number.
SURVIVOR = {survivor.number: ChooseSurvivor(survivor.number) for survivor in SURVIVORS}

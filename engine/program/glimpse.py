"""A match as one seat can know it: its view says all that its moves depend on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from engine.chance import SEED_BYTES, Chance
from engine.game import Action
from engine.program.cards import CARDS, DECK_OF, HQ_LEVEL, NUMBER_OF
from engine.program.state import ALARM_ROUNDS, EMPTY, Combat, State
from engine.program.view import CombatView, ProgramView, SeatView


class ProgramMemory:
    """Nothing: a view of this game leaves out nothing that its seat's moves depend on."""

    __slots__ = ()

    def begin(self, kind: str, view: ProgramView) -> None:
        """Start from the first request that is seen of a match."""

    def note(self, kind: str, view: ProgramView, action: Action) -> None:
        """Take in that the seat answered a request of `kind`, made with `view`, by `action`."""


def guess_state(kind: str, view: ProgramView) -> State:
    """A state in which the moves of `view.seat`, asked `kind`, are exactly those of the match.

    What the seat cannot know is filled in: the cards that it does not see lie in decks and other
    hands by id, the Arc alarm comes as late as it can. ValueError for a spectator's view.
    """
    seat = view.seat
    if seat is None or view.hand is None or view.pack is None or view.choices is None:
        raise ValueError("a spectator's view shows no hand to play from")
    s = State(Chance(bytes(SEED_BYTES)), tuple(town.survivor or 0 for town in view.towns))
    s.round = view.round
    s.turn = view.turn
    s.order = view.order
    s.tokens = view.tokens
    s.current = view.current or 0
    s.opened = view.opened
    s.acted = view.acted
    s.played = view.cards_played
    s.used = _numbers(view.used)
    s.market = tuple([EMPTY if card is None else NUMBER_OF[card] for card in view.market])
    s.market_discard = _numbers(view.market_discard)
    s.wastes_discard = _numbers(view.wastes_discard)
    s.projects = tuple([EMPTY if it is None else NUMBER_OF[it.card] for it in view.projects])
    s.research = tuple([(0,) * s.n if it is None else it.tokens for it in view.projects])
    s.choices = _numbers(view.choices)
    s.arc = ALARM_ROUNDS[view.alarms.index("arc")] if "arc" in view.alarms else ALARM_ROUNDS[-1]
    s.resigned = view.resigned
    for other, town in enumerate(view.towns):
        _fill(s, other, town)
    s.players[seat].hand = _numbers(view.hand)
    _fill_hidden(s, seat, view, _numbers(view.pack))
    if view.combat is not None:
        s.combat = _combat(view.combat)
    s.ask(kind, seat)
    return s


def _numbers(card_ids: Iterable[str]) -> tuple[int, ...]:
    return tuple([NUMBER_OF[card] for card in card_ids])


def _fill(s: State, seat: int, town: SeatView) -> None:
    p = s.players[seat]
    p.hq = HQ_LEVEL[town.hq]
    p.town = _numbers(town.town)
    p.projects = _numbers(town.projects)
    p.food, p.credits, p.responses = town.pile.food, town.pile.credits, town.pile.responses
    p.permanent = town.permanent
    p.extra = town.extra_turn
    s.refresh(seat, [])
    p.arrival = town.arrival
    p.four = town.four_since or 0


def _fill_hidden(s: State, seat: int, view: ProgramView, pack: tuple[int, ...]) -> None:
    """Lay the cards that the seat does not see into decks, other hands and other packs."""
    seen = {NUMBER_OF[card] for card in view.cards}
    unseen: dict[str, list[int]] = {"market": [], "wastes": [], "projects": []}
    for card in range(len(CARDS)):
        if card not in seen:
            unseen[DECK_OF[card]].append(card)
    s.market_deck = tuple(unseen["market"][: view.market_deck])
    s.wastes_deck = tuple(unseen["wastes"][: view.wastes_deck])
    s.project_deck = tuple(unseen["projects"])
    rest = iter(unseen["market"][view.market_deck :] + unseen["wastes"][view.wastes_deck :])
    for other, town in enumerate(view.towns):
        if other != seat:
            s.players[other].hand = _next(rest, town.hand_count)
    if pack:
        s.packs = tuple([pack if i == seat else _next(rest, len(pack)) for i in range(s.n)])


def _next(cards: Iterator[int], count: int) -> tuple[int, ...]:
    return tuple(sorted(islice(cards, count)))


def _combat(view: CombatView) -> Combat:
    return Combat(
        card=NUMBER_OF[view.card],
        target=view.target,
        number=0,
        defence_bonus=view.defence_bonus,
        defence_dice=view.defence_dice,
        defence_rolls=view.defence_rolls,
        raid_bonus=view.raid_bonus,
        raid_dice=view.raid_dice,
        raid_rolls=view.raid_rolls,
        stake=EMPTY if view.stake is None else NUMBER_OF[view.stake],
    )

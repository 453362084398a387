"""Hidden information: states that differ only in what a seat may not know look the same to it."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from engine.game import Action
from engine.program import Position, Program
from engine.program.actions import PlayCard, Wastes
from engine.program.cards import DECK_OF, ID_OF, NUMBER_OF
from tests.engine.program.matches import decisions


def concealed(position: Position, seat: int, rng: random.Random) -> Position:
    """The position with everything dealt anew that `seat` does not know, and another seed.

    Hidden are the other hands and packs, the order of the decks, the Arc alarm until it turns
    over, and all chance to come.
    """
    fields: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(position))
    zones = [fields["marketDeck"], fields["wastesDeck"], fields["projectDeck"]]
    zones += [town["hand"] for i, town in enumerate(fields["towns"]) if i != seat]
    zones += [pack for i, pack in enumerate(fields["packs"]) if i != seat]
    if fields["current"] != seat:
        zones.append(fields["choices"])
    for deck in ("projects", "market", "wastes"):
        cards = [card for zone in zones for card in zone if DECK_OF[NUMBER_OF[card]] == deck]
        rng.shuffle(cards)
        for zone in zones:
            for i, card in enumerate(zone):
                if DECK_OF[NUMBER_OF[card]] == deck:
                    zone[i] = cards.pop()
    if fields["round"] < fields["arc"]:
        fields["arc"] = rng.choice([r for r in (5, 6, 7) if r > fields["round"]])
    fields["seed"] = rng.randbytes(32).hex()
    return msgspec.json.decode(msgspec.json.encode(fields), type=Position)


@pytest.mark.parametrize("number", range(8))
def test_a_seat_sees_no_more_than_it_may(number: int) -> None:
    seats = 3 + number % 2
    rng = random.Random(number)
    told = 0
    for game, actions in decisions(number, seats):
        if rng.random() > 0.4:
            continue
        for seat in range(seats):
            twin = Program.from_position(concealed(game.position(), seat, rng))
            assert twin.pending() == game.pending()
            assert msgspec.json.encode(twin.view(seat)) == msgspec.json.encode(game.view(seat))
            assert list(twin.legal(seat)) == list(game.legal(seat))
            if seat in game.pending():
                assert twin.default(seat) == game.default(seat)
            if set(actions) == {seat} and public(game, seat, actions[seat]):
                told += 1
                assert twin.advance(actions) == game.copy().advance(actions)
    assert told > 20


def public(game: Program, seat: int, action: Action) -> bool:
    """Whether an action of a turn brings events without chance, or with cards drawn unseen."""
    if game.pending()[seat] != "turn":
        return False
    before, after = game.copy(), game.copy()
    after.advance({seat: action})
    kept_order = before.view(None).market_deck == after.view(None).market_deck
    same_projects = before.view(None).project_deck == after.view(None).project_deck
    return kept_order and same_projects and before.view(None).round == after.view(None).round


@pytest.mark.parametrize("number", range(4))
def test_nothing_hidden_is_in_any_view_or_event(number: int) -> None:
    """No id of a card that a seat may not see, no seed, no alarm that has not turned over."""
    seats = 3 + number % 2
    for game, actions in decisions(number, seats):
        position = game.position()
        hands = [set(town.hand) for town in position.towns]
        packs = [set(pack) for pack in position.packs] or [set()] * seats
        decks = {*position.market_deck, *position.wastes_deck, *position.project_deck}
        for seat in (None, *range(seats)):
            secret = set(decks)
            for other in range(seats):
                if other != seat:
                    secret |= hands[other] | packs[other]
            if seat != position.current:
                secret |= set(position.choices)
            raw = msgspec.json.encode(game.view(seat))
            assert not secret & words(msgspec.json.decode(raw))
            assert position.seed.encode() not in raw
            alarms = game.view(seat).alarms
            assert ("arc" in alarms) == (position.round >= position.arc)
        if actions and not any(isinstance(action, PlayCard) for action in actions.values()):
            after = game.copy()
            shown = words([msgspec.to_builtins(event) for event in after.advance(actions)])
            later = {card for town in after.position().towns for card in town.hand}
            drawn = later - set().union(*hands) - set(position.market)
            if any(isinstance(action, Wastes) for action in actions.values()):
                assert not drawn & shown


def words(value: Any) -> set[str]:
    """All card ids in JSON, keys among them."""
    if isinstance(value, dict):
        return words([*value]) | words([*value.values()])
    if isinstance(value, list | tuple):
        return set().union(*map(words, value)) if value else set()
    return {value} if isinstance(value, str) and value in NUMBER_OF else set()


def test_ids_say_nothing_about_the_order_of_a_deck() -> None:
    """A card keeps its id whatever the seed: the same list of ids for every match."""
    for number in range(3):
        position = Program.deal(3, random.Random(number).randbytes(32)).position()
        everywhere = words(msgspec.json.decode(msgspec.json.encode(position)))
        assert everywhere == set(ID_OF)

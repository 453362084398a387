"""Choices spell the legal actions and nothing else; observations say what views say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from engine import catalog
from engine.game import Action, Memory
from engine.pioneers import Pioneers, PioneersView
from engine.pioneers.actions import (
    RESOURCES,
    BankTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    Bundle,
    Discard,
    MoveBandit,
    OfferTrade,
    PlayEmbargo,
    PlayRoadworks,
    PlayWindfall,
    Setup,
)
from engine.pioneers.analysis import offers_left
from engine.pioneers.encoding import ENCODING, FIELDS, PioneersEncoding
from tests.engine.pioneers.matches import decisions

CHOICES = ENCODING.choices
SEATS = pytest.mark.parametrize("seats", [3, 4])

Asked = tuple[Pioneers, int, str, Any, Memory, Action]


def asked(number: int, seats: int) -> Iterator[Asked]:
    """Every decision of a random match: game, seat, kind, view, memory, what is answered."""
    memories = [Pioneers.memory() for _ in range(seats)]
    for game, actions in decisions(number, seats):
        for seat, kind in game.pending().items():
            view = game.view(seat)
            yield game, seat, kind, view, memories[seat], actions[seat]
            memories[seat].note(kind, view, actions[seat])


def spelled(
    game: Pioneers, seat: int, kind: str, view: Any
) -> list[tuple[tuple[int, ...], Action]]:
    """Every action that can be spelled, with its choices, all paths followed."""
    legal = game.legal(seat)
    found = []
    open_paths: list[tuple[int, ...]] = [()]
    while open_paths:
        made = open_paths.pop()
        options = ENCODING.options(kind, view, legal, made)
        assert options
        assert list(options) == sorted(set(options))
        for choice in options:
            assert 0 <= choice < CHOICES.size
            path = (*made, choice)
            action = ENCODING.action(kind, view, path)
            if action is None:
                open_paths.append(path)
            else:
                found.append((path, action))
    return found


@SEATS
def test_each_legal_action_is_spelled_in_one_way_and_nothing_else_is(seats: int) -> None:
    longest: dict[str, int] = {}
    for number in range(8):
        for game, seat, kind, view, _, _ in asked(number, seats):
            if kind == "discard":
                continue
            found = spelled(game, seat, kind, view)
            actions = [action for _, action in found]
            assert len(actions) == len(set(actions))
            assert set(actions) == set(game.legal(seat))
            for path, action in found:
                name = type(action).__name__
                longest[name] = max(longest.get(name, 0), len(path))
                if not isinstance(action, PlayRoadworks):
                    assert len(path) == 1
    # Nothing was left out of the comparison, roadworks with two roads neither.
    assert longest["PlayRoadworks"] == 3
    assert len(longest) == 14


def test_discards_are_spelled_card_by_card_in_any_order() -> None:
    sizes = set()
    for number in range(30):
        for game, seat, kind, view, _, _ in asked(number, 4):
            if kind != "discard" or view.must_discard > 5:
                continue
            found = spelled(game, seat, kind, view)
            assert {action for _, action in found} == set(game.legal(seat))
            for path, action in found:
                assert isinstance(action, Discard)
                assert len(path) == view.must_discard
                names = [RESOURCES[choice - CHOICES.starts["discard"]] for choice in path]
                for name in RESOURCES:
                    assert getattr(action.discard, name) == names.count(name)
            sizes.add(view.must_discard)
    assert sizes == {4, 5}


@pytest.mark.parametrize(
    ("block", "place", "action"),
    [
        ("setup", 0, Setup(settlement=0, road=0)),
        ("setup", 3, Setup(settlement=1, road=3)),
        ("setup", 143, Setup(settlement=53, road=71)),
        ("build_road", 71, BuildRoad(edge=71)),
        ("build_settlement", 53, BuildSettlement(vertex=53)),
        ("build_city", 1, BuildCity(vertex=1)),
        ("play_windfall", 5 * 1 + 2, PlayWindfall(resources=("lumber", "wool"))),
        ("play_embargo", 4, PlayEmbargo(resource="ore")),
        ("bank_trade", 4 * 0 + 0, BankTrade(give="brick", get="lumber")),
        ("bank_trade", 4 * 2 + 1, BankTrade(give="wool", get="lumber")),
        ("bank_trade", 4 * 2 + 2, BankTrade(give="wool", get="grain")),
        ("offer_trade", 4 * 4 + 3, OfferTrade(give=Bundle(ore=1), get=Bundle(grain=1))),
        ("bandit", 4 * 18 + 0, MoveBandit(hex=18)),
        ("bandit", 4 * 7 + 1, MoveBandit(hex=7, victim=0)),
        ("bandit", 4 * 7 + 2, MoveBandit(hex=7, victim=1)),
    ],
)
def test_choices_stand_for_what_the_layout_says(block: str, place: int, action: Action) -> None:
    view = Pioneers.deal(3, bytes(32)).view(2)
    # Any kind but `discard` will do: which choices are open is another matter.
    assert ENCODING.action("turn", view, (CHOICES.starts[block] + place,)) == action


@SEATS
def test_victims_are_counted_from_ones_own_seat(seats: int) -> None:
    victims = set()
    for number in range(4):
        for game, seat, kind, view, _, _ in asked(number, seats):
            if kind == "bandit":
                for (choice,), action in spelled(game, seat, kind, view):
                    assert isinstance(action, MoveBandit)
                    h, victim = divmod(choice - CHOICES.starts["bandit"], 4)
                    assert h == action.hex
                    assert action.victim == (None if victim == 0 else (seat + victim) % seats)
                    victims.add(victim)
    assert victims == {*range(seats)}


def field(values: Any, name: str) -> list[int]:
    """The values of one field of an observation."""
    start = FIELDS.starts[name]
    (size,) = (block.size for block in FIELDS.blocks if block.name == name)
    return list(values[start : start + size])


def rotated(values: Any, seat: int) -> list[int]:
    """Values by seat as that seat sees them: itself first, four places."""
    own_first = [*values[seat:], *values[:seat]]
    return own_first + [0] * (4 - len(own_first))


def flags(values: list[int], size: int) -> list[list[int]]:
    """By seat: the ids that are flagged in a field of so many places a seat."""
    return [[i for i in range(size) if values[size * s + i]] for s in range(4)]


def expect(view: PioneersView, kind: str, values: Any, memory: Any) -> None:
    """Compare an observation with its view, field by field, the long way round."""
    seat = view.seat
    assert seat is not None
    for name, by_seat in {
        "hand_counts": view.hand_counts,
        "dev_counts": view.dev_counts,
        "knights": view.knights,
        "road_lengths": view.road_lengths,
        "scores": view.scores,
        "current": [int(view.current == other) for other in range(view.seats)],
        "largest_army": [int(view.awards.largest_army == s) for s in range(view.seats)],
        "longest_road": [int(view.awards.longest_road == s) for s in range(view.seats)],
    }.items():
        assert field(values, name) == rotated(by_seat, seat), name
    for name, pieces, size in (
        ("settlements", view.settlements, 54),
        ("cities", view.cities, 54),
        ("roads", view.roads, 72),
    ):
        own_first = [list(ids) for ids in (*pieces[seat:], *pieces[:seat])]
        assert flags(field(values, name), size) == own_first + [[]] * (4 - view.seats), name
    for name, struct in {
        "hand": view.hand,
        "dev_cards": view.dev_cards,
        "dev_bought": view.dev_bought_this_turn,
        "offer_give": view.offer and view.offer.give,
        "offer_get": view.offer and view.offer.get,
    }.items():
        assert field(values, name) == list(
            msgspec.to_builtins(struct).values() if struct else [0] * 5
        ), name
    kinds = ("setup", "turn", "discard", "bandit", "trade")
    offer = view.offer
    by = [int(offer is not None and offer.seat == other) for other in range(view.seats)]
    assert field(values, "kind") == [int(kind == other) for other in kinds]
    assert field(values, "dice") == list(view.dice or (0, 0))
    assert field(values, "offer_by") == rotated(by, seat)
    assert field(values, "offer_open") == [int(offer is not None and offer.open)]
    lands = [
        ("brick", "lumber", "wool", "grain", "ore", "desert").index(tile.resource)
        for tile in view.hexes
    ]
    assert [i for i, flag in enumerate(field(values, "land")) if flag] == [
        6 * h + land for h, land in enumerate(lands)
    ]
    assert field(values, "token") == [tile.token or 0 for tile in view.hexes]
    assert field(values, "bandit").index(1) == view.bandit
    for name, value in {
        "seats": view.seats,
        "turn": view.turn,
        "dev_deck": view.dev_deck,
        "my_score": view.my_score,
        "must_discard": view.must_discard,
        "offers_left": offers_left(view, memory),
        "may_play_dev_card": not (memory.dev_played and memory.turn == view.turn),
    }.items():
        assert field(values, name) == [value], name


@SEATS
def test_an_observation_says_what_the_view_says(seats: int) -> None:
    most = [block.most for block in FIELDS.blocks for _ in range(block.size)]
    for number in range(3):
        for _, _, kind, view, memory, _ in asked(number, seats):
            values = ENCODING.observe(kind, view, memory, ())
            assert len(values) == FIELDS.size
            assert all(0 <= value <= top for value, top in zip(values, most, strict=True))
            expect(view, kind, values, memory)


def first(kind: str, number: int = 3) -> Asked:
    """The first decision of a kind in a match."""
    return next(found for found in asked(number, 4) if found[2] == kind)


@pytest.mark.parametrize("ore", [1, 3000, 2**53 - 1])
def test_offers_that_are_no_choice_are_observed_too(ore: int) -> None:
    game, actions = next(
        (game, actions)
        for game, actions in decisions(1, 4)
        if any(isinstance(a, OfferTrade) and not a.give.ore for a in actions.values())
    )
    ((offerer, action),) = actions.items()
    assert isinstance(action, OfferTrade)
    to = (offerer + 2) % 4
    game.advance({offerer: OfferTrade(give=action.give, get=Bundle(ore=ore), to=to)})
    values = ENCODING.observe("trade", game.view(to), game.memory(), ())
    assert field(values, "offer_by") == [0, 0, 1, 0]
    assert field(values, "offer_open") == [0]
    assert field(values, "offer_get") == [0, 0, 0, 0, min(ore, 2428)]


def test_cards_chosen_so_far_are_observed() -> None:
    game, seat, kind, view, memory, _ = first("discard")
    made: tuple[int, ...] = ()
    dropped = [0] * 5
    while ENCODING.action(kind, view, made) is None:
        values = ENCODING.observe(kind, view, memory, made)
        assert field(values, "dropped") == dropped
        assert field(values, "must_discard") == [view.must_discard]
        choice = ENCODING.options(kind, view, game.legal(seat), made)[-1]
        dropped[choice - CHOICES.starts["discard"]] += 1
        made += (choice,)
    assert sum(dropped) == view.must_discard


def test_roads_chosen_so_far_are_observed() -> None:
    made = (CHOICES.starts["play_roadworks"], CHOICES.starts["build_road"] + 17)
    _, _, kind, view, memory, _ = first("turn")
    values = [ENCODING.observe(kind, view, memory, made[:count]) for count in range(3)]
    assert [field(value, "in_roadworks") for value in values] == [[0], [1], [1]]
    assert [sum(field(value, "free_roads")) for value in values] == [0, 0, 1]
    assert field(values[2], "free_roads")[17] == 1


def test_a_spectators_view_is_not_encoded() -> None:
    game, _ = next(decisions(1, 3))
    with pytest.raises(ValueError, match="not a spectator's"):
        ENCODING.observe(None, game.view(None), game.memory(), ())


def test_choices_have_names() -> None:
    assert CHOICES.name(0) == "setup 0"
    assert CHOICES.name(CHOICES.starts["end_turn"]) == "end_turn"
    assert CHOICES.name(CHOICES.starts["build_city"] + 53) == "build_city 53"
    assert CHOICES.name(CHOICES.size - 1) == "done"
    for index in (-1, CHOICES.size):
        with pytest.raises(IndexError):
            CHOICES.name(index)


def test_the_catalogue_knows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(catalog.encoding("pioneers"), PioneersEncoding)
    with pytest.raises(ValueError, match="unknown game 'go'"):
        catalog.encoding("go")
    monkeypatch.setitem(catalog.GAMES, "bare", Pioneers)
    with pytest.raises(ValueError, match="bare has no encoding; games that have one: pioneers"):
        catalog.encoding("bare")

"""What the contract in `engine.game` promises, held against every game of the catalogue.

No test here knows a game: a new one is covered as soon as it is in the catalogue and has its
bounded action space in `tests.engine.spaces`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import msgspec
import pytest

from engine.catalog import GAMES, find
from engine.game import Action, Game, IllegalAction, MalformedAction
from tests.engine.spaces import SPACES

TABLES = [
    pytest.param(game, seats, id=f"{name}-{seats}")
    for name, game in GAMES.items()
    for seats in game.seat_counts
]
every_table = pytest.mark.parametrize(("game_type", "seats"), TABLES)

GameType = type[Game]
Chooser = Callable[[Game, int, random.Random], Action]


def seed_of(number: int) -> bytes:
    return random.Random(f"conformance {number}").randbytes(32)


def by_default(game: Game, seat: int, rng: random.Random) -> Action:
    return game.default(seat)


def at_random(game: Game, seat: int, rng: random.Random) -> Action:
    """A legal action: of a type drawn first, so that rare ones are played as often as others."""
    moves = game.legal(seat)
    if len(moves) > 2000:
        return moves[rng.randrange(len(moves))]
    types = sorted({type(move) for move in moves}, key=lambda each: each.__name__)
    drawn = rng.choice(types)
    return rng.choice([move for move in moves if type(move) is drawn])


def answers(game: Game, choose: Chooser, rng: random.Random) -> dict[int, Action]:
    return {seat: choose(game, seat, rng) for seat in game.pending()}


def play(game: Game, rng: random.Random, choose: Chooser = at_random) -> Iterator[Game]:
    """The match at every decision, then once more when it is over."""
    while game.pending():
        yield game
        game.advance(answers(game, choose, rng))
    yield game


def sampled(game_type: GameType, seats: int, number: int, share: float) -> Iterator[Game]:
    """Some states of a random match, among them one or more with each type of action."""
    rng = random.Random(number)
    seen: set[type] = set()
    for game in play(game_type.deal(seats, seed_of(number)), rng):
        offered = {type(move) for seat in game.pending() for move in islice(game.legal(seat), 1000)}
        if game.pending() and (rng.random() < share or not offered <= seen):
            seen |= offered
            yield game


def everything(game: Game) -> tuple[Any, ...]:
    """All that can be seen of a state from outside, as JSON."""
    seats = range(len(game.view(None).resigned))  # type: ignore[attr-defined]
    return (
        dict(game.pending()),
        msgspec.json.encode(game.position()),
        [msgspec.json.encode(game.view(seat)) for seat in (None, *seats)],
        [list(game.legal(seat)) for seat in seats],
        game.outcome(),
    )


def test_every_game_has_a_bounded_action_space() -> None:
    assert set(SPACES) == set(GAMES)


def test_games_are_found_by_id() -> None:
    for name, game_type in GAMES.items():
        assert find(name) is game_type
        assert game_type.id == name
    with pytest.raises(ValueError, match="pioneers"):
        find("chess")


@every_table
def test_legal_is_exactly_what_check_allows(game_type: GameType, seats: int) -> None:
    for number in range(6):
        for game in sampled(game_type, seats, number, 0.05):
            for seat in game.pending():
                listed = game.legal(seat)
                allowed = [a for a in SPACES[game.id](game, seat) if allows(game, seat, a)]
                assert len(listed) == len(set(listed)), "listed twice"
                assert set(listed) == set(allowed)
                assert list(game.legal(seat)) == list(listed), "in a fixed order"


def allows(game: Game, seat: int, action: Action) -> bool:
    try:
        game.check(seat, action)
    except IllegalAction:
        return False
    return True


@every_table
def test_the_default_is_legal_everywhere(game_type: GameType, seats: int) -> None:
    for number in range(2):
        for game in play(game_type.deal(seats, seed_of(number)), random.Random(number)):
            for seat in game.pending():
                game.check(seat, game.default(seat))
                assert game.default(seat) in game.legal(seat)


@every_table
@pytest.mark.parametrize("choose", [by_default, at_random])
def test_matches_end(game_type: GameType, seats: int, choose: Chooser) -> None:
    for number in range(4):
        game = game_type.deal(seats, seed_of(number))
        for state in play(game, random.Random(number), choose):
            assert (state.outcome() is None) == bool(state.pending())
        outcome = game.outcome()
        assert outcome is not None
        assert outcome.reason in game_type.reasons
        assert len(outcome.placements) == len(outcome.scores) == seats
        for place in outcome.placements:
            assert place == 1 + sum(other < place for other in outcome.placements)


@every_table
def test_nothing_goes_after_the_end(game_type: GameType, seats: int) -> None:
    *_, game = play(game_type.deal(seats, seed_of(1)), random.Random(1), by_default)
    before = everything(game)
    for seat in range(seats):
        assert not game.legal(seat)
        with pytest.raises(ValueError, match=r"\w"):
            game.default(seat)
        for kind in game_type.kinds:
            with pytest.raises((IllegalAction, MalformedAction)):
                game.decode(seat, b"{}")
            assert kind
    with pytest.raises(ValueError, match=r"\w"):
        game.advance({})
    assert everything(game) == before


@every_table
def test_a_seat_that_is_not_asked_can_do_nothing(game_type: GameType, seats: int) -> None:
    for game in sampled(game_type, seats, 5, 0.05):
        (asked, *_) = game.pending()
        action = game.default(asked)
        for seat in set(range(seats)) - set(game.pending()):
            assert not game.legal(seat)
            with pytest.raises(IllegalAction):
                game.check(seat, action)
            with pytest.raises(ValueError, match=r"\w"):
                game.default(seat)


@every_table
def test_a_copy_is_independent(game_type: GameType, seats: int) -> None:
    for game in sampled(game_type, seats, 6, 0.01):
        before = everything(game)
        twin = game.copy()
        assert everything(twin) == before
        for _ in play(twin, random.Random(0)):
            pass
        assert everything(game) == before
        again = game.copy()
        for _ in play(again, random.Random(0)):
            pass
        assert everything(again) == everything(twin), "chance to come is copied"
        game.copy().resign(0)
        assert everything(game) == before


@every_table
def test_a_refused_action_changes_nothing(game_type: GameType, seats: int) -> None:
    rng = random.Random(7)
    refused = 0
    for game in sampled(game_type, seats, 7, 0.02):
        before = everything(game)
        for seat in game.pending():
            space = list(SPACES[game.id](game, seat))
            for action in rng.sample(space, min(len(space), 20)):
                if allows(game, seat, action):
                    continue
                refused += 1
                with pytest.raises(IllegalAction) as refusal:
                    game.advance(answers(game, by_default, rng) | {seat: action})
                assert refusal.value.code.isidentifier()
                assert refusal.value.message
                assert everything(game) == before
    assert refused > 50


@every_table
def test_an_action_of_another_kind_is_refused(game_type: GameType, seats: int) -> None:
    every_kind: dict[str, Action] = {}
    for game in sampled(game_type, seats, 8, 0.05):
        before = everything(game)
        every_kind |= {kind: game.default(seat) for seat, kind in game.pending().items()}
        for seat, asked in game.pending().items():
            for kind, action in every_kind.items():
                if kind == asked:
                    continue
                with pytest.raises(IllegalAction):
                    game.check(seat, action)
                with pytest.raises(IllegalAction):
                    game.advance(answers(game, by_default, random.Random()) | {seat: action})
        assert everything(game) == before
    assert len(every_kind) > 1


@every_table
def test_exactly_the_pending_seats_must_answer(game_type: GameType, seats: int) -> None:
    for game in sampled(game_type, seats, 9, 0.02):
        before = everything(game)
        full = answers(game, by_default, random.Random())
        (first, *_) = full
        idle = [seat for seat in range(seats) if seat not in full]
        wrong = [{}, {seat: full[seat] for seat in full if seat != first}, full | {99: full[first]}]
        wrong += [full | {seat: full[first]} for seat in idle]
        for actions in wrong:
            with pytest.raises(ValueError, match=r"\w"):
                game.advance(actions)
        assert everything(game) == before


@every_table
def test_the_order_of_answers_does_not_matter(game_type: GameType, seats: int) -> None:
    several = 0
    for number in range(10, 13):
        rng = random.Random(number)
        forwards = game_type.deal(seats, seed_of(number))
        backwards = game_type.deal(seats, seed_of(number))
        while forwards.pending():
            actions = answers(forwards, at_random, rng)
            several += len(actions) > 1
            turned = dict(reversed(actions.items()))
            assert forwards.advance(actions) == backwards.advance(turned)
            assert dict(forwards.pending()) == dict(backwards.pending())
            assert list(forwards.pending()) == sorted(forwards.pending())
        assert everything(forwards) == everything(backwards)
    assert several


@every_table
def test_all_that_is_given_out_survives_json(game_type: GameType, seats: int) -> None:
    rng = random.Random(14)
    game = game_type.deal(seats, seed_of(14))
    while game.pending():
        for seat in (None, *range(seats)):
            view = game.view(seat)
            assert type(view) is game_type.view_type
            assert msgspec.json.decode(msgspec.json.encode(view), type=game_type.view_type) == view
        for seat in game.pending():
            moves = game.legal(seat)
            for _ in range(3):
                action = moves[rng.randrange(len(moves))]
                assert game.decode(seat, msgspec.json.encode(action)) == action
        for event in game.advance(answers(game, at_random, rng)):
            raw = msgspec.json.encode(event)
            assert msgspec.json.decode(raw, type=game_type.event_type) == event
    outcome = game.outcome()
    assert msgspec.json.decode(msgspec.json.encode(outcome), type=type(outcome)) == outcome


@every_table
def test_a_position_gives_the_same_match_back(game_type: GameType, seats: int) -> None:
    for game in (*sampled(game_type, seats, 15, 0.02), ended(game_type, seats)):
        raw = msgspec.json.encode(game.position())
        again = game_type.from_position(msgspec.json.decode(raw, type=game_type.position_type))
        assert everything(again) == everything(game)
        twin = game.copy()
        rng, same = random.Random(0), random.Random(0)
        for _ in range(40):
            if not twin.pending():
                break
            assert twin.advance(answers(twin, at_random, rng)) == again.advance(
                answers(again, at_random, same)
            )
        assert everything(again) == everything(twin)


def ended(game_type: GameType, seats: int) -> Game:
    *_, game = play(game_type.deal(seats, seed_of(16)), random.Random(16))
    return game


@every_table
def test_a_seat_can_list_its_moves_from_its_view(game_type: GameType, seats: int) -> None:
    """The view went over the wire, and the memory has seen the seat's own answers alone."""
    rng = random.Random(17)
    game = game_type.deal(seats, seed_of(17))
    memories = [game_type.memory() for _ in range(seats)]
    begun: set[int] = set()
    while game.pending():
        actions = {}
        for seat, kind in game.pending().items():
            raw = msgspec.json.encode(game.view(seat))
            view = msgspec.json.decode(raw, type=game_type.view_type)
            if seat not in begun:
                memories[seat].begin(kind, view)
                begun.add(seat)
            known = game_type.from_view(kind, view, memories[seat])
            assert list(known.legal(seat)) == list(game.legal(seat))
            assert known.default(seat) == game.default(seat)
            late = game_type.memory()
            late.begin(kind, view)
            assumed = game_type.from_view(kind, view, late)
            assert assumed.default(seat) == game.default(seat)
            few = list(assumed.legal(seat))
            assert few
            assert set(few) <= set(game.legal(seat))
            actions[seat] = at_random(game, seat, rng)
            memories[seat].note(kind, view, actions[seat])
        game.advance(actions)


@every_table
def test_checks_from_a_view_are_exact(game_type: GameType, seats: int) -> None:
    rng = random.Random(18)
    for game in sampled(game_type, seats, 18, 0.01):
        for seat, kind in game.pending().items():
            memory = game_type.memory()
            known = game_type.from_view(kind, game.view(seat), memory)
            if list(known.legal(seat)) != list(game.legal(seat)):
                continue  # this seat had something to remember of its turn
            space = list(SPACES[game.id](game, seat))
            for action in rng.sample(space, min(len(space), 300)):
                assert allows(known, seat, action) == allows(game, seat, action)


@every_table
def test_one_seed_is_one_match(game_type: GameType, seats: int) -> None:
    one, same = (game_type.deal(seats, seed_of(19)) for _ in range(2))
    for game in (one, same):
        for _ in play(game, random.Random(19)):
            pass
    assert everything(one) == everything(same)
    other = game_type.deal(seats, seed_of(20))
    assert everything(other) != everything(game_type.deal(seats, seed_of(19)))


@every_table
def test_resigning_shows_and_changes_nothing_else(game_type: GameType, seats: int) -> None:
    for game in sampled(game_type, seats, 21, 0.01):
        twin = game.copy()
        twin.resign(seats - 1)
        assert dict(twin.pending()) == dict(game.pending())
        view: Any = twin.view(None)
        assert view.resigned == (False,) * (seats - 1) + (True,)
        for seat in game.pending():
            assert list(twin.legal(seat)) == list(game.legal(seat))
        with pytest.raises(ValueError, match=r"\w"):
            twin.resign(seats)


@pytest.mark.parametrize("game_type", GAMES.values(), ids=list(GAMES))
def test_a_deal_names_what_it_does_not_have(game_type: GameType) -> None:
    for seats in (*range(-1, 9), 100):
        if seats not in game_type.seat_counts:
            with pytest.raises(ValueError, match=str(seats)):
                game_type.deal(seats, bytes(32))
    with pytest.raises(ValueError, match="nonsense"):
        game_type.deal(game_type.seat_counts[0], bytes(32), {"nonsense": 1})
    with pytest.raises(ValueError, match="32"):
        game_type.deal(game_type.seat_counts[0], bytes(31))


GARBAGE = [
    *(b"", b" ", b"{", b"{}", b"[]", b"null", b"true", b"0", b"-1", b'""', b"NaN", b"\xff\xfe"),
    *(b'{"type":null}', b'{"type":"no such"}', b'{"type":{}}', b'{"type":1}', b"[[[]]]"),
    *(b"[" * 100_000, b'{"a":' * 5_000, b"9" * 5_000, b'{"type":"\\ud800"}', b'"\\u0000"'),
]


def read(game: Game, seat: int, raw: bytes) -> Action | str:
    """What `raw` is read as, or the words with which it is refused."""
    try:
        return game.decode(seat, raw)
    except MalformedAction as refused:
        return refused.message


@every_table
def test_garbage_is_malformed_and_nothing_worse(game_type: GameType, seats: int) -> None:
    kinds: set[str] = set()
    for game in sampled(game_type, seats, 22, 0.0):
        for seat, kind in game.pending().items():
            kinds.add(kind)
            for raw in GARBAGE:
                found = read(game, seat, raw)
                if isinstance(found, Action):
                    # An object says nothing wrong where every field may be left out.
                    assert raw.startswith(b"{")
                    assert not any(field.required for field in msgspec.structs.fields(found))
                else:
                    assert found.isprintable()
                    assert len(found) < 500
    assert kinds


@every_table
def test_every_mistyped_field_is_malformed(game_type: GameType, seats: int) -> None:
    """Each field of each legal action in turn replaced by things that no field can be."""
    for game in sampled(game_type, seats, 23, 0.02):
        for seat in game.pending():
            moves = game.legal(seat)
            plain = msgspec.to_builtins(moves[random.Random(0).randrange(len(moves))])
            for field in plain:
                junk: Any
                for junk in ({"x": {}}, [[]], 10**30, "\u0000", 1.5):
                    raw = msgspec.json.encode(plain | {field: junk})
                    with pytest.raises(MalformedAction):
                        game.decode(seat, raw)


@every_table
def test_views_and_events_can_be_read_by_people(game_type: GameType, seats: int) -> None:
    rng = random.Random(24)
    game = game_type.deal(seats, seed_of(24))
    while game.pending():
        for event in game.advance(answers(game, at_random, rng)):
            sentence = game_type.narrate(event)
            assert sentence
            assert sentence.isprintable()
        if rng.random() < 0.05:
            for seat in (None, *range(seats)):
                drawn = game_type.draw(game.view(seat))
                assert all(line.isprintable() for line in drawn.split("\n"))
                assert len(drawn) > 100

"""Nobody is told what it may not know, shown by changing it and seeing no difference.

Beside a random match runs, for every observer, a second one in which all that the observer may
not know is something else: the others' cards, the order of the deck, the seed, the cards of an
offer between others. As long as no action brings any of it to light, every view and event that
the observer gets must be the same to the byte.
"""

from __future__ import annotations

import base64
import random
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from engine.game import Action, ActionError, PositionError
from engine.pioneers import Pioneers
from engine.pioneers.actions import (
    BuyDevCard,
    EndTurn,
    MoveBandit,
    PlayEmbargo,
    Respond,
    Setup,
)
from tests.engine.pioneers.oracle import no_cards, nothing
from tests.engine.pioneers.oracle_board import RESOURCES
from tests.engine.pioneers.oracle_match import Played, wire
from tests.engine.pioneers.oracle_space import random_action, random_offer

Json = dict[str, Any]
Observer = int | None


def seed_of(number: int) -> bytes:
    return random.Random(f"hidden {number}").randbytes(32)


def choose(game: Pioneers, seat: int, kind: str, rng: random.Random) -> Action:
    """A legal action; offers of all sorts and talk among them."""
    if kind == "turn" and rng.random() < 0.2:
        try:
            offer = game.decode(seat, msgspec.json.encode(random_offer(rng)))
            game.check(seat, offer)
        except ActionError:
            pass
        else:
            return offer
    moves = game.legal(seat)
    keen = [m for m in moves if not isinstance(m, EndTurn)] if len(moves) < 2000 else moves
    return rng.choice(keen if keen and rng.random() < 0.7 else moves)


def random_hand(count: int, rng: random.Random) -> Json:
    hand = nothing()
    for name in rng.choices(RESOURCES, k=count):
        hand[name] += 1
    return hand


def disguise(
    game: Pioneers, observer: Observer, rng: random.Random, keep: Collection[int]
) -> Pioneers:
    """The same match to `observer`: hidden facts are drawn anew, but for the cards of `keep`."""
    p: Json = wire(game.position())
    others = [seat for seat in range(p["seats"]) if seat != observer and seat not in keep]
    offer = p["offer"]
    mine = offer is None or observer == p["current"] or observer in game.pending()
    if p["turn"] > 0:
        for seat in others:
            p["hands"][seat] = random_hand(sum(p["hands"][seat].values()), rng)
        if not mine and not keep:
            swap = dict(zip(RESOURCES, rng.sample(RESOURCES, 5), strict=True))
            for side in ("give", "get"):
                offer[side] = {swap[name]: count for name, count in offer[side].items()}
        if offer and p["current"] in others:
            held = sum(p["hands"][p["current"]].values())
            rest = random_hand(held - sum(offer["give"].values()), rng)
            p["hands"][p["current"]] = {name: rest[name] + offer["give"][name] for name in rest}
    piles = [p[key][seat] for key in ("devCards", "devBoughtThisTurn") for seat in others]
    pool = p["deck"] + [name for pile in piles for name in pile for _ in range(pile[name])]
    rng.shuffle(pool)
    for pile in piles:
        count = sum(pile.values())
        pile |= no_cards()
        for _ in range(count):
            pile[pool.pop()] += 1
    p["deck"] = pool
    p["seed"] = rng.randbytes(32).hex()
    return Played.load(p).game


def with_seed_of(twin: Pioneers, game: Pioneers) -> Pioneers:
    """The twin with the same chance to come as the match."""
    p: Json = wire(twin.position())
    p["seed"] = wire(game.position())["seed"]
    return Played.load(p).game


def draws(game: Pioneers, action: Action) -> bool:
    """Whether the action rolls dice or robs somebody."""
    if isinstance(action, Setup):
        return sum(map(len, game.position().settlements)) == 2 * game.position().seats - 1
    return isinstance(action, EndTurn) or (
        isinstance(action, MoveBandit) and action.victim is not None
    )


def reveals(
    game: Pioneers, twin: Pioneers, observer: Observer, actions: Mapping[int, Action]
) -> bool:
    """Whether the rules let the observer learn a hidden fact in which the two matches differ."""
    ours, theirs = game.position(), twin.position()
    for seat, action in actions.items():
        if isinstance(action, PlayEmbargo):
            name = action.resource
            for mine, other in zip(ours.hands, theirs.hands, strict=True):
                if getattr(mine, name) != getattr(other, name):
                    return True
        if isinstance(action, MoveBandit) and action.victim is not None and seat == observer:
            return bool(ours.hands[action.victim] != theirs.hands[action.victim])
        if isinstance(action, BuyDevCard) and seat == observer:
            return ours.deck[0] != theirs.deck[0]
    return False


def possible(twin: Pioneers, actions: Mapping[int, Action]) -> bool:
    """Whether all actions are legal in the twin too."""
    if dict.fromkeys(twin.pending()) != dict.fromkeys(actions):
        return False
    try:
        for seat, action in actions.items():
            twin.check(seat, action)
    except ActionError:
        return False
    return True


def ends_alike(game: Pioneers, twin: Pioneers, actions: Mapping[int, Action]) -> bool:
    """Whether the actions end both matches or neither; hidden points may tell them apart."""
    ours, theirs = game.copy(), twin.copy()
    ours.advance(actions)
    theirs.advance(actions)
    return bool(ours.pending()) == bool(theirs.pending())


def needs_cards(action: Action) -> bool:
    """Whether an action may be beyond a seat that holds other cards."""
    if isinstance(action, Respond):
        return action.accept
    return not isinstance(action, EndTurn | MoveBandit | Setup)


class Watch:
    """An observer's twin match, replaced whenever an action would rightly tell them apart."""

    def __init__(self, game: Pioneers, observer: Observer, rng: random.Random) -> None:
        self.observer = observer
        self.rng = rng
        self.twin = self.new_twin(game, ())
        self.steps = self.bold_steps = 0

    def new_twin(self, game: Pioneers, keep: Collection[int]) -> Pioneers:
        for _ in range(20):
            # Hidden points drawn anew may win the match for the seat in turn: not this one, then.
            with suppress(PositionError):
                twin = disguise(game, self.observer, self.rng, keep)
                if twin.pending():
                    return twin
        return game.copy()

    def prepare(self, game: Pioneers, actions: Mapping[int, Action]) -> None:
        """Have a twin in which the actions are possible and give nothing away."""
        acting = [seat for seat, action in actions.items() if needs_cards(action)]
        victims = [
            action.victim
            for action in actions.values()
            if isinstance(action, MoveBandit) and action.victim is not None
        ]
        twin = self.twin
        if not is_bold(game, twin) or self.rng.random() < 0.1:
            twin = self.new_twin(game, ())
        for keep in ((), (), acting, acting, acting + victims, range(game.position().seats), None):
            if any(draws(game, action) for action in actions.values()):
                twin = with_seed_of(twin, game)
            self.same_view(game, twin)
            if self.fits(game, twin, actions):
                break
            twin = game.copy() if keep is None else self.new_twin(game, keep)
        self.twin = twin
        self.bold_steps += is_bold(game, twin)

    def fits(self, game: Pioneers, twin: Pioneers, actions: Mapping[int, Action]) -> bool:
        return (
            possible(twin, actions)
            and not reveals(game, twin, self.observer, actions)
            and ends_alike(game, twin, actions)
        )

    def same_view(self, game: Pioneers, twin: Pioneers) -> None:
        """Views, moves, defaults and refusals: the same to the byte."""
        encode = msgspec.json.encode
        assert encode(game.view(self.observer)) == encode(twin.view(self.observer))
        seat = self.observer
        kind = game.pending().get(seat) if seat is not None else None
        if seat is None or kind is None:
            return
        assert list(game.legal(seat)) == list(twin.legal(seat))
        assert game.default(seat) == twin.default(seat)
        raw = encode(random_action(kind, self.rng))
        assert refusal(game, seat, raw) == refusal(twin, seat, raw)

    def follow(self, game: Pioneers, actions: Mapping[int, Action], events: bytes) -> None:
        """Advance the twin beside the match, which has just advanced with these events."""
        assert msgspec.json.encode(self.twin.advance(actions)) == events
        self.same_view(game, self.twin)
        self.steps += 1


def is_bold(game: Pioneers, twin: Pioneers) -> bool:
    """Whether the others hold other cards in the twin."""
    return game.position().hands != twin.position().hands


def refusal(game: Pioneers, seat: int, raw: bytes) -> str | None:
    try:
        game.check(seat, game.decode(seat, raw))
    except ActionError as error:
        return str(error)
    return None


def watch_match(number: int, seats: int) -> tuple[int, int]:
    """Play a match with every observer's twin beside it; steps taken, and by bold twins."""
    rng = random.Random(number)
    game = Pioneers.deal(seats, seed_of(number))
    watches = [Watch(game, observer, rng) for observer in (None, *range(seats))]
    while asked := game.pending():
        actions = {seat: choose(game, seat, kind, rng) for seat, kind in asked.items()}
        for watch in watches:
            watch.prepare(game, actions)
        events = msgspec.json.encode(game.advance(actions))
        for watch in watches:
            watch.follow(game, actions, events)
    return sum(watch.steps for watch in watches), sum(watch.bold_steps for watch in watches)


@pytest.mark.parametrize(("number", "seats"), [(1, 3), (2, 4)])
def test_what_is_hidden_makes_no_difference(number: int, seats: int) -> None:
    steps, bold = watch_match(number, seats)
    assert bold > steps * 0.9, "twins that differ in hands too must be the rule"


@pytest.mark.slow
def test_what_is_hidden_makes_no_difference_in_many_matches() -> None:
    for number in range(10, 30):
        watch_match(number, 3 + number % 2)


@pytest.mark.parametrize("seats", [3, 4])
def test_before_the_first_roll_the_seed_makes_no_difference(seats: int) -> None:
    """Matches that share a board differ in deck, dice and thefts, and nobody can tell."""
    one, two = (Pioneers.deal(seats, seed_of(n), board_seed=seed_of(0)) for n in (3, 4))
    rng = random.Random(5)
    while True:
        for seat in (None, *range(seats)):
            assert msgspec.json.encode(one.view(seat)) == msgspec.json.encode(two.view(seat))
        actions = {seat: choose(one, seat, kind, rng) for seat, kind in one.pending().items()}
        if any(draws(one, action) for action in actions.values()):
            break
        assert one.advance(actions) == two.advance(actions)
    assert one.position().deck != two.position().deck


def test_a_board_seed_gives_the_same_board() -> None:
    boards = {
        Pioneers.deal(4, seed_of(n), board_seed=seed_of(0)).view(None).hexes for n in (7, 8, 9)
    }
    assert len(boards) == 1


def test_the_seed_is_in_nothing_that_is_given_out() -> None:
    """Every byte that leaves a match is searched for it, in the usual spellings."""
    seed = seed_of(6)
    rng = random.Random(6)
    game = Pioneers.deal(4, seed)
    needles = [
        seed,
        seed[:8],
        seed.hex().encode(),
        seed.hex()[:12].encode(),
        base64.b64encode(seed)[:12],
        str(int.from_bytes(seed, "big"))[:12].encode(),
        repr(seed)[2:20].encode(),
    ]
    given_out: list[bytes] = []
    while asked := game.pending():
        for seat in (None, *range(4)):
            view = game.view(seat)
            given_out += [msgspec.json.encode(view), repr(view).encode()]
            given_out.append(Pioneers.draw(view).encode())
        for seat, kind in asked.items():
            raw = msgspec.json.encode(random_action(kind, rng))
            given_out += [(refusal(game, seat, raw) or "").encode(), repr(game).encode()]
        actions = {seat: choose(game, seat, kind, rng) for seat, kind in asked.items()}
        for event in game.advance(actions):
            given_out += [msgspec.json.encode(event), repr(event).encode()]
            given_out.append(Pioneers.narrate(event).encode())
    everything = b"\n".join(given_out)
    assert len(everything) > 1_000_000
    assert not [needle for needle in needles if needle in everything]
    assert seed.hex().encode() in msgspec.json.encode(game.position()), "the search can find it"

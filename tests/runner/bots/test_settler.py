"""`settler`: what it does in positions where it is plain, and that it beats random clearly."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from msgspec import Struct

from engine.program import Program
from engine.program.actions import Defend, Draft, Market, PlayCard, Research, UpgradeHq
from runner import protocol as wire
from runner.bot import Bot, Request
from runner.bots.random_bot import RandomBot
from runner.bots.seeded import SeededBot
from runner.bots.settler import Settler
from runner.local import LocalMatch
from tests.engine.program import tables
from tests.engine.program.tables import card


@pytest.fixture(autouse=True)
def _seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SeededBot, "seed", "7")


def match(number: int, bots: list[type[Bot]]) -> LocalMatch:
    """A match of these bots, by seat; the number says which. An illegal action ends it."""
    seed = hashlib.sha256(f"settler {number}".encode()).digest()
    return LocalMatch(Program, f"m{number}", seed, bots, [f"b{n}" for n in range(len(bots))])


@pytest.mark.parametrize("seats", [3, 4])
def test_beats_random_clearly(seats: int) -> None:
    wins = 0
    for number in range(12):
        bots: list[type[Bot]] = [RandomBot] * seats
        bots[number % seats] = Settler
        wins += match(number, bots).play().outcome.placements[number % seats] == 1
    assert wins >= 11, "chance is 4 of 12 at the most"


def test_most_matches_of_its_own_end_by_four_points_and_every_action_is_legal() -> None:
    # The kit's own check is off for this bot; LocalMatch raises at an illegal action.
    assert Settler.check_actions is False
    reasons = [match(number, [Settler] * 4).play().outcome.reason for number in range(8)]
    assert reasons.count("four_points") >= 4


def test_is_deterministic() -> None:
    ends = []
    for _ in range(2):
        local = match(1, [Settler] * 3)
        local.play()
        ends.append(local.game.position())
    assert ends[0] == ends[1]


def start(base: str, **fields: Any) -> Program:
    """A match that goes on from a base position of the rules' case tables, with fields changed."""
    return tables.load({"base": base, "set": fields})


def ask(game: Program, seat: int = 0) -> Any:
    """What settler answers; the engine has found it legal."""
    kind = game.pending()[seat]
    request = Request(
        id=0,
        match="m",
        seat=seat,
        kind=kind,
        view=game.view(seat),
        number=0,
        deadline=float("inf"),
        deadline_ms=5000,
        game=Program,
        memory=Program.memory(),
    )
    names = tuple("abcd"[: game.view(seat).seats])
    bot = Settler(Program, wire.MatchStart("m", Program.id, seat, names, 5000, "00", {}))
    bot.request = request
    action = bot.decide(request)
    assert isinstance(action, Struct)
    request.check(action)
    return action


def projects(mine: int, theirs: int = 0) -> list[Any]:
    """Two open projects, one of them with tokens on it."""
    return [
        {"card": "@Purchasing Power", "tokens": [mine, theirs, 0]},
        {"card": "@Way of the Wastes", "tokens": [0, 0, 0]},
    ]


def test_drafts_points_into_the_town() -> None:
    assert ask(start("draft")) == Draft(card=card("@Relic"), play=True)


def test_keeps_in_the_draft_what_acts_from_the_hand() -> None:
    pack = ["@Flare Gun", "@Raid", "@Sabotage", "@Ambush", "@Looters"]
    others = [["@School", "@Vault", "@The Mayor", "@Canned Goods", "@Shack"],
              ["@Farm/2", "@Monument", "@Extra Shift", "@Wanderer", "@Old Map"]]  # fmt: skip
    assert ask(start("draft", packs=[pack, *others])).play is False


def test_completes_a_project() -> None:
    action = ask(start("three", projects=projects(3)))
    assert action == Research(project=card("@Purchasing Power"), tokens=1)


def test_runs_no_race_that_is_lost() -> None:
    action = ask(start("three", projects=projects(0, theirs=3)))
    assert not (isinstance(action, Research) and action.project == card("@Purchasing Power"))


def test_plays_points_before_anything_else() -> None:
    game = start("three", towns={"0": {"hand": ["@Relic", "@Shack"]}})
    assert ask(game) == PlayCard(card=card("@Relic"))


def test_keeps_reactions_for_their_time() -> None:
    game = start("three", towns={"0": {"hand": ["@Reinforced Walls", "@Flare Gun"]}})
    assert not isinstance(ask(game), PlayCard)


def test_takes_what_the_market_gives_away() -> None:
    market = ["@Farm", "@Trading Post", "@Watchtower", "@Clinic", "@Generator", "@Monument"]
    food = {"food": 4, "credits": 0, "responses": 1}
    assert ask(start("three", market=market, towns={"0": {"pile": food}})) == Market(slot=5)


LARGE = ["@Farm/2", "@Farm/3", "@Shack", "@Shack/2", "@Shack/3", "@Rain Barrels"]


def test_upgrades_to_a_point() -> None:
    pile = {"credits": 5, "responses": 0}
    game = start("three", towns={"0": {"hq": "Medium HQ", "town": LARGE, "pile": pile}})
    assert ask(game) == UpgradeHq()


def test_strikes_at_who_is_about_to_win() -> None:
    leader = {"permanent": 3, "arrival": 3, "four": 3, "town": ["@Monument"], "pile": {}}
    town = {"hand": ["@Planned Raid", "@Shack"], "pile": {"responses": 1}}
    game = start("three", round=4, towns={"0": town, "1": leader})
    assert ask(game) == PlayCard(card=card("@Planned Raid"), target=1)
    game.advance({0: ask(game)})
    assert isinstance(ask(game, 1), Defend)


def test_pays_for_points_to_the_last_and_drops_what_brings_nothing_any_more() -> None:
    town = {"town": ["@School", "@Monument"], "pile": {"food": 1}}
    action = ask(start("upkeep", towns={"0": town | {"arrival": 1}}, round=7, arc=6))
    assert action.pay == (card("@Monument"),)

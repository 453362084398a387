"""Which reference bots there are, and which games they play."""

from __future__ import annotations

import inspect

import pytest

from engine.catalog import GAMES
from runner.bots import NAMES, PLAYS, check_plays, find, names_for
from runner.local import LocalMatch

# Those that wait for others while they decide have tests of their own.
AT_ONCE = [name for name in NAMES if not inspect.iscoroutinefunction(find(name).decide)]


@pytest.mark.parametrize("name", AT_ONCE)
def test_a_bot_plays_the_games_that_it_says(name: str) -> None:
    games = [*GAMES] if PLAYS[name] is None else PLAYS[name]
    assert games
    for game_id in games or ():
        check_plays(name, game_id)
        game = GAMES[game_id]
        names = [f"b{n}" for n in range(min(game.seat_counts))]
        bots = [find(name), *[find("random")] * (len(names) - 1)]
        assert LocalMatch(game, "m", bytes(32), bots, names).play().decisions


def test_a_bot_for_another_game_is_refused_with_those_that_play() -> None:
    with pytest.raises(ValueError, match="settler does not play pioneers; bots that do: greedy, "):
        check_plays("settler", "pioneers")


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_bot_that_is_made_for_it(game: str) -> None:
    assert {"random"} < {*names_for(game)}

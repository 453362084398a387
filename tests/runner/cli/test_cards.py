"""`pioneers cards`: each card of each game in every form."""

from __future__ import annotations

import csv
import io
import json

import pytest

from engine.catalog import GAMES
from engine.game import Game
from tests.runner.cli.commands import pioneers

WITH_CARDS = [game for game in GAMES.values() if game.reference()]
WITHOUT = [game for game in GAMES.values() if not game.reference()]


@pytest.mark.parametrize("game", WITH_CARDS, ids=lambda game: game.id)
def test_every_card_is_in_every_form(game: type[Game]) -> None:
    tables = game.reference()
    rows = sum(len(table.rows) for table in tables)
    names = [row[0] for table in tables for row in table.rows]
    for option in ((), ("--markdown",)):
        result = pioneers("cards", "--game", game.id, *option, env={"COLUMNS": "80"})
        assert result.exit_code == 0, result.output
        for text in (*names, *(table.title for table in tables)):
            assert text in result.stdout
    listed = json.loads(pioneers("cards", "--json").stdout)
    assert len(listed) == rows
    read = [*csv.DictReader(io.StringIO(pioneers("cards", "--csv").stdout))]
    assert [row["table"] for row in read] == [row["table"] for row in listed]


def test_a_narrow_terminal_shows_the_whole_text() -> None:
    text = pioneers("cards", env={"COLUMNS": "80"}).stdout
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text


def test_numbers_are_numbers() -> None:
    listed = json.loads(pioneers("cards", "--json").stdout)
    (farm,) = [row for row in listed if row["card"] == "Farm"]
    assert farm["copies"] == 5
    assert farm["effect"] is None


@pytest.mark.parametrize("game", WITHOUT, ids=lambda game: game.id)
def test_a_game_without_cards_says_which_have_some(game: type[Game]) -> None:
    result = pioneers("cards", "--game", game.id)
    assert result.exit_code == 2
    assert all(other.id in result.stderr for other in WITH_CARDS)

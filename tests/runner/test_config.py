"""Season files: what is wrong with one is said with its key path and what is allowed there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.catalog import GAMES
from runner.bots import PLAYS
from runner.config import Admin, ConfigError, Loaded, load

CONFIGS = sorted((Path(__file__).parents[2] / "configs").glob("*.toml"))

BUILTINS = {"greedy": ("pioneers",), "random": None, "settler": ("pioneers-program",)}

GOOD = """\
[season]
name = "test"
game = "pioneers"
seats = 3

[stop]
matches = 1

[play]
[server]
[rating]

[[bots]]
name = "ann"
builtin = "greedy"

[[bots]]
name = "bob"
command = ["python", "bob.py"]

[[bots]]
name = "cat"
remote = true
"""


def read(folder: Path, text: str) -> Loaded:
    path = folder / "season.toml"
    path.write_text(text, encoding="utf-8")
    return load(path, games=GAMES, builtins=BUILTINS)


@pytest.mark.parametrize("path", CONFIGS, ids=[path.name for path in CONFIGS])
def test_every_config_of_the_project_loads(path: Path) -> None:
    loaded = load(path, games=GAMES, builtins=PLAYS)
    assert loaded.config.season.name
    assert loaded.data.is_absolute()


def test_there_are_configs_to_copy() -> None:
    assert {"demo.toml", "ladder.toml", "program.toml"} <= {path.name for path in CONFIGS}


def test_defaults(tmp_path: Path) -> None:
    loaded = read(tmp_path, GOOD)
    assert loaded.path == (tmp_path / "season.toml").resolve()
    assert loaded.data == (tmp_path / "seasons" / "test").resolve()
    config = loaded.config
    assert (config.play.deadline_ms, config.play.margin_ms) == (5000, 0)
    assert (config.play.start_with, config.season.secret, config.admin) == (None, None, None)
    assert (config.rating.tau, config.rating.draw_probability) == (0.008, 0.02)
    assert (config.server.host, config.server.port) == ("127.0.0.1", 8765)
    assert [bot.name for bot in config.bots] == ["ann", "bob", "cat"]
    assert config.bots[1].command == ("python", "bob.py")
    assert [bot.remote for bot in config.bots] == [False, False, True]


def test_data_is_relative_to_the_file(tmp_path: Path) -> None:
    text = GOOD.replace("seats = 3", 'seats = 3\ndata = "../elsewhere"')
    assert read(tmp_path, text).data == (tmp_path.parent / "elsewhere").resolve()
    absolute = (tmp_path / "absolute").resolve()
    text = GOOD.replace("seats = 3", f"seats = 3\ndata = {str(absolute)!r}")
    assert read(tmp_path, text).data == absolute


def test_the_admin_port_is_off_unless_asked_for(tmp_path: Path) -> None:
    assert read(tmp_path, GOOD + "\n[admin]\nport = 9\n").config.admin == Admin(port=9)


@pytest.mark.parametrize(("port", "host"), [(0, "127.0.0.1"), (9, "192.0.2.1")])
def test_ports_that_are_not_the_same_place(port: int, host: str, tmp_path: Path) -> None:
    server = f'[admin]\nport = {port}\n[server]\nport = {port}\nhost = "{host}"'
    assert read(tmp_path, GOOD.replace("[server]", server)).config.admin == Admin(port=port)


FOURTH = '\n[[bots]]\nname = "dan"\nremote = true\n'

# What replaces what in a good config; the key that is named; words of the message.
WRONG: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "unknown table": ("[play]", "[games]", "games", ("unknown key", "play, rating, season")),
    "unknown key of a table": ("[play]", "[play]\nspeed = 1", "play.speed", ("deadline_ms",)),
    "unknown key of a bot": (
        'name = "ann"',
        'name = "ann"\nbulitin = "greedy"',
        "bots[0].bulitin",
        ("builtin, command",),
    ),
    "unknown key of the admin port": (
        "[rating]",
        "[rating]\n[admin]\nport = 1\nhost = 'x'",
        "admin.host",
        ("unknown key", "port"),
    ),
    "no season": ('[season]\nname = "test"\n', "", "game", ("unknown key",)),
    "no stop": ("[stop]\nmatches = 1\n", "", "stop", ("matches",)),
    "no name": ('name = "test"\n', "", "season", ("`name`",)),
    "empty name": ('name = "test"', 'name = ""', "season.name", ("length >= 1",)),
    "a name that is a path": ('name = "test"', 'name = "../x"', "season.name", ("regex",)),
    "a name with a newline": ('name = "test"', 'name = "test\\n"', "season.name", ("regex",)),
    "a hidden name": ('name = "ann"', 'name = ".ann"', "bots[0].name", ("regex",)),
    "a long name": ('name = "ann"', f'name = "{41 * "n"}"', "bots[0].name", ("40",)),
    "a bot without a name": ('name = "ann"\n', "", "bots[0]", ("`name`",)),
    "unknown game": ('"pioneers"', '"chess"', "season.game", ("'chess'", "pioneers")),
    "seats of no game": ("seats = 3", "seats = 9", "season.seats", ("3 or 4", "not by 9")),
    "seats of another game": ("seats = 3", "seats = 5", "season.seats", ("3 or 4", "not by 5")),
    "seats as text": ("seats = 3", 'seats = "3"', "season.seats", ("`int |",)),
    "option of another game": (
        "seats = 3",
        "seats = 3\noptions = { fog = true }",
        "season.options",
        ("fog",),
    ),
    "options that are none": ("seats = 3", "seats = 3\noptions = 1", "season.options", ()),
    "a short secret": ("seats = 3", 'seats = 3\nsecret = "ab"', "season.secret", ("64",)),
    "a secret and more": (
        "seats = 3",
        f'seats = 3\nsecret = "{64 * "a"}\\n"',
        "season.secret",
        ("64",),
    ),
    "empty data": ("seats = 3", 'seats = 3\ndata = ""', "season.data", (">= 1",)),
    "no matches": ("matches = 1", "matches = 0", "stop.matches", (">= 1",)),
    "no time": ("[play]", "[play]\ndeadline_ms = 0", "play.deadline_ms", (">= 1",)),
    "too much time": ("[play]", "[play]\ndeadline_ms = 3600001", "play.deadline_ms", ("3600000",)),
    "a negative margin": ("[play]", "[play]\nmargin_ms = -1", "play.margin_ms", (">= 0",)),
    "half a match": (
        "[play]",
        "[play]\nconcurrent_matches = 1.5",
        "play.concurrent_matches",
        ("`int`", "`float`"),
    ),
    "start with too few": ("[play]", "[play]\nstart_with = 2", "play.start_with", ("3 seats",)),
    "start with too many": ("[play]", "[play]\nstart_with = 4", "play.start_with", ("3 bots",)),
    "endless waiting": ("[play]", "[play]\nrejoin_seconds = inf", "play.rejoin_seconds", ("inf",)),
    "a port that is none": ("[server]", "[server]\nport = 65536", "server.port", ("65535",)),
    "no host": ("[server]", '[server]\nhost = ""', "server.host", (">= 1",)),
    "one port for two": (
        "[server]",
        "[admin]\nport = 8765\n[server]",
        "admin.port",
        ("8765 is server.port", "another"),
    ),
    "a certificate without its key": (
        "[server]",
        '[server]\ntls_cert = "cert.pem"',
        "server.tls_cert",
        ("tls_key",),
    ),
    "mu that is no number": ("[rating]", "[rating]\nmu = nan", "rating.mu", ("finite", "nan")),
    "endless sigma": ("[rating]", "[rating]\nsigma = inf", "rating.sigma", ("finite",)),
    "no sigma": ("[rating]", "[rating]\nsigma = 0.0", "rating.sigma", ("> 0",)),
    "negative tau": ("[rating]", "[rating]\ntau = -0.1", "rating.tau", (">= 0",)),
    "nothing but draws": (
        "[rating]",
        "[rating]\ndraw_probability = 1.0",
        "rating.draw_probability",
        ("< 1",),
    ),
    "two bots of one name": ('"bob"', '"ann"', "bots[1].name", ("'ann'", "bots[0]")),
    "unknown builtin": (
        'builtin = "greedy"',
        'builtin = "best"',
        "bots[0].builtin",
        ("'best'", "greedy, random"),
    ),
    "a bot for another game": (
        'builtin = "greedy"',
        'builtin = "settler"',
        "bots[0].builtin",
        ("settler does not play pioneers", "known for pioneers: greedy, random"),
    ),
    "a bot of two kinds": (
        'builtin = "greedy"',
        'builtin = "greedy"\nremote = true',
        "bots[0] (ann)",
        ("exactly one", "builtin and remote"),
    ),
    "a bot of no kind": ("remote = true", "", "bots[2] (cat)", ("exactly one", "none")),
    "a bot that is not remote": ("remote = true", "remote = false", "bots[2] (cat)", ("none",)),
    "an empty command": ('["python", "bob.py"]', "[]", "bots[1].command", (">= 1",)),
    "a command as text": ('["python", "bob.py"]', '"python bob.py"', "bots[1].command", ("str",)),
    "a word that is none": ('"bob.py"]', "1]", "bots[1].command[1]", ("`str`",)),
    "fewer than no restarts": (
        "remote = true",
        "remote = true\nmax_restarts = -1",
        "bots[2].max_restarts",
        (">= 0",),
    ),
    "too few bots": ('[[bots]]\nname = "cat"\nremote = true\n', "", "bots", ("2", "tables of 3")),
}


@pytest.mark.parametrize(("old", "new", "key", "words"), WRONG.values(), ids=WRONG)
def test_an_error_names_the_key_and_what_is_allowed(
    old: str, new: str, key: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    assert GOOD.count(old) >= 1
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, GOOD.replace(old, new, 1))
    error = caught.value
    assert error.key == key
    for word in words:
        assert word in error.message
    where = f"{tmp_path / 'season.toml'}: {key}: " if key else f"{tmp_path / 'season.toml'}: "
    assert str(error) == where + error.message


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"[season", "is not TOML"),
        (b"a = 1\na = 2", "is not TOML"),
        (b'name = "\xff"', "is not UTF-8: byte 8"),
    ],
)
def test_a_file_that_is_no_toml(content: bytes, word: str, tmp_path: Path) -> None:
    path = tmp_path / "season.toml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=word) as caught:
        load(path, games=GAMES, builtins={})
    assert caught.value.key == ""


@pytest.mark.parametrize("name", ["missing.toml", "."])
def test_a_file_that_cannot_be_read(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path / name, games=GAMES, builtins={})


def test_other_games_bring_their_own_options(tmp_path: Path) -> None:
    from tests.runner.rounds import Rounds

    games: dict[str, Any] = {Rounds.id: Rounds}
    text = GOOD.replace('"pioneers"', '"rounds"')
    path = tmp_path / "season.toml"
    path.write_text(text.replace("seats = 3", "seats = 3\noptions = { rounds = [[0, 3]] }"))
    with pytest.raises(ConfigError, match=r"season.options: .*seat"):
        load(path, games=games, builtins={"greedy": None})
    path.write_text(text.replace("seats = 3", "seats = 3\noptions = { rounds = [[0, 2]] }"))
    assert load(path, games=games, builtins={"greedy": None}).config.season.options

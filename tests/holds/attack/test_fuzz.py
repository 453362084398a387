"""Bytes that nobody meant: no exception escapes, and nothing grows."""

from __future__ import annotations

import gc
import subprocess
import sys
import tracemalloc
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.catalog import GAMES
from runner.bots import PLAYS
from runner.config import ConfigError, load
from tests.holds.attack.mutate import mutants
from tests.holds.attack.targets import FRAMES, HANDSHAKE, TARGETS, Actions, Messages, Target
from tests.holds.crash.seasons import ROOT

RUNS = 3_000
MANY_RUNS = 100_000
# Files are written and read, which takes its time.
CONFIGS = 15
# What a target may hold on to after thousands of cases: caches that fill up once.
KEPT_BYTES = 300_000


@pytest.mark.parametrize("name", TARGETS)
def test_mutants_of_good_examples(name: str, tmp_path: Path) -> None:
    make, examples = TARGETS[name]
    target = make(tmp_path)
    for case in mutants(examples, seed=1, count=_fewer(name, RUNS)):
        _try(target, case)


def _fewer(name: str, runs: int) -> int:
    return runs // CONFIGS if name == "configs" else runs


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_many_mutants_and_no_memory(name: str, tmp_path: Path) -> None:
    make, examples = TARGETS[name]
    target = make(tmp_path)
    for case in mutants(examples, seed=2, count=_fewer(name, RUNS)):
        _try(target, case)
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for case in mutants(examples, seed=3, count=_fewer(name, RUNS)):
            _try(target, case)
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < KEPT_BYTES
    for case in mutants(examples, seed=4, count=_fewer(name, MANY_RUNS)):
        _try(target, case)


# Cases that once broke something.
FOUND = {
    "a close behind a handshake that was not answered yet": (
        "handshakes",
        HANDSHAKE + FRAMES[-1],
    ),
    "a broken frame behind a handshake that was not answered yet": (
        "handshakes",
        HANDSHAKE + FRAMES[0] + b"\xff\xff",
    ),
}


@pytest.mark.parametrize(("name", "case"), FOUND.values(), ids=FOUND)
def test_what_was_found(name: str, case: bytes, tmp_path: Path) -> None:
    make, _ = TARGETS[name]
    _try(make(tmp_path), case)


SEASON = 'season = {{ name = "x", game = "pioneers"{} }}\nstop = {{ matches = 1 }}\n'
NUL = r'"a\u0000b"'


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("season.data", SEASON.format(f", data = {NUL}") + "bots = []\n"),
        ("server.host", SEASON.format("") + f"bots = []\nserver = {{ host = {NUL} }}\n"),
        ("server.tls_cert", SEASON.format("") + f"bots = []\nserver = {{ tls_cert = {NUL} }}\n"),
        ("bots[0].command[0]", SEASON.format("") + f'[[bots]]\nname = "x"\ncommand = [{NUL}]\n'),
    ],
)
def test_no_path_and_no_argument_holds_a_nul(key: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "season.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load(path, games=GAMES, builtins=PLAYS)
    assert refused.value.key == key


def _try(target: Target, case: bytes) -> None:
    try:
        target(case)
    except Exception as error:
        raise AssertionError(f"a case to keep as a test: {case!r}") from error


WORDS = (
    *("type", "settlement", "road", "edge", "vertex", "hex", "victim", "accept", "discard"),
    *("give", "get", "to", "resource", "resources", "edges", "brick", "ore", "text", "say"),
)
_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
_messages = st.fixed_dictionaries(
    {},
    optional={
        "id": st.just(7) | st.integers() | _json,
        "type": st.sampled_from(["answer", "hello", "event"]) | _json,
        "action": _json,
        "error": st.text() | _json,
        "protocol": _json,
        "token": _json,
    },
)


class TestMessages:
    """Structures of JSON where a message or an action is expected."""

    target = Messages(Path())
    actions = Actions(Path())

    @settings(max_examples=300, deadline=None)
    @given(_messages)
    def test_any_message(self, message: object) -> None:
        self.target(msgspec.json.encode(message))

    @settings(max_examples=300, deadline=None)
    @given(st.dictionaries(st.sampled_from(WORDS), _json, max_size=5))
    def test_any_action(self, action: object) -> None:
        self.actions(msgspec.json.encode(action))


@pytest.mark.slow
@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not installed")
@pytest.mark.parametrize("name", TARGETS)
def test_guided_by_coverage(name: str) -> None:
    """The same targets with atheris, which looks at what code a case reaches."""
    runs = _fewer(name, 50_000)
    command = (sys.executable, "-m", "tests.holds.attack.fuzz", name, f"-runs={runs}", "-seed=1")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]

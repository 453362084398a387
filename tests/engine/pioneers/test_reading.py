"""Answers as bytes: what is read, what is refused and in which words."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.game import IllegalAction, MalformedAction
from engine.pioneers import Pioneers
from engine.pioneers.actions import KINDS, Bundle, EndTurn, MoveBandit, OfferTrade, Setup
from engine.reading import Reader

read = Reader(KINDS).read


@pytest.mark.parametrize(
    ("kind", "raw", "action"),
    [
        ("setup", b'{"settlement": 12, "road": 15}', Setup(12, 15)),
        ("setup", b'{"settlement": 12, "road": 15, "why": [{}]}', Setup(12, 15)),
        ("turn", b'{"type": "end_turn", "talk": null}', EndTurn()),
        ("bandit", b'{"hex": 3, "victim": null}', MoveBandit(3)),
        (
            "turn",
            b'{"type": "offer_trade", "give": {"ore": 0, "wool": 2}, "get": {"brick": 1}, "to": 1}',
            OfferTrade(Bundle(wool=2), Bundle(brick=1), 1),
        ),
    ],
)
def test_reads(kind: str, raw: bytes, action: Any) -> None:
    assert read(kind, raw) == action
    assert read(kind, msgspec.Raw(raw)) == action


@pytest.mark.parametrize(
    ("kind", "raw", "words"),
    [
        ("setup", b'{"settlement": 12}', "road"),
        ("setup", b'{"settlement": 54, "road": 1}', "$.settlement"),
        ("setup", b'{"settlement": 1.0, "road": 1}', "$.settlement"),
        ("setup", b'{"settlement": true, "road": 1}', "$.settlement"),
        ("setup", b"[]", "object"),
        ("setup", b"", "truncated"),
        ("turn", b'{"edge": 1}', "type"),
        ("turn", b'{"type": "build_road", "edge": "1"}', "$.edge"),
        ("turn", b'{"type": "play_roadworks", "edges": [72]}', "$.edges[0]"),
        ("turn", b'{"type": "play_roadworks", "edges": [1, 2, 3]}', "$.edges"),
        ("turn", b'{"type": "play_windfall", "resources": ["ore"]}', "$.resources"),
        ("turn", b'{"type": "bank_trade", "give": "gold", "get": "ore"}', "$.give"),
        ("turn", b'{"type": "offer_trade", "give": {"gold": 1}, "get": {}}', "`gold`"),
        ("turn", b'{"type": "offer_trade", "give": {"ore": -1}, "get": {}}', "$.give.ore"),
        ("turn", b'{"type": "offer_trade", "give": {"ore": 1e400}, "get": {}}', "$.give.ore"),
        ("turn", b'{"type": "offer_trade", "give": {"ore": 9' + b"9" * 5000 + b"}}", "$.give.ore"),
        ("trade", b'{"accept": 1}', "$.accept"),
        ("trade", b'{"accept": true, "talk": 5}', "$.talk"),
        ("trade", b'{"accept": true, "talk": "\\ud800"}', ""),
        ("trade", b'{"accept": true, "talk": "\xff"}', ""),
        ("trade", b'{"accept": true, "x": ' + b"[" * 200_000, "nested"),
        ("discard", b'{"discard": [1, 2]}', "$.discard"),
        ("bandit", b'{"hex": 19}', "$.hex"),
        ("bandit", b'{"hex": 1, "victim": 4}', "$.victim"),
    ],
)
def test_refuses_and_says_where(kind: str, raw: bytes, words: str) -> None:
    with pytest.raises(MalformedAction) as refused:
        read(kind, raw)
    assert words in refused.value.message
    assert refused.value.code == "malformed"


def test_what_a_bot_wrote_is_quoted_safely() -> None:
    raw = msgspec.json.encode({"type": "\x1b[2J\u202e" + "x" * 1000})
    with pytest.raises(MalformedAction) as refused:
        read("turn", raw)
    assert refused.value.message.isprintable()
    assert len(refused.value.message) <= 200


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)
fields = st.sampled_from(
    ["type", "edge", "edges", "vertex", "give", "get", "to", "hex", "accept", "discard", "talk"]
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(KINDS)), st.binary() | st.dictionaries(fields, json_values))
def test_nothing_but_malformed_action_comes_out(kind: str, sent: bytes | dict[str, Any]) -> None:
    raw = sent if isinstance(sent, bytes) else msgspec.json.encode(sent)
    try:
        action = read(kind, raw)
    except MalformedAction:
        return
    expected: Any = KINDS[kind]
    assert isinstance(action, expected)


def test_a_seat_that_is_not_asked_cannot_answer() -> None:
    game = Pioneers.deal(3, bytes(32))
    with pytest.raises(IllegalAction) as refused:
        game.decode(1, b'{"settlement": 1, "road": 1}')
    assert refused.value.code == "not_asked"

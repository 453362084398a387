"""What a model may answer: read where it is clear, refused where it is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.pioneers.actions import MAX_TALK
from runner.bots.llm.reply import MOST_CHARACTERS, Reply, UnclearReply, read_reply


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ('{"action": 3}', Reply(3)),
        ('{"action": 3, "say": "hello there"}', Reply(3, "hello there")),
        ('{"say": "hi", "why": {"action": "none"}, "action": "3"}', Reply(3, "hi")),
        ("3", Reply(3)),
        (" 3\n", Reply(3)),
        ('```json\n{"action": 3}\n```', Reply(3)),
        ('I take {brick, ore}: {"action": 3, "say": "mine"} as that wins.', Reply(3, "mine")),
        ('Action: 3\n{"action": 3}', Reply(3)),
        ('{"action": 3} That is {"action": 3}.', Reply(3)),
        ('<think>{"action": 1}? No: {"action": 2}.</think>{"action": 3}', Reply(3)),
        ('{"action": 3, "say": null}', Reply(3)),
        ('{"action": 3, "say": "  "}', Reply(3)),
        ('{"action": 3, "say": ["hi"]}', Reply(3)),
        ('{"action": 3, "say": "one\\ntwo\\t three"}', Reply(3, "one two three")),
        ('{"action": 3, "say": "\\ud800"}', Reply(3)),
        ('{"action": 3, "say": "a"} {"action": 3, "say": "b"}', Reply(3)),
        ('{"action": 3, "say": "' + "x" * 1000 + '"}', Reply(3, "x" * MAX_TALK)),
    ],
)
def test_clear_answers(text: str, reply: Reply) -> None:
    assert read_reply(text, 5) == reply


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no action"),
        ("I end my turn.", "no action"),
        ("3 or 4", "no action"),
        ("Action: 3", "no action"),
        ("{'action': 3}", "no action"),
        ('{"number": 3}', "no action"),
        ('[{"choice": {"action": 3}}]', "no action"),
        ('{"action": 3', "no action"),
        ('{"action": 3} {"action": 4}', "2 actions"),
        ('{"action": 3} or better "action": 4', "2 actions"),
        ('{"action": 3, "else": [{"action": 4}]', "2 actions"),
        ("{action: 3, else: " + '{"action": 4}}', "2 actions"),
        ('{"action": 3, "action": 4}', "twice"),
        ('{"action": 3, "action": 4, "else": {"action": 5}}', "twice"),
        ('{"action": 3.0}', "no number"),
        ('{"action": true}', "no number"),
        ('{"action": null}', "no number"),
        ('{"action": [3]}', "no number"),
        ('{"action": "three"}', "no number"),
        ('{"action": 0}', "action 0"),
        ('{"action": -1}', "action -1"),
        ('{"action": 6}', "action 6, there being 1 to 5"),
        ("6", "action 6"),
        ('{"action": ' + "9" * 5000 + "}", "no action"),
        ("{" * 200, "braces"),
        ('{"a":' * 90, "no action"),
        ("x" * (MOST_CHARACTERS + 1), "characters"),
    ],
)
def test_nothing_is_guessed(text: str, why: str) -> None:
    with pytest.raises(UnclearReply, match=why):
        read_reply(text, 5)


@given(st.text(alphabet='{}[]":,0123456789 action sy\\ud8', max_size=200), st.integers(1, 9))
def test_whatever_is_written_it_is_an_action_or_unclear(text: str, actions: int) -> None:
    try:
        reply = read_reply(text, actions)
    except UnclearReply:
        return
    assert 1 <= reply.action <= actions

"""Transcripts: what is played through them, what `read` takes, and what `verify` finds."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec import UNSET, Raw

from engine.chance import commitment, derive_seed
from engine.game import Game, IllegalAction
from engine.pioneers import Pioneers
from engine.transcript import (
    FAULTS,
    By,
    Decision,
    End,
    Fault,
    Header,
    Playthrough,
    Transcript,
    TranscriptError,
    deal,
    encode_line,
    read,
    replay,
    verify,
)
from tests.runner.rounds import Rounds, Say

SEED = derive_seed(bytes(32), "m000001")
ROUNDS = [[0], [1], [0, 1, 2], [2, 0], [1], [0, 1, 2], [2]]
# What each seat does in turn; a fault means that the default was played.
SCRIPT: dict[int, list[By]] = {
    0: ["answer"] * 4,
    1: ["timeout", "illegal", "error", "resigned"],
    2: ["answer", "timeout", "answer", "answer"],
}


def header(**changes: Any) -> Header:
    fields: dict[str, Any] = {
        "match": "m000001",
        "season": "test",
        "game": "rounds",
        "seats": 3,
        "players": ("ann", "bob", "cat"),
        "commitment": commitment(SEED),
        "started_ms": 1000,
        "versions": ("", "1", ""),
        "options": {"rounds": ROUNDS},
    }
    return Header(**fields | changes)


def played() -> list[bytes]:
    """The lines of a whole match, played as SCRIPT says."""
    head = header()
    play = deal(head, SEED, Rounds)
    lines = [encode_line(head)]
    script = {seat: iter(conduct) for seat, conduct in SCRIPT.items()}
    ids = [0, 0, 0]
    while waiting := play.waiting():
        seat = max(waiting)  # not in seat order, as answers come
        by: By = next(script[seat])
        action = Say(seat + 1) if by == "answer" else play.game.default(seat)
        decision = Decision(play.settled, seat, waiting[seat], Raw(msgspec.json.encode(action)), by)
        if by != "resigned":
            decision.ms, decision.id = 1.5, ids[seat]
            ids[seat] += 1
        if by in FAULTS:
            decision.fault = Fault(
                "code", "why", Raw(b'{"number":7}') if by == "illegal" else UNSET
            )
        play.settle(seat, action, by)
        lines.append(encode_line(decision))
    outcome = play.game.outcome()
    assert outcome is not None
    end = End(outcome.placements, outcome.scores, outcome.reason, SEED.hex(), 2000)
    return [*lines, encode_line(end)]


LINES = played()


def test_a_match_reads_as_it_was_written() -> None:
    found = read(LINES)
    assert found.header == header()
    assert [d.n for d in found.decisions] == list(range(12))
    assert [encode_line(d) for d in found.decisions] == LINES[1:-1]
    assert found.end is not None
    assert encode_line(found.end) == LINES[-1]


def test_a_right_transcript_is_right() -> None:
    play = verify(read(LINES), Rounds)
    assert play.strikes == [0, 3, 1]
    assert play.resigned == [False, True, False]
    assert play.settled == 12
    verify(read(LINES), Rounds, SEED)


def test_every_view_comes_again() -> None:
    """Replaying gives the same match in every view, byte for byte, decision by decision."""
    found = read(LINES)
    one, two = deal(found.header, SEED, Rounds), deal(found.header, SEED, Rounds)
    for decision in found.decisions:
        assert replay(one, decision) == replay(two, decision)
        for seat in (0, 1, 2, None):
            assert one.game.view(seat) == two.game.view(seat)


def test_a_transcript_cut_between_any_two_lines_is_the_match_so_far() -> None:
    for cut in range(1, len(LINES)):
        found = read(LINES[:cut])
        assert found.end is None
        play = deal(found.header, SEED, Rounds)
        for decision in found.decisions:
            replay(play, decision)
        with pytest.raises(TranscriptError) as caught:
            verify(found, Rounds)
        assert caught.value.line == cut + 1
        assert "no end line" in caught.value.message


Change = Callable[[list[dict[str, Any]]], object]

# What is changed in the lines (0: header, 1 to 12: decisions, 13: end), the line that `verify`
# names, and a word of what it says.
DEPARTURES: dict[str, tuple[Change, int, str]] = {
    "header: commitment": (lambda ls: ls[0].update(commitment="00" * 32), 1, "commitment"),
    "header: game": (lambda ls: ls[0].update(game="pioneers"), 1, "'pioneers', not of 'rounds'"),
    "header: seats": (lambda ls: ls[0].update(seats=2), 1, "seat"),
    "header: players": (lambda ls: ls[0].update(players=["ann", "bob"]), 1, "players"),
    "header: versions": (lambda ls: ls[0].update(versions=["1"]), 1, "versions"),
    "header: options": (lambda ls: ls[0].update(options={}), 1, "rounds"),
    "header: other options": (
        lambda ls: ls[0]["options"]["rounds"].__setitem__(0, [1]),
        2,
        "seat 0 is not asked",
    ),
    "header: a round more": (lambda ls: ls[0]["options"]["rounds"].append([0]), 14, "not over"),
    "header: board seed": (lambda ls: ls[0].update(boardSeed="xy"), 1, ""),
    "decision: n": (lambda ls: ls[3].update(n=1), 4, "decision 1 where 2"),
    "decision: seat": (lambda ls: ls[1].update(seat=1), 2, "seat 1 is not asked"),
    "decision: no seat": (lambda ls: ls[1].update(seat=17), 2, "seat 17 is not asked"),
    "decision: kind": (lambda ls: ls[1].update(kind="shout"), 2, "'say' here, not 'shout'"),
    "decision: malformed": (lambda ls: ls[1].update(action={"number": "1"}), 2, "malformed"),
    "decision: illegal": (lambda ls: ls[1].update(action={"number": 7}), 2, "no_sevens"),
    "decision: illegal in a step": (lambda ls: ls[3].update(action={"number": 7}), 4, "no_sevens"),
    "decision: another legal action": (
        lambda ls: ls[1].update(action={"number": 9}),
        14,
        "replay gives",
    ),
    "decision: no default": (lambda ls: ls[2].update(action={"number": 1}), 3, "not the default"),
    "decision: a fault as an answer": (lambda ls: ls[2].update(by="answer"), 3, "fault"),
    "decision: an answer as a fault": (
        lambda ls: ls[1].update(by="timeout", action={"number": 0}),
        2,
        "fault",
    ),
    "decision: resigned too soon": (lambda ls: ls[2].update(by="resigned"), 3, "has not resigned"),
    "decision: answered after resigning": (
        lambda ls: ls[10].update(by="answer", id=3, ms=1.0),
        11,
        "has resigned",
    ),
    "decision: no fault": (lambda ls: ls[2].pop("fault"), 3, "fault"),
    "decision: no id": (lambda ls: ls[1].pop("id"), 2, "id"),
    "decision: no time": (lambda ls: ls[1].pop("ms"), 2, "ms"),
    "decision: an id that repeats": (lambda ls: ls[5].update(id=0), 6, "id"),
    "decision: left out": (lambda ls: ls.pop(4), 5, "decision 4 where 3"),
    "decision: twice": (lambda ls: ls.insert(4, ls[3]), 5, "decision 2 where 3"),
    "decisions: out of order": (lambda ls: ls.insert(3, ls.pop(4)), 4, "decision 3 where 2"),
    "decisions: the last left out": (lambda ls: ls.pop(12), 13, "not over"),
    "end: placements": (lambda ls: ls[13].update(placements=[1, 1, 1]), 14, "placements"),
    "end: fewer placements": (lambda ls: ls[13]["placements"].pop(), 14, "placements"),
    "end: scores": (lambda ls: ls[13]["scores"].__setitem__(0, 99), 14, "scores"),
    "end: reason": (lambda ls: ls[13].update(reason="rain"), 14, "reason"),
    "end: seed": (lambda ls: ls[13].update(seed="00" * 32), 1, "commitment"),
    "end: a seed that is no hex": (lambda ls: ls[13].update(seed="seed"), 14, "hexadecimal"),
    "end: a short seed": (lambda ls: ls[13].update(seed=""), 1, "commitment"),
    "end: left out": (lambda ls: ls.pop(), 14, "no end line"),
    "end: twice": (lambda ls: ls.append(ls[13]), 15, "nothing may follow"),
    "end: not last": (lambda ls: ls.insert(5, ls.pop()), 7, "nothing may follow"),
}


def changed(change: Change) -> list[bytes]:
    lines = [json.loads(line) for line in LINES]
    change(lines)
    return [json.dumps(line).encode() for line in lines]


@pytest.mark.parametrize(("change", "line", "word"), DEPARTURES.values(), ids=DEPARTURES)
def test_each_departure_is_found_where_it_is(change: Change, line: int, word: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        verify(read(changed(change)), Rounds)
    assert caught.value.line == line
    assert word in caught.value.message
    assert str(caught.value) == f"line {line}: {caught.value.message}"


# What a replay cannot know: names, times, and the words of a fault. The ledger keeps the digest
# of the whole file for that.
ANNOTATIONS: dict[str, Change] = {
    "match": lambda ls: ls[0].update(match="m000002"),
    "season": lambda ls: ls[0].update(season="other"),
    "player": lambda ls: ls[0]["players"].__setitem__(0, "eve"),
    "version": lambda ls: ls[0]["versions"].__setitem__(0, "9"),
    "start": lambda ls: ls[0].update(startedMs=0),
    "end": lambda ls: ls[13].update(endedMs=0),
    "time": lambda ls: ls[1].update(ms=99.0),
    "fault": lambda ls: ls[2]["fault"].update(code="other", message="other"),
    "refused answer": lambda ls: ls[4]["fault"].update(answer=[1]),
    "unknown fields": lambda ls: ls[1].update(mood="good"),
}


@pytest.mark.parametrize("change", ANNOTATIONS.values(), ids=ANNOTATIONS)
def test_what_a_replay_cannot_know_is_not_claimed(change: Change) -> None:
    verify(read(changed(change)), Rounds)


def test_every_field_is_either_checked_or_known_to_be_free() -> None:
    """A field that is new in a line needs a case in one of the two tables above."""
    covered = " ".join([*DEPARTURES, *ANNOTATIONS]).lower()
    words = {
        "type": "",
        "startedMs": "start",
        "endedMs": "end",
        "commitment": "commitment",
        "ms": "time",
        "action": "another legal action",
        "by": "a fault as an answer",
    }
    for line in LINES:
        for field in json.loads(line):
            assert words.get(field, field.removesuffix("s")).lower() in covered, field


def test_the_seasons_seed_is_checked_where_it_is_known() -> None:
    with pytest.raises(TranscriptError, match="season's secret") as caught:
        verify(read(LINES), Rounds, bytes(32))
    assert caught.value.line == 14


@pytest.mark.parametrize(
    ("lines", "line", "word"),
    [
        ([], 1, "empty"),
        ([b""], 1, ""),
        ([b"{"], 1, ""),
        ([b"[]"], 1, "object"),
        ([b'{"type":"footer"}'], 1, "footer"),
        ([LINES[1]], 1, "header"),
        ([LINES[-1]], 1, "header"),
        ([LINES[0], LINES[0]], 2, "second header"),
        ([LINES[0], b'{"type":"decision","n":0}'], 2, "seat"),
        ([LINES[0], LINES[1], LINES[1]], 3, "where 1"),
        ([LINES[0], b"\xff"], 2, ""),
        ([LINES[0], b'{"type":"end"' + 5000 * b"[" + b"}"], 2, ""),
        ([LINES[0], b'{"type":"end","x":' + 50_000 * b"[" + b"}"], 2, ""),
        ([LINES[0].replace(b'"seats":3', b'"seats":"3"')], 1, "seats"),
    ],
)
def test_what_cannot_be_read_is_named_by_its_line(lines: list[bytes], line: int, word: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        read(lines)
    assert caught.value.line == line
    assert word in caught.value.message


def test_a_refused_answer_may_be_any_json() -> None:
    for answer in (b"null", b"7", b'"text"', b"[1]", b'{"a":{}}'):
        fault = Fault("illegal", "no", Raw(answer))
        line = encode_line(Decision(0, 0, "say", Raw(b"{}"), "illegal", fault=fault))
        (found,) = read([LINES[0], line]).decisions
        assert found.fault == fault


# Playing through.


def start(rounds: list[list[int]]) -> Playthrough:
    return deal(header(options={"rounds": rounds}), SEED, Rounds)


def test_a_step_waits_for_all_of_its_seats() -> None:
    play = start([[0, 1, 2], [0]])
    assert play.waiting() == {0: "say", 1: "say", 2: "say"}
    assert play.settle(1, Say(4), "answer") is None
    assert play.waiting() == {0: "say", 2: "say"}
    assert play.settle(2, Say(5), "answer") is None
    events = play.settle(0, Say(6), "answer")
    assert events is not None
    assert [event.number for event in events] == [6, 4, 5]  # type: ignore[attr-defined]
    assert (play.settled, play.waiting()) == (3, {0: "say"})


def test_nothing_is_applied_before_the_step_is_whole() -> None:
    play = start([[0, 1, 2]])
    before = play.game.position()
    play.settle(0, Say(4), "answer")
    play.settle(1, Say(0), "timeout")
    assert play.game.position() == before


@pytest.mark.parametrize("seat", [0, 2, 5, -1])
def test_a_seat_that_is_not_waited_for_cannot_settle(seat: int) -> None:
    play = start([[0, 1], [0]])
    play.settle(0, Say(4), "answer")
    with pytest.raises(ValueError, match=f"seat {seat} is not asked"):
        play.settle(seat, Say(1), "answer")


@pytest.mark.parametrize("rounds", [[[0]], [[0, 1]]], ids=["alone", "in a step"])
def test_an_illegal_action_settles_nothing(rounds: list[list[int]]) -> None:
    play = start(rounds)
    with pytest.raises(IllegalAction):
        play.settle(0, Say(7), "answer")
    assert (play.settled, play.waiting()) == (0, dict.fromkeys(rounds[0], "say"))


def test_the_third_strike_resigns_before_its_step_is_applied() -> None:
    play = start([[0]] * 4)
    for strikes in (1, 2):
        play.settle(0, Say(0), "illegal")
        assert (play.strikes[0], play.resigned[0]) == (strikes, False)
    play.settle(0, Say(0), "error")
    assert (play.strikes[0], play.resigned[0]) == (3, True)
    assert play.game.view(None).resigned == (True, False, False)  # type: ignore[attr-defined]
    play.settle(0, Say(0), "resigned")
    assert play.strikes[0] == 3


def test_in_a_step_of_several_a_seat_resigns_with_the_last_of_them() -> None:
    play = start([[0]] * 2 + [[0, 1]])
    play.settle(0, Say(0), "timeout")
    play.settle(0, Say(0), "timeout")
    play.settle(0, Say(0), "timeout")
    assert not play.resigned[0], "others still think, and must not see it"
    play.settle(1, Say(1), "answer")
    assert play.resigned[0]


def test_pioneers_can_be_replayed_and_verified() -> None:
    """The same through the real game: defaults and legal moves, faults and a resignation."""
    game: type[Game] = Pioneers
    head = header(game="pioneers", options={})
    play = deal(head, SEED, game)
    decisions: list[Decision] = []
    ids = [0, 0, 0]
    while waiting := play.waiting():
        seat, kind = next(iter(waiting.items()))
        if play.resigned[seat]:
            by: By = "resigned"
        elif seat == 2 and play.settled % 40 == 0:
            by = "timeout"
        else:
            by = "answer"
        legal = play.game.legal(seat)
        action = legal[play.settled % len(legal)] if by == "answer" else play.game.default(seat)
        decision = Decision(play.settled, seat, kind, Raw(msgspec.json.encode(action)), by)
        if by != "resigned":
            decision.ms, decision.id = 0.5, ids[seat]
            ids[seat] += 1
        if by == "timeout":
            decision.fault = Fault("timeout", "late")
        decisions.append(decision)
        play.settle(seat, action, by)
    outcome = play.game.outcome()
    assert outcome is not None
    end = End(outcome.placements, outcome.scores, outcome.reason, SEED.hex(), 2)
    lines = [encode_line(line) for line in (head, *decisions, end)]
    assert verify(read(lines), game).game.position() == play.game.position()
    scores = (end.scores[0] + 1, *end.scores[1:])
    claimed = End(end.placements, scores, end.reason, end.seed, end.ended_ms)
    with pytest.raises(TranscriptError, match="scores"):
        verify(Transcript(head, decisions, claimed), game)

"""Following matches by their journals."""

from __future__ import annotations

from pathlib import Path

from msgspec import Raw

from engine import transcript as record
from engine.chance import commitment, derive_seed
from runner.tryout.onlooker import Onlooker
from tests.runner.rounds import Rounds

SECRET = bytes(32)


def lines(match: str) -> list[bytes]:
    """A journal of two rounds: both seats are asked in the first, seat 1 in the second."""
    seed = derive_seed(SECRET, match)
    header = record.Header(
        match, "s", Rounds.id, 2, ("a", "b"), commitment(seed), 0, options={"rounds": [[0, 1], [1]]}
    )
    said = [(0, 5), (1, 3), (1, 8)]
    decisions = [
        record.Decision(n, seat, "say", Raw(b'{"number":%d}' % number), "answer", ms=1.0, id=n)
        for n, (seat, number) in enumerate(said)
    ]
    end = record.End((2, 1), (5, 11), "played", seed.hex(), 1)
    return [record.encode_line(line) + b"\n" for line in (header, *decisions, end)]


def folders(data: Path) -> tuple[Path, Path]:
    playing, over = data / "playing", data / "transcripts"
    playing.mkdir()
    over.mkdir()
    return playing, over


def told(onlooker: Onlooker) -> list[str]:
    """What there is to see now, in short."""
    seen = []
    while (scene := onlooker.next()) is not None:
        seen += [f"{scene.header.match}: {line}" for line in scene.told]
        if scene.end is not None:
            seen.append(f"{scene.header.match} over: {scene.end.placements}")
    return [line.partition(", the roll")[0] for line in seen]


def test_a_match_is_seen_as_it_is_written(tmp_path: Path) -> None:
    playing, over = folders(tmp_path)
    onlooker = Onlooker(tmp_path, Rounds, SECRET)
    assert told(onlooker) == []
    header, first, second, third, end = lines("m000001")
    with (playing / "m000001.jsonl").open("ab", buffering=0) as journal:
        journal.write(header + first)
        assert told(onlooker) == ["m000001: the match begins"], "the round is not over yet"
        journal.write(second[:20])
        assert told(onlooker) == [], "half a line says nothing"
        journal.write(second[20:])
        assert told(onlooker) == ["m000001: seat 0 says 5", "m000001: seat 1 says 3"]
        journal.write(third + end)
        (playing / "m000001.jsonl").rename(over / "m000001.jsonl")
    assert told(onlooker) == ["m000001: seat 1 says 8", "m000001 over: (2, 1)"]
    onlooker.close()


def test_matches_are_seen_one_after_the_other_wherever_they_lie(tmp_path: Path) -> None:
    playing, over = folders(tmp_path)
    (over / "m000001.jsonl").write_bytes(b"".join(lines("m000001")))
    (playing / "m000002.jsonl").write_bytes(b"".join(lines("m000002")[:1]))
    onlooker = Onlooker(tmp_path, Rounds, SECRET)
    seen = told(onlooker)
    assert seen[0] == "m000001: the match begins"
    assert seen[-2:] == ["m000001 over: (2, 1)", "m000002: the match begins"]
    onlooker.close()

"""A seeded mutator: cases made of good examples, a little or very much changed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

# What parsers stumble over: ends of ranges, brackets, escapes, bytes that are no text.
TOKENS = (
    *(b"", b"\x00", b"\xff", b"\xed\xa0\x80", b"\xc3(", b"\\u0000", b"\\ud800", b"\r\n", b"\n"),
    *(b"-1", b"0", b"1e999", b"1.0", b"9223372036854775808", b"18446744073709551616", b"NaN"),
    *(b"null", b"true", b"[]", b"{}", b"[" * 50, b'{"a":' * 50, b'"', b"'", b'"""', b"=", b","),
    *(b'"id"', b'"type"', b'"action"', b'"error"', b"\x81\x80", b"\x88\x80", b"\x80\x00"),
    *(b"0x", b"+inf", b"1979-05-27", b"[[bots]]", b"#", b" " * 40, b"x" * 300),
)


def mutants(examples: Sequence[bytes], seed: int, count: int) -> Iterator[bytes]:
    """`count` cases; the same seed makes the same ones."""
    draw = random.Random(seed)
    for _ in range(count):
        case = bytearray(draw.choice(examples))
        for _ in range(draw.choice((0, 1, 1, 1, 2, 3, 8))):
            _change(case, examples, draw)
        yield bytes(case)


def _change(case: bytearray, examples: Sequence[bytes], draw: random.Random) -> None:
    begin = draw.randint(0, len(case))
    end = min(len(case), begin + draw.choice((0, 1, 1, 2, 4, 16, 200)))
    match draw.randrange(6):
        case 0:
            del case[begin:end]
        case 1:
            case[begin:begin] = draw.choice(TOKENS)
        case 2:
            case[begin:end] = draw.choice(TOKENS)
        case 3 if case:
            case[min(begin, len(case) - 1)] ^= 1 << draw.randrange(8)
        case 4:
            case[begin:begin] = case[begin:end] * draw.randint(1, 4)
        case _:
            other = draw.choice(examples)
            place = draw.randint(0, len(other))
            case[begin:end] = other[place : place + draw.choice((1, 8, 64))]

"""Text from outside, made safe to print."""

from __future__ import annotations


def printable(text: str, limit: int | None = None) -> str:
    """`text` with everything escaped that could move a cursor or reorder what stands around it.

    limit: most characters of the result; what is longer ends in an ellipsis.
    """
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return shown if limit is None or len(shown) <= limit else shown[: limit - 1] + "…"

"""Small drawings in text: an interval on a common scale, a course over time."""

from __future__ import annotations

from collections.abc import Sequence

_LEVELS = "▁▂▃▄▅▆▇█"


def interval(low: float, middle: float, high: float, scale: tuple[float, float], width: int) -> str:
    """An interval as `├──●──┤` in `width` characters that stand for `scale`, low to high."""
    first, last = scale
    step = (last - first) / (width - 1) or 1.0
    marks = [min(width - 1, max(0, round((at - first) / step))) for at in (low, middle, high)]
    line = [" "] * width
    line[marks[0] : marks[2] + 1] = "─" * (marks[2] + 1 - marks[0])
    line[marks[0]], line[marks[2]] = "├", "┤"
    line[marks[1]] = "●"
    return "".join(line)


def sparkline(values: Sequence[float], width: int) -> str:
    """Values over time in at most `width` characters, low to high; averages where there are more.

    "" where there are none.
    """
    if not values:
        return ""
    columns = min(width, len(values))
    averages = []
    for n in range(columns):
        part = values[n * len(values) // columns : (n + 1) * len(values) // columns]
        averages.append(sum(part) / len(part))
    low, high = min(averages), max(averages)
    span = high - low or 1.0
    return "".join(
        _LEVELS[min(len(_LEVELS) - 1, int((value - low) / span * len(_LEVELS)))]
        for value in averages
    )

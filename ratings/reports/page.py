"""A season as one web page that stands alone: the table, and a plot of ratings over time."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from itertools import count, pairwise

from ratings.lines import Lines
from ratings.results import MatchResult
from ratings.skill import Skill
from ratings.tables import Table, cell, escaped

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 960, 380, 44, 150, 12, 30
_MOST_POINTS = 400
_MOST_LINES = 12

# Okabe and Ito's colours, which most people can tell apart, then the same with a dash.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #888; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 96rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: right; }
th { font-weight: 600; position: sticky; top: 0; background: Canvas; }
th.left, td.left { text-align: left; }
td.drawn { font-family: ui-monospace, monospace; white-space: pre; }
p.note { color: var(--soft); max-width: 60rem; }
svg { max-width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: currentColor; }
svg .grid { stroke: var(--line); }
"""


def page(
    title: str,
    tables: Sequence[Table],
    courses: Mapping[str, Sequence[tuple[int, float]]] | None = None,
) -> str:
    """HTML without scripts or anything from elsewhere.

    courses: by bot, best first, its rating after each of its matches, as pairs of the season's
    match count and rating; of more than twelve bots the first twelve are drawn.
    """
    name = html.escape(escaped(title))
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        f"<title>{name}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{name}</h1>",
    ]
    for n, table in enumerate(tables):
        parts.append(_table(table, heading=table.title != title))
        if n == 0 and courses and any(courses.values()):
            parts.append(_plot(dict(list(courses.items())[:_MOST_LINES])))
    parts.append("</body></html>\n")
    return "\n".join(parts)


def rating_courses(
    results: Iterable[MatchResult], skill: Skill
) -> dict[str, list[tuple[int, float]]]:
    """What `page` plots: every bot's rating after each of its matches, the best bot first."""
    lines = Lines(skill)
    courses: dict[str, list[tuple[int, float]]] = {}
    for number, result in enumerate(results, start=1):
        lines.apply(result, lines.rate(result))
        for seat in result.seats:
            courses.setdefault(seat.bot, []).append((number, lines.rating(seat.bot).value))
    return dict(sorted(courses.items(), key=lambda course: (-course[1][-1][1], course[0])))


def _table(table: Table, *, heading: bool) -> str:
    lines = []
    if heading and table.title:
        lines.append(f"<h2>{html.escape(escaped(table.title))}</h2>")
    lines.append('<div class="wide"><table><thead><tr>')
    kinds = [
        " ".join(
            kind for kind in (column.align, "drawn" if column.drawn else "") if kind != "right"
        ).strip()
        for column in table.columns
    ]
    marks = [f' class="{kind}"' if kind else "" for kind in kinds]
    for column, mark in zip(table.columns, marks, strict=True):
        lines.append(f"<th{mark}>{html.escape(column.heading)}</th>")
    lines.append("</tr></thead><tbody>")
    for row in table.rows:
        cells = [
            f"<td{mark}>{html.escape(cell(column, row))}</td>"
            for column, mark in zip(table.columns, marks, strict=True)
        ]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    lines.append("</tbody></table></div>")
    if table.note:
        lines.append(f'<p class="note">{html.escape(escaped(table.note))}</p>')
    return "\n".join(lines)


def _plot(courses: Mapping[str, Sequence[tuple[int, float]]]) -> str:
    """Lines of rating over the season's matches, named at their ends."""
    points = [point for course in courses.values() for point in course]
    last = max(match for match, _ in points)
    low, high = min(value for _, value in points), max(value for _, value in points)
    step = _step(high - low)
    floor, ceiling = step * (low // step), step * -(-high // step)
    if floor == ceiling:
        ceiling += step

    def at(match: float, value: float) -> tuple[float, float]:
        across = (_WIDTH - _LEFT - _RIGHT) * match / max(1, last)
        down = (_HEIGHT - _TOP - _BOTTOM) * (ceiling - value) / (ceiling - floor)
        return _LEFT + across, _TOP + down

    lines = [f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="ratings over time">']
    for n in range(round((ceiling - floor) / step) + 1):
        value = floor + n * step
        _, y = at(0, value)
        lines.append(
            f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>'
        )
    for match in (0, last):
        x, _ = at(match, floor)
        lines.append(
            f'<text x="{x:.1f}" y="{_HEIGHT - 10}" text-anchor="middle">{match} matches</text>'
        )
    drawn = [(bot, course) for bot, course in courses.items() if course]
    heights = _apart([at(*course[-1])[1] for _, course in drawn])
    for n, ((bot, course), height) in enumerate(zip(drawn, heights, strict=True)):
        colour = _COLOURS[n % len(_COLOURS)]
        dash = ' stroke-dasharray="6 3"' if n >= len(_COLOURS) else ""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in _thinned(course)))
        lines.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"{dash}/>'
        )
        name = html.escape(escaped(bot if len(bot) <= 20 else f"{bot[:19]}…"))
        lines.append(
            f'<text x="{_WIDTH - _RIGHT + 8}" y="{height + 4:.1f}" style="fill:{colour}">'
            f"{name}</text>"
        )
    lines.append("</svg>")
    return "\n".join(lines)


def _step(span: float) -> float:
    """A round distance between grid lines, for at most eight of them: 1, 2, 5, 10, 20, …"""
    steps = (digit * 10.0**power for power in count() for digit in (1, 2, 5))
    return next(step for step in steps if span / step <= 8)


def _apart(heights: Sequence[float]) -> list[float]:
    """Heights moved down as little as keeps names from covering each other."""
    order = sorted(range(len(heights)), key=lambda n: heights[n])
    placed = list(heights)
    for above, below in pairwise(order):
        placed[below] = max(placed[below], placed[above] + 14)
    excess = max(0.0, max(placed, default=0) - (_HEIGHT - _BOTTOM))
    return [height - excess for height in placed]


def _thinned(course: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """No more points than can be seen, the last one always among them."""
    every = -(-len(course) // _MOST_POINTS)
    return [point for n, point in enumerate(course) if n % every == 0 or n == len(course) - 1]

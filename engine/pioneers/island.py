"""The island as text: hexes with their tokens, towns at the corners, roads along the sides."""

from __future__ import annotations

from engine.pioneers.board import EDGES, HEX_POINTS, VERTEX_POINTS
from engine.pioneers.view import PioneersView

# A step of the lattice is this many columns wide and this many lines high.
_WIDE, _HIGH = 4, 2
_LEFT = 1 - min(x for _, x in VERTEX_POINTS)
_TOP = -min(y for y, _ in VERTEX_POINTS)


def draw_island(view: PioneersView) -> list[str]:
    """Lines of text. `s2` is a settlement and `C2` a city of seat 2, a side marked 2 its road,
    `(B)` the bandit; a corner where nobody lives shows its number."""
    columns = _WIDE * (_LEFT + max(x for _, x in VERTEX_POINTS)) + 4
    lines = [[" "] * columns for _ in range(_HIGH * (_TOP + max(y for y, _ in VERTEX_POINTS)) + 1)]

    def write(y: float, x: float, text: str) -> None:
        """Centre `text` on a point of the lattice."""
        line = round(_HIGH * (_TOP + y))
        column = round(_WIDE * (_LEFT + x)) - len(text) // 2
        lines[line][column : column + len(text)] = text

    road_of = {edge: str(seat) for seat, edges in enumerate(view.roads) for edge in edges}
    for edge, (a, b) in enumerate(EDGES):
        (ya, xa), (yb, xb) = VERTEX_POINTS[a], VERTEX_POINTS[b]
        if xa == xb:
            for y in (ya + 0.5, ya + 1, ya + 1.5):
                write(y, xa, road_of.get(edge, "|"))
        else:
            write((ya + yb) / 2, (xa + xb) / 2, road_of.get(edge, "/" if xb < xa else "\\"))
    town_at = {v: f"s{seat}" for seat, at in enumerate(view.settlements) for v in at}
    town_at |= {v: f"C{seat}" for seat, at in enumerate(view.cities) for v in at}
    for vertex, (y, x) in enumerate(VERTEX_POINTS):
        write(y, x, town_at.get(vertex, str(vertex)))
    for h, (tile, (y, x)) in enumerate(zip(view.hexes, HEX_POINTS, strict=True)):
        token = "" if tile.token is None else str(tile.token)
        write(y - 0.5, x, f"#{h}")
        write(y, x, tile.resource)
        write(y + 0.5, x, f"{token} (B)".strip() if h == view.bandit else token)
    return ["".join(line).rstrip() for line in lines]

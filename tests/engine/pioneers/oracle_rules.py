"""The oracle's reading of what is allowed: one function per decision kind, on plain dicts.

A state is the JSON of a position (camelCase keys) plus `over`. Each function gives the reason
why an action is refused, or None where it is allowed. Actions are wire JSON.
"""

from __future__ import annotations

from typing import Any, TypeGuard

from tests.engine.pioneers.oracle_board import (
    EDGES,
    PORTS,
    RESOURCES,
    edges_at,
    longest_trail,
    neighbours,
)

State = dict[str, Any]
Json = dict[str, Any]

COSTS = {
    "road": {"brick": 1, "lumber": 1},
    "settlement": {"brick": 1, "lumber": 1, "wool": 1, "grain": 1},
    "city": {"grain": 2, "ore": 3},
    "dev_card": {"wool": 1, "grain": 1, "ore": 1},
}


def is_id(value: Any, count: int) -> TypeGuard[int]:
    """Whether `value` is an integer (no bool, no float) from 0 to count - 1."""
    return type(value) is int and 0 <= value < count


def is_bundle(value: Any) -> TypeGuard[Json]:
    """Whether `value` is an object of known resources with non-negative integer counts."""
    return isinstance(value, dict) and all(
        name in RESOURCES and type(count) is int and count >= 0 for name, count in value.items()
    )


def has(hand: Json, bundle: Json) -> bool:
    """Whether a hand holds at least what `bundle` says."""
    return all(hand.get(name, 0) >= count for name, count in bundle.items())


def total(bundle: Json) -> int:
    """How many cards a bundle has."""
    return sum(bundle.values())


def towns(s: State, seat: int) -> list[int]:
    """The vertices with a settlement or a city of `seat`."""
    return sorted(s["settlements"][seat] + s["cities"][seat])


def all_towns(s: State) -> list[int]:
    """The vertices with anybody's town."""
    return [v for seat in range(s["seats"]) for v in towns(s, seat)]


def opposing_towns(s: State, seat: int) -> list[int]:
    """The vertices with a town of somebody else."""
    return [v for v in all_towns(s) if v not in towns(s, seat)]


def road_length(s: State, seat: int) -> int:
    """The longest road of `seat`."""
    return longest_trail(frozenset(s["roads"][seat]), frozenset(opposing_towns(s, seat)))


def public_points(s: State, seat: int) -> int:
    """Points that everybody sees: towns and awards."""
    points = len(s["settlements"][seat]) + 2 * len(s["cities"][seat])
    return points + 2 * list(s["awards"].values()).count(seat)


def true_points(s: State, seat: int) -> int:
    """Public points and every victory point card, old or new."""
    hidden = s["devCards"][seat]["victory_point"] + s["devBoughtThisTurn"][seat]["victory_point"]
    return public_points(s, seat) + int(hidden)


def bank_rate(s: State, seat: int, resource: str) -> int:
    """How many cards of `resource` the bank wants for one."""
    mine = towns(s, seat)
    kinds = [port["kind"] for port in PORTS if any(v in mine for v in port["vertices"])]
    if resource in kinds:
        return 2
    return 3 if "generic" in kinds else 4


def refuse_talk(action: Json) -> str | None:
    talk = action.get("talk")
    return None if talk is None or isinstance(talk, str) else "talk is no text"


def distance_ok(s: State, vertex: int) -> bool:
    """The distance rule: no town here nor one edge away."""
    return all(v not in all_towns(s) for v in [vertex, *neighbours(vertex)])


def edge_is_free(s: State, edge: int) -> bool:
    """Whether nobody has a road on `edge`."""
    return all(edge not in roads for roads in s["roads"])


def refuse_setup(s: State, seat: int, action: Json) -> str | None:
    vertex, edge = action.get("settlement"), action.get("road")
    if not is_id(vertex, 54) or not is_id(edge, 72):
        return "no such vertex or edge"
    if not distance_ok(s, vertex):
        return "too close to a town"
    if vertex not in EDGES[edge]:
        return "the road does not touch the settlement"
    if not edge_is_free(s, edge):
        return "the edge is taken"
    return None


def refuse_discard(s: State, seat: int, action: Json) -> str | None:
    bundle = action.get("discard")
    if not is_bundle(bundle):
        return "no bundle"
    if total(bundle) != total(s["hands"][seat]) // 2:
        return "wrong total"
    if not has(s["hands"][seat], bundle):
        return "more than held"
    return None


def refuse_bandit(s: State, seat: int, action: Json, hex_vertices: list[list[int]]) -> str | None:
    where, victim = action.get("hex"), action.get("victim")
    if not is_id(where, 19):
        return "no such hex"
    if where == s["bandit"]:
        return "the bandit must move"
    if victim is not None:
        if not is_id(victim, s["seats"]) or victim == seat:
            return "no such victim"
        if not any(v in hex_vertices[where] for v in towns(s, victim)):
            return "the victim has no town there"
    return refuse_talk(action)


def refuse_trade(s: State, seat: int, action: Json) -> str | None:
    accept = action.get("accept")
    if not isinstance(accept, bool):
        return "accept is neither true nor false"
    if accept and not has(s["hands"][seat], s["offer"]["get"]):
        return "cannot pay"
    return refuse_talk(action)


def refuse_road(s: State, seat: int, edge: Any) -> str | None:
    """A road by itself, cost aside: supply, room, connection."""
    if not is_id(edge, 72):
        return "no such edge"
    if len(s["roads"][seat]) >= 15:
        return "no road left"
    if not edge_is_free(s, edge):
        return "the edge is taken"
    for vertex in EDGES[edge]:
        if vertex in towns(s, seat):
            return None
        touches = any(other in s["roads"][seat] for other in edges_at(vertex))
        if touches and vertex not in opposing_towns(s, seat):
            return None
    return "not connected"


def refuse_roadworks(s: State, seat: int, edges: Any) -> str | None:
    if not isinstance(edges, list) or len(edges) > 2:
        return "not a list of up to two edges"
    trial = {**s, "roads": [list(roads) for roads in s["roads"]]}
    for edge in edges:
        reason = refuse_road(trial, seat, edge)
        if reason:
            return reason
        trial["roads"][seat].append(edge)
    return None


def refuse_settlement(s: State, seat: int, vertex: Any) -> str | None:
    if not is_id(vertex, 54):
        return "no such vertex"
    if len(s["settlements"][seat]) >= 5:
        return "no settlement left"
    if not distance_ok(s, vertex):
        return "too close to a town"
    if not any(edge in s["roads"][seat] for edge in edges_at(vertex)):
        return "touches no own road"
    return None


def refuse_city(s: State, seat: int, vertex: Any) -> str | None:
    if not is_id(vertex, 54):
        return "no such vertex"
    if vertex not in s["settlements"][seat]:
        return "no own settlement there"
    return "no city left" if len(s["cities"][seat]) >= 4 else None


def refuse_offer(s: State, seat: int, action: Json) -> str | None:
    give, get, to = action.get("give"), action.get("get"), action.get("to")
    if not is_bundle(give) or not is_bundle(get):
        return "no bundle"
    if total(give) < 1 or total(get) < 1:
        return "a gift"
    if any(give.get(name, 0) and get.get(name, 0) for name in RESOURCES):
        return "one resource on both sides"
    if to is not None and (not is_id(to, s["seats"]) or to == seat):
        return "no such partner"
    if not has(s["hands"][seat], give):
        return "does not hold what it gives"
    if s["offersThisTurn"] >= 5:
        return "five offers were made"
    return refuse_talk(action)


def refuse_dev_card(s: State, seat: int, card: str) -> str | None:
    """The part common to every dev card: it is held since before, and is the first this turn."""
    if s["devCards"][seat][card] < 1:
        return "no such card to play"
    return "a dev card was played this turn" if s["devPlayed"] else None


def refuse_turn(s: State, seat: int, action: Json) -> str | None:
    kind = action.get("type")
    hand = s["hands"][seat]
    if kind == "end_turn":
        return refuse_talk(action)
    if kind == "build_road":
        short = None if has(hand, COSTS["road"]) else "cannot pay"
        return short or refuse_road(s, seat, action.get("edge"))
    if kind == "build_settlement":
        short = None if has(hand, COSTS["settlement"]) else "cannot pay"
        return short or refuse_settlement(s, seat, action.get("vertex"))
    if kind == "build_city":
        short = None if has(hand, COSTS["city"]) else "cannot pay"
        return short or refuse_city(s, seat, action.get("vertex"))
    if kind == "buy_dev_card":
        if not s["deck"]:
            return "the deck is empty"
        return None if has(hand, COSTS["dev_card"]) else "cannot pay"
    if kind == "play_knight":
        return refuse_dev_card(s, seat, "knight")
    if kind == "play_roadworks":
        reason = refuse_dev_card(s, seat, "roadworks")
        return reason or refuse_roadworks(s, seat, action.get("edges"))
    if kind == "play_windfall":
        names = action.get("resources")
        if not isinstance(names, list) or len(names) != 2:
            return "not a list of two resources"
        if any(name not in RESOURCES for name in names):
            return "no such resource"
        return refuse_dev_card(s, seat, "windfall")
    if kind == "play_embargo":
        if action.get("resource") not in RESOURCES:
            return "no such resource"
        return refuse_dev_card(s, seat, "embargo")
    if kind == "bank_trade":
        give, get = action.get("give"), action.get("get")
        if give not in RESOURCES or get not in RESOURCES:
            return "no such resource"
        if give == get:
            return "one resource on both sides"
        return None if hand[give] >= bank_rate(s, seat, give) else "cannot pay"
    if kind == "offer_trade":
        return refuse_offer(s, seat, action)
    return "no such action"

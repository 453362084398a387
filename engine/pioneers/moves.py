"""Every move that can be written down beforehand, as one frozen object each.

`legal` hands these out, so that listing moves allocates nothing but the list.
"""

from __future__ import annotations

from functools import lru_cache

from engine.pioneers.actions import (
    RESOURCES,
    BankTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    Bundle,
    BuyDevCard,
    EndTurn,
    MoveBandit,
    OfferTrade,
    PlayEmbargo,
    PlayKnight,
    PlayRoadworks,
    PlayWindfall,
    Respond,
    Setup,
)
from engine.pioneers.board import (
    EDGE_COUNT,
    EDGES_AT,
    HEX_COUNT,
    VERTEX_COUNT,
    bits,
)

_SEATS = 4

END_TURN = EndTurn()
BUY_DEV_CARD = BuyDevCard()
PLAY_KNIGHT = PlayKnight()
ACCEPT = Respond(accept=True)
REJECT = Respond(accept=False)

_ROADS = tuple(BuildRoad(edge=e) for e in range(EDGE_COUNT))
_SETTLEMENTS = tuple(BuildSettlement(vertex=v) for v in range(VERTEX_COUNT))
_CITIES = tuple(BuildCity(vertex=v) for v in range(VERTEX_COUNT))
WINDFALLS = tuple(PlayWindfall(resources=(a, b)) for a in RESOURCES for b in RESOURCES)
EMBARGOES = tuple(PlayEmbargo(resource=r) for r in RESOURCES)

# By vertex: the settlement with each road that touches it.
SETUPS = tuple(
    tuple(Setup(settlement=v, road=e) for e in edges) for v, edges in enumerate(EDGES_AT)
)

# By resource given, then by resource wanted; the diagonal is no trade.
BANK_TRADES = tuple(tuple(BankTrade(give=g, get=w) for w in RESOURCES) for g in RESOURCES)
OFFERS = tuple(
    tuple(OfferTrade(give=Bundle(**{g: 1}), get=Bundle(**{w: 1})) for w in RESOURCES)
    for g in RESOURCES
)

# By hex, then by the set of seats that may be robbed there: nobody first, then each seat.
BANDIT_MOVES = tuple(
    tuple(
        (MoveBandit(hex=h), *(MoveBandit(hex=h, victim=seat) for seat in bits(victims)))
        for victims in range(1 << _SEATS)
    )
    for h in range(HEX_COUNT)
)

# A position's masks come back at decision after decision, so their lists are kept.


@lru_cache(maxsize=1 << 13)
def roads_on(edges: int) -> tuple[BuildRoad, ...]:
    """A road on each edge of the set."""
    return tuple(_ROADS[e] for e in bits(edges))


@lru_cache(maxsize=1 << 13)
def settlements_on(vertices: int) -> tuple[BuildSettlement, ...]:
    """A settlement on each vertex of the set."""
    return tuple(_SETTLEMENTS[v] for v in bits(vertices))


@lru_cache(maxsize=1 << 13)
def cities_on(vertices: int) -> tuple[BuildCity, ...]:
    """A city on each vertex of the set."""
    return tuple(_CITIES[v] for v in bits(vertices))


@lru_cache(maxsize=1 << 13)
def roadworks(*edges: int) -> PlayRoadworks:
    """Free roads on `edges`, in that order."""
    return PlayRoadworks(edges=edges)

"""A bot for the game `pioneers`, written from the documents alone.

    PIONEERS_URL=ws://… PIONEERS_TOKEN=… python outsider.py

One socket carries all its matches; a decision takes a millisecond, so each comes at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Subprotocol

Message = dict[str, Any]
Bundle = Counter[str]
Goal = tuple[Bundle, Message]  # a price, and the action that it is for

RESOURCES = ("brick", "lumber", "wool", "grain", "ore")
ROAD = Counter(brick=1, lumber=1)
SETTLEMENT = Counter(brick=1, lumber=1, wool=1, grain=1)
CITY = Counter(grain=2, ore=3)
DEV_CARD = Counter(wool=1, grain=1, ore=1)
HELLO = {"type": "hello", "protocol": 1, "client": "outsider", "version": "1", "maxMatches": 4}
OFFERS_A_TURN = 2  # the rules allow 5
PATIENCE = 120.0  # seconds without a server until this gives up
FINAL = {1000, 4400, 4401, 4403, 4408, 4409, 4413}  # close codes after which coming back is no use

# The island: hexes row by row, corners from the top, vertices by (y, x), edges by their vertices.
ROWS = ((2, 3), (1, 4), (0, 5), (1, 4), (2, 3))
CENTRES = [(2 * c + inset, 3 * r) for r, (inset, n) in enumerate(ROWS) for c in range(n)]
CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
POINTS = sorted({(y + dy, x + dx) for x, y in CENTRES for dx, dy in CORNERS})
HEXES = [[POINTS.index((y + dy, x + dx)) for dx, dy in CORNERS] for x, y in CENTRES]
EDGES = sorted({(min(h[i - 1], h[i]), max(h[i - 1], h[i])) for h in HEXES for i in range(6)})
HEXES_AT = [[h for h, corners in enumerate(HEXES) if v in corners] for v in range(len(POINTS))]
EDGES_AT = [[e for e, ends in enumerate(EDGES) if v in ends] for v in range(len(POINTS))]
NEXT_TO = [[sum(EDGES[e]) - v for e in edges] for v, edges in enumerate(EDGES_AT)]


@dataclass
class Memory:
    """What the view leaves out. Of a turn that is met half-way, the worst is assumed."""

    turn: int
    dev_played: bool = True
    offers: int = OFFERS_A_TURN


class Seat:
    """One view, what follows from it, and a method for each kind of decision."""

    def __init__(self, view: Message, memory: Memory) -> None:
        self.view, self.memory = view, memory
        self.me: int = view["seat"]
        self.hand: Bundle = Counter(view["hand"])
        towns = [*enumerate(view["settlements"]), *enumerate(view["cities"])]
        self.town = {v: seat for seat, vertices in towns for v in vertices}
        self.taken = {e for roads in view["roads"] for e in roads}
        self.roads: list[int] = view["roads"][self.me]
        self.income = self.pips_of(v for v, seat in self.town.items() if seat == self.me)

    def pips(self, hex_id: int) -> int:
        """How many of 36 rolls make the hex pay."""
        return 6 - abs(7 - (self.view["hexes"][hex_id]["token"] or 1))

    def pips_of(self, vertices: Any) -> Bundle:
        """Those of the hexes around some vertices, by resource."""
        found = Bundle()
        for hex_id in (h for v in vertices for h in HEXES_AT[v]):
            found[self.view["hexes"][hex_id]["resource"]] += self.pips(hex_id)
        return found

    def value(self, vertex: int) -> float:
        """What a town there would be worth: income, what there is none of yet, and ports."""
        gain = self.pips_of([vertex])
        new = sum(1.5 for r in RESOURCES if gain[r] and not self.income[r])
        return sum(gain.values()) + new + any(vertex in p["vertices"] for p in self.view["ports"])

    def is_site(self, vertex: int) -> bool:
        return not any(v in self.town for v in [vertex, *NEXT_TO[vertex]])

    def prospect(self, edge: int, start: int, steps: int = 1) -> float:
        """The best site that a road from `start` leads to within three edges; near ones count."""
        end = sum(EDGES[edge]) - start
        best = self.value(end) / (steps + 1) if self.is_site(end) else 0.1 / steps
        if steps < 3 and self.town.get(end, self.me) == self.me:
            onward = [e for e in EDGES_AT[end] if e not in self.taken and e != edge]
            best = max([best, *(self.prospect(e, end, steps + 1) for e in onward)])
        return best

    def next_road(self) -> int | None:
        """The most promising free edge that meets the own network."""
        ends = {v for e in self.roads for v in EDGES[e]} | {*self.view["settlements"][self.me]}
        starts = [v for v in sorted(ends) if self.town.get(v, self.me) == self.me]
        ways = [(self.prospect(e, v), e) for v in starts for e in EDGES_AT[v]]
        ways = [way for way in ways if way[1] not in self.taken]
        return max(ways)[1] if ways and len(self.roads) < 15 else None

    def rate(self, resource: str) -> int:
        """How many cards of a resource the bank wants for one of another."""
        own = {v for v, seat in self.town.items() if seat == self.me}
        mine = [p["kind"] for p in self.view["ports"] if own & {*p["vertices"]}]
        return 2 if resource in mine else 3 if "generic" in mine else 4

    def goals(self) -> list[Goal]:
        """What to build, the dearest wish first."""
        settlements, cities = self.view["settlements"][self.me], self.view["cities"][self.me]
        sites = {v for e in self.roads for v in EDGES[e] if self.is_site(v)}
        goals: list[Goal] = []
        if settlements and len(cities) < 4:
            goals.append((CITY, {"type": "build_city", "vertex": max(settlements, key=self.value)}))
        if sites and len(settlements) < 5:
            vertex = max(sorted(sites), key=self.value)
            goals.append((SETTLEMENT, {"type": "build_settlement", "vertex": vertex}))
        elif (road := self.next_road()) is not None:
            goals.append((ROAD, {"type": "build_road", "edge": road}))
        if self.view["devDeck"]:
            goals.append((DEV_CARD, {"type": "buy_dev_card"}))
        return goals

    def setup(self) -> Message:
        vertex = max((v for v in range(len(POINTS)) if self.is_site(v)), key=self.value)
        self.town[vertex] = self.me  # its neighbours are no sites any more; no road is there yet
        edge = max(EDGES_AT[vertex], key=lambda e: self.prospect(e, vertex))
        return {"settlement": vertex, "road": edge}

    def discard(self) -> Message:
        drop = Bundle()
        for _ in range(self.view["mustDiscard"]):
            drop[max(RESOURCES, key=lambda r: self.hand[r] - drop[r])] += 1
        return {"discard": drop}

    def bandit(self) -> Message:
        """The hex that costs opponents most, the leaders above all, and oneself nothing."""

        def harm(hex_id: int) -> int:
            seats = [self.town[v] for v in HEXES[hex_id] if v in self.town]
            costs = [-20 if s == self.me else 2 + self.view["scores"][s] for s in seats]
            return self.pips(hex_id) * sum(costs)

        target = max((h for h in range(len(HEXES)) if h != self.view["bandit"]), key=harm)
        there = {self.town[v] for v in HEXES[target] if v in self.town} - {self.me}
        victim = max(sorted(there), key=self.view["handCounts"].__getitem__, default=None)
        return {"hex": target, "victim": victim}

    def trade(self) -> Message:
        """Accept what brings a goal nearer, unless it helps somebody who is about to win."""
        offer = self.view["offer"]
        after = self.hand.copy()
        after.subtract(offer["get"])
        held = min(after.values()) >= 0
        after.update(offer["give"])
        gain = sum((c - self.hand).total() - (c - after).total() for c, _ in self.goals())
        return {"accept": held and gain > 0 and self.view["scores"][offer["seat"]] < 8}

    def turn(self) -> Message:
        goals = self.goals()
        if not self.memory.dev_played and (card := self.dev_card(goals)):
            self.memory.dev_played = True
            return card
        for cost, build in goals:
            if cost <= self.hand:
                return build
        for cost, _ in goals:  # what the bank can make possible at once
            lacking, spare = cost - self.hand, self.hand - cost
            if lacking.total() <= sum(n // self.rate(r) for r, n in spare.items()):
                give = max(spare, key=lambda r: spare[r] // self.rate(r))
                return {"type": "bank_trade", "give": give, "get": min(lacking)}
        for cost, _ in goals:  # what a neighbour could
            lacking, most = cost - self.hand, (self.hand - cost).most_common()
            if lacking.total() == 1 and self.memory.offers < min(OFFERS_A_TURN, len(most)):
                give = most[self.memory.offers][0]
                self.memory.offers += 1
                return {"type": "offer_trade", "give": {give: 1}, "get": lacking}
        return {"type": "end_turn"}

    def dev_card(self, goals: list[Goal]) -> Message | None:
        """A dev card worth playing now."""
        cards = Bundle(self.view["devCards"]) - Bundle(self.view["devBoughtThisTurn"])
        if cards["knight"]:
            return {"type": "play_knight"}
        if cards["roadworks"] and (road := self.next_road()) is not None and len(self.roads) < 14:
            self.taken, self.roads = self.taken | {road}, [*self.roads, road]
            second = self.next_road()
            return {"type": "play_roadworks", "edges": [road] if second is None else [road, second]}
        lacking = goals[0][0] - self.hand if goals else Bundle()
        if cards["windfall"] and lacking.total() in (1, 2):
            return {"type": "play_windfall", "resources": [*lacking.elements(), "ore"][:2]}
        if cards["embargo"] and lacking:
            return {"type": "play_embargo", "resource": max(lacking, key=lacking.__getitem__)}
        return None


def decide(request: Message, memories: dict[str, Memory]) -> Message:
    """The action for a request; `memories` are by match."""
    view, match = request["view"], request["match"]
    memory = memories.setdefault(match, Memory(view["turn"]))
    if memory.turn != view["turn"]:
        memory = memories[match] = Memory(view["turn"], dev_played=False, offers=0)
    action: Message = getattr(Seat(view, memory), request["kind"])()
    return action


async def talk(socket: ClientConnection, memories: dict[str, Memory]) -> tuple[bool, float]:
    """Play through one connection. Whether to come back after its end, and after how long."""
    await socket.send(json.dumps(HELLO))
    message: Message = {}
    try:
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "request":
                answer = {"id": message["id"], "action": decide(message, memories)}
                await socket.send(json.dumps(answer))
            else:
                print(json.dumps(message), flush=True)
    except ConnectionClosed as closed:
        print(f"connection lost: {closed}", flush=True)
    over = message.get("type") == "goodbye" and message["reason"] == "season over"
    return not over and socket.close_code not in FINAL, (message.get("retryMs") or 0) / 1000


async def play(url: str, token: str) -> None:
    """Play until the season is over, through as many connections as it takes."""
    headers, protocols = {"Authorization": f"Bearer {token}"}, [Subprotocol("pioneers.v1")]
    memories: dict[str, Memory] = {}
    again, wait, heard = True, 0.25, time.monotonic()
    while again and time.monotonic() - heard < PATIENCE:
        try:
            async with connect(url, additional_headers=headers, subprotocols=protocols) as socket:
                again, rest = await talk(socket, memories)
                wait, heard = max(rest, 0.25), time.monotonic()
        except (OSError, InvalidHandshake) as error:
            print(f"no connection: {error}", flush=True)
        await asyncio.sleep(wait if again else 0)
        wait = min(2 * wait, 5.0)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(play(os.environ["PIONEERS_URL"], os.environ["PIONEERS_TOKEN"]))

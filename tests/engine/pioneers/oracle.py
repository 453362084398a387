"""A slow second implementation of Pioneers, written from the published rules alone.

It shares no code and no data structure with the engine: a state is a plain dict shaped like the
JSON of a position, actions, views and events are wire JSON, and everything is worked out anew
whenever it is asked for. Tests play it beside the engine and compare.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any

from tests.engine.pioneers import oracle_rules as rules
from tests.engine.pioneers.oracle_board import (
    DEV_CARDS,
    DEV_COUNTS,
    HEX_VERTICES,
    PORTS,
    RESOURCES,
    dice,
    draw,
    edges_at,
    layout,
    shuffled,
)
from tests.engine.pioneers.oracle_rules import Json, State, true_points

OPTIONAL = {
    "offersThisTurn": 0,
    "devPlayed": False,
    "mustRoll": False,
    "talk": [],
    "asked": None,
    "offer": None,
    "steals": 0,
}


def snapshot(value: Json) -> Json:
    """An independent copy of plain JSON data."""
    return dict(json.loads(json.dumps(value)))


def nothing() -> Json:
    """An empty hand."""
    return dict.fromkeys(RESOURCES, 0)


def no_cards() -> Json:
    """No dev cards."""
    return dict.fromkeys(DEV_CARDS, 0)


class Oracle:
    """One match. `s` is its state; refused actions are the caller's mistake (ValueError)."""

    def __init__(self, state: State) -> None:
        self.s = state
        self.events: list[Json] = []

    @classmethod
    def deal(cls, seats: int, seed: bytes, board_seed: bytes | None = None) -> Oracle:
        hexes = layout(seed if board_seed is None else board_seed)
        cards = [card for card in DEV_CARDS for _ in range(DEV_COUNTS[card])]
        state: State = {
            "seats": seats,
            "turn": 0,
            "current": 0,
            "dice": None,
            "hexes": hexes,
            "bandit": [tile["resource"] for tile in hexes].index("desert"),
            "settlements": [[] for _ in range(seats)],
            "cities": [[] for _ in range(seats)],
            "roads": [[] for _ in range(seats)],
            "hands": [nothing() for _ in range(seats)],
            "devCards": [no_cards() for _ in range(seats)],
            "devBoughtThisTurn": [no_cards() for _ in range(seats)],
            "knights": [0] * seats,
            "awards": {"largestArmy": None, "longestRoad": None},
            "deck": shuffled(seed, "deck", cards),
            "seed": seed.hex(),
            "resigned": [False] * seats,
            "over": None,
        }
        return cls(state | copy.deepcopy(OPTIONAL))

    @classmethod
    def load(cls, position: Json) -> Oracle:
        """A match that goes on from the JSON of a position."""
        s: State = copy.deepcopy(OPTIONAL) | copy.deepcopy(position)
        for hand in s["hands"]:
            hand |= nothing() | hand
        for cards in s["devCards"] + s["devBoughtThisTurn"]:
            cards |= no_cards() | cards
        if s["offer"]:
            s["offer"] = {
                "give": nothing() | s["offer"]["give"],
                "get": nothing() | s["offer"]["get"],
                "to": s["offer"].get("to"),
            }
        s["over"] = None
        match = cls(s)
        if s["turn"] > 200:
            s["over"] = "turn_cap"
        elif s["mustRoll"]:
            match.roll()
        else:
            match.check_win()
        match.events = []
        return match

    def position(self) -> Json:
        result = snapshot(self.s)
        del result["over"]
        for key in ("settlements", "cities", "roads"):
            result[key] = [sorted(ids) for ids in result[key]]
        return result

    def copy(self) -> Oracle:
        return Oracle(snapshot(self.s))

    # Questions

    def pending(self) -> dict[int, str]:
        s = self.s
        if s["over"]:
            return {}
        if s["turn"] == 0:
            return {s["current"]: "setup"}
        if s["asked"] == "discard":
            return {seat: "discard" for seat in range(s["seats"]) if self.must_discard(seat)}
        if s["asked"] == "bandit":
            return {s["current"]: "bandit"}
        if s["offer"]:
            to = s["offer"]["to"]
            others = [seat for seat in range(s["seats"]) if seat != s["current"]]
            return {seat: "trade" for seat in others if to is None or seat == to}
        return {s["current"]: "turn"}

    def must_discard(self, seat: int) -> int:
        held = rules.total(self.s["hands"][seat])
        return held // 2 if self.s["asked"] == "discard" and held > 7 else 0

    def refusal(self, seat: int, action: Any) -> str | None:
        """Why `seat` may not answer so, or None if it may."""
        kind = self.pending().get(seat)
        if kind is None:
            return "not asked"
        if not isinstance(action, dict):
            return "no object"
        if kind == "setup":
            return rules.refuse_setup(self.s, seat, action)
        if kind == "discard":
            return rules.refuse_discard(self.s, seat, action)
        if kind == "bandit":
            return rules.refuse_bandit(self.s, seat, action, HEX_VERTICES)
        if kind == "trade":
            return rules.refuse_trade(self.s, seat, action)
        return rules.refuse_turn(self.s, seat, action)

    def default(self, seat: int) -> Json:
        kind = self.pending()[seat]
        if kind == "setup":
            vertex = min(v for v in range(54) if rules.distance_ok(self.s, v))
            edge = min(e for e in edges_at(vertex) if rules.edge_is_free(self.s, e))
            return {"settlement": vertex, "road": edge}
        if kind == "discard":
            left, bundle = dict(self.s["hands"][seat]), nothing()
            for _ in range(self.must_discard(seat)):
                largest = max(left.values())
                name = next(name for name in RESOURCES if left[name] == largest)
                left[name] -= 1
                bundle[name] += 1
            return {"discard": bundle}
        if kind == "bandit":
            return {"hex": 1 if self.s["bandit"] == 0 else 0}
        if kind == "trade":
            return {"accept": False}
        return {"type": "end_turn"}

    def outcome(self) -> Json | None:
        s = self.s
        if not s["over"]:
            return None
        seats = range(s["seats"])
        scores = [true_points(s, seat) for seat in seats]
        winner = s["current"] if s["over"] == "win" else None

        def better(other: int, seat: int) -> bool:
            if winner is not None and winner in (other, seat):
                return bool(other == winner and seat != winner)
            return bool(scores[other] > scores[seat])

        placements = [1 + sum(better(other, seat) for other in seats) for seat in seats]
        return {"placements": placements, "scores": scores, "reason": s["over"]}

    def view(self, seat: int | None) -> Json:
        """The view as it is now: parts of it change when the match goes on."""
        s = self.s
        seats = range(s["seats"])
        asked = {} if seat is None else self.pending()
        offer = None
        if seat is not None and asked.get(seat) == "trade":
            offer = {
                "seat": s["current"],
                "give": s["offer"]["give"],
                "get": s["offer"]["get"],
                "open": s["offer"]["to"] is None,
            }
        dev_counts = [
            rules.total(s["devCards"][i]) + rules.total(s["devBoughtThisTurn"][i]) for i in seats
        ]
        return {
            "seat": seat,
            "seats": s["seats"],
            "current": s["current"],
            "turn": min(s["turn"], 200),
            "dice": s["dice"],
            "hexes": s["hexes"],
            "ports": PORTS,
            "bandit": s["bandit"],
            "settlements": [sorted(ids) for ids in s["settlements"]],
            "cities": [sorted(ids) for ids in s["cities"]],
            "roads": [sorted(ids) for ids in s["roads"]],
            "hand": None if seat is None else s["hands"][seat],
            "handCounts": [rules.total(hand) for hand in s["hands"]],
            "devCards": None if seat is None else s["devCards"][seat],
            "devBoughtThisTurn": None if seat is None else s["devBoughtThisTurn"][seat],
            "devCounts": dev_counts,
            "devDeck": len(s["deck"]),
            "knights": s["knights"],
            "awards": s["awards"],
            "roadLengths": [rules.road_length(s, i) for i in seats],
            "scores": [rules.public_points(s, i) for i in seats],
            "myScore": None if seat is None else true_points(s, seat),
            "mustDiscard": 0 if seat is None else self.must_discard(seat),
            "offer": offer,
            "resigned": s["resigned"],
            "talk": s["talk"],
        }

    # Play

    def advance(self, actions: Mapping[int, Json]) -> list[Json]:
        """Settle the pending decisions; gives the events as wire JSON."""
        asked = self.pending()
        if set(actions) != set(asked):
            raise ValueError(f"asked {asked}, answered {sorted(actions)}")
        for seat in asked:
            if reason := self.refusal(seat, actions[seat]):
                raise ValueError(f"seat {seat}: {reason}")
        self.events = []
        (kind,) = set(asked.values())
        if kind == "setup":
            self.place(self.s["current"], actions[self.s["current"]])
        elif kind == "discard":
            self.discard(actions)
        elif kind == "bandit":
            self.move_bandit(self.s["current"], actions[self.s["current"]])
        elif kind == "trade":
            self.respond(actions)
        else:
            self.act(self.s["current"], actions[self.s["current"]])
        return self.events

    def resign(self, seat: int) -> None:
        self.s["resigned"][seat] = True

    def tell(self, event: str, seat: int, **fields: Any) -> None:
        self.events.append({"event": event, "seat": seat, **fields})

    def say(self, seat: int, action: Json) -> None:
        message = (action.get("talk") or "")[:240]
        if message:
            turn = self.s["turn"]
            self.s["talk"].append({"seat": seat, "message": message, "turn": turn})
            self.s["talk"] = self.s["talk"][-20:]
            self.tell("said", seat, message=message)

    def pay(self, seat: int, bundle: Json, sign: int = 1) -> None:
        for name, count in bundle.items():
            self.s["hands"][seat][name] += sign * count

    def place(self, seat: int, action: Json) -> None:
        s = self.s
        vertex = action["settlement"]
        s["settlements"][seat].append(vertex)
        s["roads"][seat].append(action["road"])
        self.tell("placed", seat, vertex=vertex, edge=action["road"])
        if len(s["settlements"][seat]) == 2:
            for where, corners in enumerate(HEX_VERTICES):
                if vertex in corners and s["hexes"][where]["resource"] != "desert":
                    self.pay(seat, {s["hexes"][where]["resource"]: 1})
        snake = [*range(s["seats"]), *reversed(range(s["seats"]))]
        placed = len(rules.all_towns(s))
        if placed < len(snake):
            s["current"] = snake[placed]
        else:
            s["turn"], s["current"] = 1, 0
            self.roll()

    def roll(self) -> None:
        """Dice, payout, win check; then whatever a 7 asks for."""
        s = self.s
        s["mustRoll"] = False
        s["dice"] = dice(bytes.fromhex(s["seed"]), s["turn"])
        collected = [0] * s["seats"]
        for where, tile in enumerate(s["hexes"]):
            if tile["token"] != sum(s["dice"]) or where == s["bandit"]:
                continue
            for seat in range(s["seats"]):
                here = [v for v in s["settlements"][seat] if v in HEX_VERTICES[where]]
                here += 2 * [v for v in s["cities"][seat] if v in HEX_VERTICES[where]]
                self.pay(seat, {tile["resource"]: len(here)})
                collected[seat] += len(here)
        self.tell("rolled", s["current"], turn=s["turn"], dice=s["dice"], collected=collected)
        self.check_win()
        if not s["over"] and sum(s["dice"]) == 7:
            full = any(rules.total(hand) > 7 for hand in s["hands"])
            s["asked"] = "discard" if full else "bandit"

    def check_win(self) -> None:
        """The turn's owner wins with 10 true points; nobody wins before the first turn."""
        s = self.s
        if s["turn"] > 0 and not s["over"] and true_points(s, s["current"]) >= 10:
            s["over"] = "win"
            self.tell("ended", s["current"], reason="win")

    def discard(self, actions: Mapping[int, Json]) -> None:
        for seat in sorted(actions):
            bundle = actions[seat]["discard"]
            self.pay(seat, bundle, -1)
            self.tell("discarded", seat, count=rules.total(bundle))
        self.s["asked"] = "bandit"

    def move_bandit(self, seat: int, action: Json) -> None:
        s = self.s
        victim = action.get("victim")
        s["bandit"] = action["hex"]
        s["asked"] = None
        stolen = 0
        if victim is not None and rules.total(s["hands"][victim]) > 0:
            laid_out = [name for name in RESOURCES for _ in range(s["hands"][victim][name])]
            at = draw(bytes.fromhex(s["seed"]), "steal", s["steals"], len(laid_out))
            self.pay(victim, {laid_out[at]: 1}, -1)
            self.pay(seat, {laid_out[at]: 1})
            s["steals"] += 1
            stolen = 1
        self.tell("bandit_moved", seat, hex=action["hex"], victim=victim, stolen=stolen)
        self.say(seat, action)

    def respond(self, actions: Mapping[int, Json]) -> None:
        s = self.s
        offer, offerer = s["offer"], s["current"]
        s["offer"] = None
        give, get = rules.total(offer["give"]), rules.total(offer["get"])
        self.tell("offered", offerer, to=offer["to"], give=give, get=get)
        for seat in sorted(actions):
            self.tell("responded", seat, accept=actions[seat]["accept"])
            self.say(seat, actions[seat])
        for step in range(1, s["seats"]):
            seat = (offerer + step) % s["seats"]
            if seat in actions and actions[seat]["accept"]:
                self.pay(offerer, offer["give"], -1)
                self.pay(seat, offer["give"])
                self.pay(seat, offer["get"], -1)
                self.pay(offerer, offer["get"])
                given, got = rules.total(offer["give"]), rules.total(offer["get"])
                self.tell("traded", offerer, partner=seat, given=given, got=got)
                break

    def act(self, seat: int, action: Json) -> None:
        """One `turn` action; the win check follows each, as the turn's owner acted."""
        s = self.s
        kind = action["type"]
        if kind == "end_turn":
            self.end_turn(seat, action)
            return
        if kind == "build_road":
            self.pay(seat, rules.COSTS["road"], -1)
            self.build_road(seat, action["edge"])
        elif kind == "build_settlement":
            self.pay(seat, rules.COSTS["settlement"], -1)
            s["settlements"][seat].append(action["vertex"])
            self.tell("settlement_built", seat, vertex=action["vertex"])
            self.award_longest_road(seat)
        elif kind == "build_city":
            self.pay(seat, rules.COSTS["city"], -1)
            s["settlements"][seat].remove(action["vertex"])
            s["cities"][seat].append(action["vertex"])
            self.tell("city_built", seat, vertex=action["vertex"])
        elif kind == "buy_dev_card":
            self.pay(seat, rules.COSTS["dev_card"], -1)
            s["devBoughtThisTurn"][seat][s["deck"].pop(0)] += 1
            self.tell("dev_card_bought", seat, left=len(s["deck"]))
        elif kind == "bank_trade":
            rate = rules.bank_rate(s, seat, action["give"])
            self.pay(seat, {action["give"]: rate}, -1)
            self.pay(seat, {action["get"]: 1})
            self.tell("bank_traded", seat, given=rate)
        elif kind == "offer_trade":
            self.offer_trade(seat, action)
        else:
            self.play_dev_card(seat, kind.removeprefix("play_"), action)
        self.check_win()

    def end_turn(self, seat: int, action: Json) -> None:
        s = self.s
        self.say(seat, action)
        for card in DEV_CARDS:
            s["devCards"][seat][card] += s["devBoughtThisTurn"][seat][card]
        s["devBoughtThisTurn"][seat] = no_cards()
        s["offersThisTurn"], s["devPlayed"] = 0, False
        s["turn"] += 1
        if s["turn"] > 200:
            s["over"] = "turn_cap"
            self.tell("ended", seat, reason="turn_cap")
        else:
            s["current"] = (seat + 1) % s["seats"]
            self.roll()

    def build_road(self, seat: int, edge: int) -> None:
        self.s["roads"][seat].append(edge)
        self.tell("road_built", seat, edge=edge)
        self.award_longest_road(seat)

    def offer_trade(self, seat: int, action: Json) -> None:
        s = self.s
        give, get, to = nothing() | action["give"], nothing() | action["get"], action.get("to")
        s["offersThisTurn"] += 1
        s["offer"] = {"give": give, "get": get, "to": to}
        self.say(seat, action)

    def play_dev_card(self, seat: int, card: str, action: Json) -> None:
        s = self.s
        s["devCards"][seat][card] -= 1
        s["devPlayed"] = True
        before = [rules.total(hand) for hand in s["hands"]]
        if card == "windfall":
            for name in action["resources"]:
                self.pay(seat, {name: 1})
        elif card == "embargo":
            for other in range(s["seats"]):
                if other != seat:
                    taken = {action["resource"]: s["hands"][other][action["resource"]]}
                    self.pay(other, taken, -1)
                    self.pay(seat, taken)
        gains = [rules.total(hand) - b for hand, b in zip(s["hands"], before, strict=True)]
        self.tell("dev_card_played", seat, card=card, taken=gains)
        if card == "knight":
            s["knights"][seat] += 1
            self.award_largest_army(seat)
            self.check_win()
            s["asked"] = None if s["over"] else "bandit"
        elif card == "roadworks":
            for edge in action["edges"]:
                self.build_road(seat, edge)

    # Awards

    def award_largest_army(self, seat: int) -> None:
        """Goes to the first with 3 knights, then to whoever strictly exceeds the holder."""
        s = self.s
        holder = s["awards"]["largestArmy"]
        to_beat = 2 if holder is None else s["knights"][holder]
        if holder != seat and s["knights"][seat] > to_beat:
            s["awards"]["largestArmy"] = seat
            self.tell("award_moved", seat, award="largestArmy", holder=seat)

    def award_longest_road(self, mover: int) -> None:
        """A holder with 5 or more keeps it against ties; else the sole longest from 5 on."""
        s = self.s
        lengths = [rules.road_length(s, seat) for seat in range(s["seats"])]
        longest = max(lengths)
        holder = s["awards"]["longestRoad"]
        if holder is not None and lengths[holder] == longest and longest >= 5:
            return
        sole = longest >= 5 and lengths.count(longest) == 1
        taker = lengths.index(longest) if sole else None
        if taker != holder:
            s["awards"]["longestRoad"] = taker
            told = holder if taker is None else taker
            assert told is not None
            self.tell("award_moved", told, award="longestRoad", holder=taker)

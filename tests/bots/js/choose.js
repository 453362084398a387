// What the bot does: settle where the dice pay, build what it can, change at the bank.

import { EDGES, EDGES_AT, HEX_VERTICES, NEIGHBOURS, VERTICES } from "./island.js";

const RESOURCES = ["brick", "lumber", "wool", "grain", "ore"];
const COSTS = {
  road: { brick: 1, lumber: 1 },
  settlement: { brick: 1, lumber: 1, wool: 1, grain: 1 },
  city: { ore: 3, grain: 2 },
  card: { ore: 1, wool: 1, grain: 1 },
};

export function choose(kind, view) {
  return { setup, turn, discard, bandit, trade }[kind](view);
}

function setup(view) {
  const settlement = best(VERTICES.filter((vertex) => open(view, vertex)), (v) => worth(view, v));
  const road = EDGES_AT[settlement].find((edge) => !taken(view, edge));
  return { settlement, road };
}

function turn(view) {
  const { seat } = view;
  const cities = view.settlements[seat];
  if (pays(view, "city") && cities.length && view.cities[seat].length < 4) {
    return { type: "build_city", vertex: best(cities, (v) => worth(view, v)) };
  }
  const sites = VERTICES.filter((v) => open(view, v) && network(view).has(v));
  if (pays(view, "settlement") && sites.length && view.settlements[seat].length < 5) {
    return { type: "build_settlement", vertex: best(sites, (v) => worth(view, v)) };
  }
  if (pays(view, "road") && !sites.length && view.roads[seat].length < 15) {
    const edges = EDGES.map((_, edge) => edge).filter((edge) => mayBuild(view, edge));
    if (edges.length) {
      return { type: "build_road", edge: best(edges, (edge) => outlook(view, edge)) };
    }
  }
  if (pays(view, "card") && view.devDeck) return { type: "buy_dev_card" };
  return bankTrade(view) ?? { type: "end_turn" };
}

function discard(view) {
  const hand = { ...view.hand };
  const dropped = {};
  for (let n = 0; n < view.mustDiscard; n++) {
    const most = best(RESOURCES, (resource) => hand[resource]);
    hand[most] -= 1;
    dropped[most] = (dropped[most] ?? 0) + 1;
  }
  return { discard: dropped };
}

function bandit(view) {
  const hexes = HEX_VERTICES.map((_, hex) => hex).filter((hex) => hex !== view.bandit);
  const hex = best(hexes, (h) => damage(view, h));
  const victims = others(view).filter(
    (seat) => view.handCounts[seat] && HEX_VERTICES[hex].some((v) => towns(view, seat).includes(v)),
  );
  const victim = victims.length ? best(victims, (seat) => view.handCounts[seat]) : null;
  return { hex, victim };
}

function trade() {
  return { accept: false };
}

// With four of a kind and something missing; ports are left out of account.
function bankTrade(view) {
  const give = best(RESOURCES, (resource) => view.hand[resource]);
  const get = best(RESOURCES, (resource) => -view.hand[resource]);
  if (view.hand[give] < 5 || view.hand[get] > 0) return null;
  return { type: "bank_trade", give, get };
}

function best(list, value) {
  return list.reduce((a, b) => (value(b) > value(a) ? b : a));
}

function pays(view, what) {
  return Object.entries(COSTS[what]).every(([resource, count]) => view.hand[resource] >= count);
}

function others(view) {
  return [...Array(view.seats).keys()].filter((seat) => seat !== view.seat);
}

function towns(view, seat) {
  return [...view.settlements[seat], ...view.cities[seat]];
}

function taken(view, edge) {
  return view.roads.some((edges) => edges.includes(edge));
}

// The distance rule.
function open(view, vertex) {
  const all = new Set([...view.settlements.flat(), ...view.cities.flat()]);
  return ![vertex, ...NEIGHBOURS[vertex]].some((v) => all.has(v));
}

// The vertices that one's own roads touch.
function network(view) {
  return new Set(view.roads[view.seat].flatMap((edge) => EDGES[edge]));
}

// A free edge that goes on from an own town or road, not through an opponent's town.
function mayBuild(view, edge) {
  const theirs = new Set(others(view).flatMap((seat) => towns(view, seat)));
  const own = new Set(towns(view, view.seat));
  const reached = network(view);
  return (
    !taken(view, edge) && EDGES[edge].some((v) => own.has(v) || (reached.has(v) && !theirs.has(v)))
  );
}

function outlook(view, edge) {
  return Math.max(...EDGES[edge].map((v) => (open(view, v) ? worth(view, v) : 0)));
}

function ways(token) {
  return token === null ? 0 : 6 - Math.abs(7 - token);
}

// The cards that a settlement there collects in 36 rolls, and a bonus for each resource.
function worth(view, vertex) {
  const around = view.hexes.filter((_, hex) => HEX_VERTICES[hex].includes(vertex));
  const resources = new Set(around.map((tile) => tile.resource));
  return around.reduce((sum, tile) => sum + ways(tile.token), 0) + resources.size;
}

function damage(view, hex) {
  const count = (seat) => towns(view, seat).filter((v) => HEX_VERTICES[hex].includes(v)).length;
  const theirs = others(view).reduce((sum, seat) => sum + count(seat), 0);
  return ways(view.hexes[hex].token) * (theirs - 3 * count(view.seat));
}

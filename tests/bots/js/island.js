// The island's geometry, worked out as engine/README.md describes it.

const ROWS = [3, 4, 5, 4, 3];
const INSETS = [2, 1, 0, 1, 2];
const CORNERS = [[0, -2], [1, -1], [1, 1], [0, 2], [-1, 1], [-1, -1]];

const rings = [];
for (let row = 0; row < ROWS.length; row++) {
  for (let column = 0; column < ROWS[row]; column++) {
    const [x, y] = [2 * column + INSETS[row], 3 * row];
    rings.push(CORNERS.map(([dx, dy]) => [x + dx, y + dy]));
  }
}
const byPlace = (a, b) => a[1] - b[1] || a[0] - b[0];
const places = [...new Set(rings.flat().map(String))].map((p) => p.split(",").map(Number));
places.sort(byPlace);
const vertexAt = new Map(places.map((place, vertex) => [String(place), vertex]));

// By hex: its six vertices, in order around it.
export const HEX_VERTICES = rings.map((ring) => ring.map((place) => vertexAt.get(String(place))));

const sides = new Map();
for (const ring of HEX_VERTICES) {
  ring.forEach((vertex, n) => {
    const side = [vertex, ring[(n + 1) % 6]].sort((a, b) => a - b);
    sides.set(String(side), side);
  });
}

// By edge: its two vertices, the lower one first.
export const EDGES = [...sides.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);

export const VERTICES = places.map((_, vertex) => vertex);

// By vertex: the edges that touch it, and the vertices one edge away.
export const EDGES_AT = VERTICES.map((vertex) =>
  EDGES.flatMap((ends, edge) => (ends.includes(vertex) ? [edge] : [])),
);
export const NEIGHBOURS = VERTICES.map((vertex) =>
  EDGES_AT[vertex].map((edge) => EDGES[edge].find((end) => end !== vertex)),
);

// What the measurements share: their data, and how a call is timed.

/** The bytes of each kind of data as JSON. */
const BYTES = 2_000_000;

/** Random numbers from 0 to 1 with a seed, so that each run has the same data. */
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu".split(" ");
const pick = (next) => WORDS[Math.floor(next() * WORDS.length)];
const round = (number) => Math.round(number * 100) / 100;

/** Kinds of data: how an item of it is made. */
const KINDS = {
  "nested records": (next, id) => ({
    id,
    name: `${pick(next)} ${pick(next)}`,
    address: { city: pick(next), zip: String(Math.floor(next() * 90000) + 10000), location: { lat: round(next() * 90), lon: round(next() * 180) } },
    tags: Array.from({ length: Math.floor(next() * 4) }, () => pick(next)),
    orders: Array.from({ length: Math.floor(next() * 3) }, () => ({ sku: pick(next), count: Math.floor(next() * 9), price: round(next() * 100) })),
  }),
  rows: (next, id) => ({ id, name: `${pick(next)} ${pick(next)}`, city: pick(next), total: round(next() * 1000), active: next() < 0.5, note: next() < 0.2 ? null : pick(next) }),
  "deep values": (next, id) => {
    let value = { id, leaf: pick(next) };
    for (let level = 0; level < 12; level++) value = next() < 0.3 ? [value, Math.floor(next() * 100)] : { [pick(next)]: value, size: round(next()) };
    return value;
  },
};

/** An array of items of each kind, by its name. */
export const DATA = Object.fromEntries(
  Object.entries(KINDS).map(([kind, make]) => {
    const next = random(1);
    const items = [];
    for (let size = 0; size < BYTES; ) {
      const item = make(next, items.length);
      items.push(item);
      size += JSON.stringify(item).length + 1;
    }
    return [kind, items];
  }),
);

/** A figure of a busy machine is no failure of a change: `--bars` is for measurements. */
export const hasBars = process.argv.includes("--bars");

/** The shortest time of a call in milliseconds. Engines compile what is called often again, in the background: that takes seconds. */
export function shortest(call) {
  let best = Infinity;
  const end = performance.now() + (hasBars ? 3000 : 200);
  for (let calls = 0; calls < 5 || performance.now() < end; calls++) {
    const start = performance.now();
    call();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

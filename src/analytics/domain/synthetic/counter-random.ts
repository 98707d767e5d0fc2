/**
 * Random numbers by counter: each is a pure function of a key and of its position, so that any of them can be made
 * without those before it. Not for secrets.
 */

/** The key of a stream: text and numbers that say what is drawn, folded into 32 bits (FNV-1a, then mixed). */
export function streamKey(...parts: readonly (string | number)[]): number {
  const text = parts.join('/');
  let state = 2166136261;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 16777619);
  return mix(state);
}

/** 32 random bits for two counters, as a signed integer. */
export function randomBits(key: number, first: number, second = 0): number {
  return mix(mix(key ^ Math.imul(first, 0x9e3779b1)) ^ Math.imul(second + 1, 0x85ebca77));
}

/** Uniform above 0 and below 1. */
export function randomUniform(key: number, first: number, second = 0): number {
  return ((randomBits(key, first, second) >>> 0) + 0.5) / 4294967296;
}

/** Fair coins of a word: steps of a walk of 32 over one minute, or over the time that the word represents. */
export const WALK_STEPS = 32;

/**
 * Computes the position of a walk of 32 fair steps after the first `steps` of them, scaled to variance `steps`/32. It
 * is near enough to Brownian motion, and its value after k steps depends on k bits only, not on where it goes.
 */
export function walk(bits: number, steps: number): number {
  if (steps <= 0) return 0;
  const seen = steps >= WALK_STEPS ? bits : bits & ((1 << steps) - 1);
  return (2 * popCount(seen) - Math.min(steps, WALK_STEPS)) / Math.sqrt(WALK_STEPS);
}

function popCount(bits: number): number {
  let x = bits - ((bits >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** MurmurHash3's finaliser. */
function mix(value: number): number {
  let x = value;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

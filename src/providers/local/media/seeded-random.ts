import { createHash } from 'node:crypto';

/** Numbers in [0, 1) that follow from a text alone: mulberry32, begun with the first 32 bits of the text's SHA-256. */
export function seededRandom(text: string): () => number {
  let state = createHash('sha256').update(text).digest().readUInt32BE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

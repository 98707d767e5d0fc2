import { inverseNormalCdf } from '#src/analytics/domain/numerics/normal.ts';

/** A seeded stream of numbers: the same text gives the same stream on every machine. Not for secrets. */
export interface RandomStream {
  /** Uniform above 0 and below 1. */
  uniform(): number;
  /** Standard normal. */
  normal(): number;
}

/** FNV-1a of the text seeds a Weyl sequence, whose steps MurmurHash3's finaliser mixes. */
export function randomStream(seed: string): RandomStream {
  let state = 2166136261;
  for (let i = 0; i < seed.length; i++) state = Math.imul(state ^ seed.charCodeAt(i), 16777619);
  const uniform = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let x = state;
    x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
    return (((x ^ (x >>> 16)) >>> 0) + 0.5) / 4294967296;
  };
  return { uniform, normal: () => inverseNormalCdf(uniform()) };
}

import type { Section } from './markdown.ts';
import type { Servers } from './servers.ts';

export interface BenchOptions {
  /** Everything small, to see that it works; the figures mean little. */
  readonly quick: boolean;
  readonly say: (line: string) => void;
  /** Jobs that wait beside those that are measured. */
  readonly waiting: number;
  /** Jobs that have ended and are kept beside those that are measured. */
  readonly kept: number;
  /** Folder of another release, which the own fleets of this one are compared with. */
  readonly before: string | undefined;
  /** Figures that later claims build on. */
  readonly known: { endToEndPerSecond?: number };
}

/** One claim of the benchmark: measured against private servers, reported as a section. */
export type Claim = (servers: Servers, options: BenchOptions) => Promise<Section>;

/**
 * Rounds of all cases, one after the other, each round beginning with another case, so that what drifts meets all
 * alike.
 */
export async function interleaved<C extends { readonly name: string }, R>(
  cases: readonly C[],
  rounds: number,
  say: (line: string) => void,
  run: (one: C) => Promise<R>,
): Promise<ReadonlyMap<C, readonly R[]>> {
  const results = new Map<C, R[]>(cases.map((one) => [one, []]));
  for (let round = 0; round < rounds; round++) {
    for (let index = 0; index < cases.length; index++) {
      const one = cases[(index + round) % cases.length] as C;
      const since = performance.now();
      results.get(one)?.push(await run(one));
      say(`  round ${round + 1}, ${one.name}: ${((performance.now() - since) / 1_000).toFixed(1)} s`);
    }
  }
  return results;
}

import { bestOf, type Cost } from './cost.ts';
import { type Comparison, figure, table } from './markdown.ts';

const queues = ['bullmq', 'graphile-worker', 'pg-boss'] as const;

/** Compares the best median rates of cases whose names begin with ours, and with each peer. */
export function compareRates(
  what: string,
  results: ReadonlyMap<{ readonly name: string }, readonly Pick<Cost, 'perSecond'>[]>,
  ours = 'proofline',
): Comparison {
  const rates = queues
    .map((peer) => [peer, bestOf(results, peer)] as const)
    .filter(([, rate]) => Number.isFinite(rate));
  return { what, unit: 'jobs/s', ours: bestOf(results, ours), peers: Object.fromEntries(rates) };
}

/** A table with a column for each peer that any figure has. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const peers = [...new Set(comparisons.flatMap((one) => Object.keys(one.peers)))];
  return table(
    ['', 'unit', 'proofline', ...peers],
    comparisons.map(({ what, unit, ours, peers: theirs }) => [
      what,
      unit,
      figure(ours),
      ...peers.map((peer) => (theirs[peer] === undefined ? '' : figure(theirs[peer]))),
    ]),
  );
}

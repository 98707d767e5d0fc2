/** One side of one trade, as an exchange that tags accounts reports it. */
export interface Fill {
  readonly trade: string;
  readonly time: number;
  readonly contract: string;
  /** Kind of account, e.g. `customer`, `firm`, `market_maker`. */
  readonly participant: string;
  readonly side: 'buy' | 'sell';
  readonly effect: 'open' | 'close';
  readonly size: number;
}

/** What an audit found: each breach is a sentence. */
export interface Audit {
  readonly ok: boolean;
  readonly breaches: readonly string[];
}

function audit(breaches: readonly string[]): Audit {
  return { ok: breaches.length === 0, breaches };
}

/**
 * Net contracts of a participant by contract: all buys less all sells. Open and close flags cancel out of it, so they
 * are not even read: (bought open − sold close) + (bought close − sold open).
 */
export function netInventory(fills: readonly Fill[], participant: string): Map<string, number> {
  const net = new Map<string, number>();
  for (const fill of fills) {
    if (fill.participant !== participant) continue;
    net.set(fill.contract, (net.get(fill.contract) ?? 0) + signedSize(fill));
  }
  return net;
}

/**
 * Open/close invariance of a way to get inventory from fills: it gives the same with every flag turned round. One that
 * adds what opens and forgets what closes does not.
 */
export function auditFlags(fills: readonly Fill[], inventory: (fills: readonly Fill[]) => Map<string, number>): Audit {
  const turned = fills.map((fill) => ({ ...fill, effect: fill.effect === 'open' ? 'close' : 'open' }) as const);
  const other = inventory(turned);
  const breaches: string[] = [];
  for (const [contract, net] of inventory(fills)) {
    const found = other.get(contract) ?? 0;
    if (net !== found) breaches.push(`${contract}: ${net} with the flags as given, ${found} with all turned round.`);
  }
  return audit(breaches);
}

/** Zero sum: in every contract the participants' nets add up to nothing, for each contract bought was sold. */
export function auditZeroSum(fills: readonly Fill[]): Audit {
  const sums = sumBy(fills, signedSize);
  return audit(
    Array.from(sums)
      .filter(([, sum]) => sum !== 0)
      .map(([contract, sum]) => `${contract}: participants' nets sum to ${sum}, expected 0.`),
  );
}

/**
 * ΔOI identity: open interest changes by half of all opened less half of all closed, because a trade has two sides.
 * `before` and `after` are settlements around the fills, by contract; a contract left out has 0.
 */
export function auditOpenInterest(
  fills: readonly Fill[],
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Audit {
  const opened = sumBy(fills, ({ effect, size }) => (effect === 'open' ? 0.5 * size : -0.5 * size));
  const breaches: string[] = [];
  for (const contract of new Set([...before.keys(), ...after.keys(), ...opened.keys()])) {
    const change = (after.get(contract) ?? 0) - (before.get(contract) ?? 0);
    const expected = opened.get(contract) ?? 0;
    if (change !== expected) breaches.push(`${contract}: open interest changed by ${change}, expected ${expected}.`);
  }
  return audit(breaches);
}

/** |n| ≤ OI: no trader is longer or shorter than all contracts that exist. */
export function auditBound(positions: ReadonlyMap<string, number>, openInterest: ReadonlyMap<string, number>): Audit {
  const breaches: string[] = [];
  for (const [contract, position] of positions) {
    const bound = openInterest.get(contract) ?? 0;
    if (!(Math.abs(position) <= bound)) breaches.push(`${contract}: position ${position}, open interest ${bound}.`);
  }
  return audit(breaches);
}

/** Causality: nothing stamped after the instant that a number speaks of. */
export function auditCausality(records: Iterable<{ readonly time: number }>, asOf: number): Audit {
  const breaches: string[] = [];
  let index = 0;
  for (const { time } of records) {
    if (!(time <= asOf)) breaches.push(`record ${index}: stamped ${time}, after ${asOf}.`);
    index++;
  }
  return audit(breaches);
}

function signedSize({ side, size }: Fill): number {
  return side === 'buy' ? size : -size;
}

function sumBy(fills: readonly Fill[], value: (fill: Fill) => number): Map<string, number> {
  const sums = new Map<string, number>();
  for (const fill of fills) sums.set(fill.contract, (sums.get(fill.contract) ?? 0) + value(fill));
  return sums;
}

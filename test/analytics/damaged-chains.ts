import fc from 'fast-check';
import type { RawChain, RawContract } from '#src/analytics/domain/chain/raw-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { csv } from './chain-text.ts';

type Damage = (chain: RawChain, random: () => number) => RawChain;

const rows =
  (change: (row: RawContract, random: () => number) => RawContract): Damage =>
  (chain, random) => ({ ...chain, contracts: chain.contracts.map((row) => change(row, random)) });
const only =
  (keep: (row: RawContract, chain: RawChain, random: () => number) => boolean): Damage =>
  (chain, random) => ({ ...chain, contracts: chain.contracts.filter((row) => keep(row, chain, random)) });
const isCall = ({ symbol }: RawContract) => symbol.at(-9) === 'C';
const series = ({ symbol }: RawContract) => symbol.slice(0, -9);
const strike = ({ symbol }: RawContract) => Number(symbol.slice(-8)) / 1000;

/** Every expiry of a chain as raw rows, the strikes thinned so that a case takes little time. */
export const wholeChain: RawChain = (() => {
  const chain = readChain(csv, 'SPX');
  return { ...chain, contracts: chain.contracts.filter((_row, index) => index % 10 < 2) };
})();

/** When the first of its contracts settle, epoch milliseconds. */
const closeOfDay = Date.parse('2026-11-20T21:00:00Z');

/** What feeds really do to chains. */
export const damages: Readonly<Record<string, Damage>> = {
  'half a chain': only((_row, _chain, random) => random() < 0.5),
  'calls alone': only(isCall),
  'one side of spot': only((row, chain) => strike(row) > chain.spot),
  'one expiry': only((row, chain) => series(row) === series(chain.contracts[0]!)),
  'one strike of each expiry': (chain, random) => {
    const wanted = Math.floor(random() * 3);
    const seen = new Map<string, Set<number>>();
    for (const row of chain.contracts) seen.set(series(row), (seen.get(series(row)) ?? new Set()).add(strike(row)));
    return only((row) => strike(row) === [...(seen.get(series(row)) ?? [])].at(wanted))(chain, random);
  },
  'crossed quotes': rows((row, random) => (random() < 0.3 ? { ...row, bid: row.ask, ask: row.bid } : row)),
  'locked quotes': rows((row) => ({ ...row, ask: row.bid })),
  'zero open interest': rows((row) => ({ ...row, openInterest: 0 })),
  'open interest in one contract': (chain, random) => {
    const one = Math.floor(random() * chain.contracts.length);
    const contracts = chain.contracts.map((row, index) => ({ ...row, openInterest: index === one ? 1e6 : 0 }));
    return { ...chain, contracts };
  },
  'all-zero bids': rows((row) => ({ ...row, bid: 0 })),
  'some zero bids': rows((row, random) => (random() < 0.5 ? { ...row, bid: 0 } : row)),
  'no volatilities': rows((row) => ({ ...row, iv: 0 })),
  'volatilities that are not traded': rows((row, random) => ({ ...row, iv: random() < 0.5 ? 25 : 1e-4 })),
  // C − P above S − K·D at every strike: a discount factor above 1
  'negative rates': rows((row) => {
    const more = isCall(row) ? 0 : 0.02 * strike(row);
    return { ...row, bid: row.bid + more, ask: row.ask + more };
  }),
  'spreads as wide as the price': rows((row) => ({ ...row, bid: row.bid / 2, ask: row.ask * 2 })),
  'the same rows twice': (chain) => ({ ...chain, contracts: [...chain.contracts, ...chain.contracts] }),
  'spot far off its strikes': (chain, random) => ({ ...chain, spot: chain.spot * (random() < 0.5 ? 0.2 : 5) }),
  'the minute before an expiry': (chain) => ({ ...chain, asOf: closeOfDay - 60_000 }),
  'the instant of an expiry': (chain) => ({ ...chain, asOf: closeOfDay }),
  'a millisecond before an expiry': (chain) => ({ ...chain, asOf: closeOfDay - 1 }),
  'prices that are no numbers': rows((row, random) => (random() < 0.3 ? { ...row, bid: Number.NaN } : row)),
};

/** Up to three damages, one after the other. */
export const anyDamage = fc.record({
  which: fc.subarray(Object.keys(damages), { minLength: 1, maxLength: 3 }),
  seed: fc.nat(),
});

export function damage(which: readonly string[], seed: number): RawChain {
  let state = seed + 1;
  // the parity of Lehmer's generator is good enough to choose rows, and the same in every run
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return which.reduce((chain, name) => damages[name]!(chain, random), wholeChain);
}

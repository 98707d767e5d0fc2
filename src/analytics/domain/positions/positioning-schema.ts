import { type Static, Type } from 'typebox';
import { closed, maybe, number } from '#src/analytics/domain/schema-parts.ts';
import { GENERATION } from './estimate-schema.ts';

/** Trades in a strike by customers: all traders that are not dealers. */
export const positioningStates = ['bought', 'sold', 'balanced', 'unknown'] as const;

const SIDE = closed(
  {
    state: Type.Enum(positioningStates, {
      description:
        'bought, sold: customers are net long or short with a probability of at least 0.84 (|z| ≥ 1), or by convention ' +
        'in generation 1. balanced: neither, and the error is at most 15 % of the contracts. unknown: neither, and wider',
    }),
    net: number('Expected net contracts of customers, above zero where they bought'),
    sd: maybe('Standard deviation of net, contracts; null in generation 1'),
    z: maybe('net over sd; null without an error, and where the position is known exactly'),
    p_bought: maybe('Probability that customers are net long, 0 to 1; null in generation 1'),
    open_interest: number('Contracts at the last settlement'),
  },
  { title: 'PositioningSide' },
);

/** Buyers and sellers, strike by strike, as the API sends it. */
export const POSITIONING = closed(
  {
    status: Type.Enum(['ok', 'no_positions'], { description: 'no_positions: no strike is held or may be held' }),
    generation: GENERATION,
    basis: Type.Enum(['convention', 'estimate'], {
      description: 'convention: generation 1, which asserts and measures nothing. estimate: states carry a probability',
    }),
    coverage: maybe('Share of open interest the generation knows something of, 0 to 1'),
    censored_share: maybe('Share of open interest in contracts listed before the tape begins, 0 to 1'),
    calls: SIDE,
    puts: SIDE,
    strikes: Type.Array(closed({ strike: number('Points'), calls: SIDE, puts: SIDE, total: SIDE }), {
      description: 'Ascending, all expiries summed; strikes without open interest or positions are left out',
    }),
  },
  { title: 'DealerPositioning' },
);

export type Positioning = Static<typeof POSITIONING>;
export type PositioningSide = Static<typeof SIDE>;

import type { Book } from '#src/analytics/domain/book/book.ts';
import { type DealerPositions, describe } from './dealer-positions.ts';
import { groupMoments, strikeGroups } from './group-moments.ts';
import type { Positioning, PositioningSide } from './positioning-schema.ts';

/** From this many standard deviations on, a side is called: a probability of 0.84. */
const CALLED = 1;
/** A side that is not called is balanced if its error is at most this part of the contracts, else unknown. */
const NARROW = 0.15;

/**
 * Strike-level bought and sold: what dealers are short, customers have bought. Counts contracts, not dollars, and sums
 * all expiries of the book; for one expiry give a book of that expiry.
 */
export function positioning(book: Book, positions: DealerPositions): Positioning {
  const { strikes, group } = strikeGroups(book.strike);
  const { isCall, openInterest } = book;
  const only = (wanted: number): Float64Array => Float64Array.from(isCall, (flag) => (flag === wanted ? -1 : 0));
  const all = new Float64Array(book.contracts).fill(-1);
  const whole = new Uint32Array(book.contracts);
  const sides = (perContract: Float64Array, groups: Uint32Array, count: number): PositioningSide[] => {
    const { value, variance } = groupMoments(positions, perContract, groups, count);
    const interest = new Float64Array(count);
    for (let i = 0; i < book.contracts; i++) {
      if (perContract[i] !== 0) interest[groups[i]!]! += openInterest[i]!;
    }
    return Array.from(value, (net, g) => describeSide(positions, { net, variance: variance[g]!, held: interest[g]! }));
  };
  const [calls, puts] = [only(1), only(0)];
  const [callSides, putSides] = [sides(calls, group, strikes.length), sides(puts, group, strikes.length)];
  const totals = sides(all, group, strikes.length);
  const rows = Array.from(strikes, (strike, k) => ({
    strike,
    calls: callSides[k]!,
    puts: putSides[k]!,
    total: totals[k]!,
  })).filter(({ total, ...side }) => [side.calls, side.puts, total].some(isHeld));
  return {
    status: rows.length > 0 ? 'ok' : 'no_positions',
    generation: positions.generation,
    basis: positions.generation === 1 ? 'convention' : 'estimate',
    coverage: positions.coverage,
    censored_share: positions.censoredShare,
    calls: sides(calls, whole, 1)[0]!,
    puts: sides(puts, whole, 1)[0]!,
    strikes: rows,
  };
}

interface Side {
  readonly net: number;
  readonly variance: number;
  readonly held: number;
}

function describeSide(positions: DealerPositions, { net, variance, held }: Side): PositioningSide {
  const { value, sd, p_positive } = describe(positions, net, variance);
  const z = sd !== null && sd > 0 ? value / sd : null;
  return { state: stateOf({ net: value, sd, held }), net: value, sd, z, p_bought: p_positive, open_interest: held };
}

function stateOf({ net, sd, held }: { net: number; sd: number | null; held: number }): PositioningSide['state'] {
  if (net !== 0 && (sd === null || Math.abs(net) >= CALLED * sd)) return net > 0 ? 'bought' : 'sold';
  return sd === null || sd <= NARROW * held ? 'balanced' : 'unknown';
}

function isHeld({ net, sd, open_interest }: PositioningSide): boolean {
  return net !== 0 || (sd ?? 0) > 0 || open_interest > 0;
}

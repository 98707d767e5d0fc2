import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { isMarketSymbol, markets } from '#src/analytics/domain/chain/symbols.ts';
import { bjerksundStensland } from '#src/analytics/domain/pricing/american-approximation.ts';
import { americanVolatility, europeanVolatility } from '#src/analytics/domain/pricing/american-volatility.ts';
import { type ExerciseTable, exerciseTable } from '#src/analytics/domain/pricing/exercise-table.ts';
import { type Forward, impliedForwards } from './forwards.ts';

export interface DeAmericanised {
  readonly forwards: readonly Forward[];
  /**
   * Part of each contract's mid that pays for early exercise, dollars per share; the rest is a European price. NaN
   * where it is not known, because the option is to be exercised now or its strike has no usable quote.
   */
  readonly premiums: Float64Array;
}

/** A premium under this part of half the spread is taken from the approximation: the quote does not know it better. */
const IMMATERIAL = 0.1;

/**
 * European prices inside American ones: the volatility of each strike is solved from the American price of its
 * out-of-the-money side (else the other), and the premium is the American less the European price at it. Forwards by
 * parity need the premiums, and the premiums the forwards: two rounds of both, from forwards without premiums.
 *
 * Dividends are the fund's constant yield, as if paid evenly; the spot is the one that carries to the forward at it, so
 * that a few cents between spot and forward are not taken for a yield worth exercising for.
 *
 * @see O. Burkovska et al., "Calibration to American options: numerical investigation of the de-Americanization
 * method", Quantitative Finance 18 (2018)
 */
export function deAmericanise(chain: Chain): DeAmericanised {
  let forwards = impliedForwards(chain);
  for (let round = 0; round < 2; round++) {
    forwards = impliedForwards(chain, premiumsOf(chain, forwards, parityReach(chain, forwards)));
  }
  const everywhere = new Float64Array(forwards.length).fill(Infinity);
  return { forwards, premiums: premiumsOf(chain, forwards, everywhere) };
}

const PARITY_STRIKES = 10;

/**
 * Distance from the forward, in ln K, up to which parity looks: half a deviation of a volatility of 0.5, and ten
 * strikes at least.
 */
function parityReach({ columns, contracts, expiries }: Chain, forwards: readonly Forward[]): Float64Array {
  const distances: number[][] = expiries.map(() => []);
  for (let i = 0; i < contracts; i++) {
    const e = columns.expiry[i]!;
    distances[e]!.push(Math.abs(Math.log(columns.strike[i]! / forwards[e]!.forward)));
  }
  return Float64Array.from(distances, (row, e) => {
    const nearest = row.toSorted((a, b) => a - b)[2 * PARITY_STRIKES - 1] ?? Infinity;
    return Math.max(0.25 * Math.sqrt(expiries[e]!.years), nearest);
  });
}

/** Premiums of the strikes within `reach` of their forward, in ln K by expiry; NaN beyond. */
function premiumsOf(chain: Chain, forwards: readonly Forward[], reach: Float64Array): Float64Array {
  const { strike, expiry } = chain.columns;
  const premiums = new Float64Array(chain.contracts).fill(Number.NaN);
  let tables = tablesOf(chain, forwards, 0);
  let at = 0;
  for (let i = 0; i < chain.contracts; ) {
    const paired = i + 1 < chain.contracts && strike[i] === strike[i + 1] && expiry[i] === expiry[i + 1];
    const last = paired ? i + 1 : i;
    if (expiry[i] !== at) {
      at = expiry[i]!;
      tables = tablesOf(chain, forwards, at);
    }
    const { forward } = forwards[at]!;
    if (Math.abs(Math.log(strike[i]! / forward)) > reach[at]!) {
      i = last + 1;
      continue;
    }
    const outFirst = (chain.columns.isCall[i] === 1) === strike[i]! >= forward;
    const [out, other] = outFirst ? [i, last] : [last, i];
    const sigma = solveRow(chain, tables, out) || solveRow(chain, tables, other);
    for (; i <= last; i++) if (sigma > 0) premiums[i] = premiumAt(chain, tables, i, sigma);
  }
  return premiums;
}

interface Tables {
  readonly call: ExerciseTable;
  readonly put: ExerciseTable;
}

function tablesOf(chain: Chain, forwards: readonly Forward[], e: number): Tables {
  const { years } = chain.expiries[e]!;
  const { forward, rate, method } = forwards[e]!;
  // Without a fit there are neither rate nor yield, and so no reason to exercise.
  const known = isMarketSymbol(chain.symbol) && method !== 'spot';
  const dividend = known ? markets[chain.symbol].dividendYield : rate;
  const spot = forward * Math.exp((dividend - rate) * years);
  return {
    call: exerciseTable({ isCall: true, spot, years, rate, dividend }),
    put: exerciseTable({ isCall: false, spot, years, rate, dividend }),
  };
}

/** The volatility of a contract's American mid; 0 where it has none. */
function solveRow({ columns }: Chain, tables: Tables, i: number): number {
  const { bid, ask, isCall, strike } = columns;
  if (!(bid[i]! > 0 && ask[i]! > 0)) return 0;
  const table = isCall[i] === 1 ? tables.call : tables.put;
  const mid = 0.5 * (bid[i]! + ask[i]!);
  const european = europeanVolatility(table, strike[i]!, mid);
  if (typeof european === 'number' && screened(table, strike[i]!, european) <= room(bid[i]!, ask[i]!)) return european;
  const sigma = americanVolatility(table, strike[i]!, mid);
  return typeof sigma === 'number' ? sigma : 0;
}

function premiumAt({ columns }: Chain, tables: Tables, i: number, sigma: number): number {
  const { bid, ask, isCall, strike } = columns;
  const table = isCall[i] === 1 ? tables.call : tables.put;
  const approximate = screened(table, strike[i]!, sigma);
  if (approximate <= room(bid[i]!, ask[i]!)) return approximate;
  return table.american(strike[i]!, sigma) - table.european(strike[i]!, sigma);
}

function room(bid: number, ask: number): number {
  return 0.5 * IMMATERIAL * (ask - bid);
}

/** The premium by the approximation, NaN where that overflows. */
function screened({ market, european }: ExerciseTable, strike: number, volatility: number): number {
  return bjerksundStensland({ ...market, strike, volatility }) - european(strike, volatility);
}

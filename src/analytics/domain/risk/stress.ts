import { atmVolatility } from '#src/analytics/domain/book/atm-volatility.ts';
import { type Book, emptyBook } from '#src/analytics/domain/book/book.ts';
import { bookRows } from '#src/analytics/domain/book/book-rows.ts';
import { deltaShares } from '#src/analytics/domain/exposures/delta-sums.ts';
import { exposures } from '#src/analytics/domain/exposures/exposures.ts';
import {
  type SmileDynamics,
  VOLATILITY_FLOOR,
  volatilityMoves,
  volatilitySlopes,
} from '#src/analytics/domain/exposures/smile-dynamics.ts';
import { gammaFlips } from '#src/analytics/domain/levels/gamma-flips.ts';
import { black76Price, bsmGreeks } from '#src/analytics/domain/pricing/black-scholes.ts';
import { blendedGreeks } from '#src/analytics/domain/pricing/price-blend.ts';
import { regime } from '#src/analytics/domain/regime/regime.ts';
import { AppError } from '#src/lib/errors.ts';
import type { StressResult, StressScenario } from './stress-schema.ts';

const units = {
  net_gex: '$ delta per +1 % spot',
  gex_abs: '$ delta per +1 % spot, every position long',
  unhedged_pnl: '$',
  hedged_pnl: '$',
  hedge_flow: '$, above zero dealers buy',
  vol_points: 'vol points',
} as const;

/** Sums over the book before the shock, per point of spot and year; `PerUnit` per unit of volatility, else per relative change. */
interface Sensitivities {
  readonly delta: number;
  readonly gamma: number;
  readonly vega: number;
  readonly vanna: number;
  readonly vegaPerUnit: number;
  readonly vannaPerUnit: number;
  readonly charm: number;
  readonly theta: number;
}

/**
 * A book after each scenario: every contract repriced at S(1 + x) and σ(1 + y) + p, `days` later. It keeps its strike's
 * volatility, or slides along the smile of its expiry by (R − 1)·skew·ln(1 + x) where the scenario names an R. Contracts that expire within the days are worth their intrinsic value at the shocked spot and leave the
 * book. P&L is the dealers': unhedged Σ nM(V′ − V), hedged the same minus their initial delta times the move. The hedge
 * flow is that of the flow forecast: what has settled keeps the delta of its intrinsic value, since a hedge that is
 * delivered or closed against the settlement makes no trade in the market.
 *
 * @param skewAt ∂σ/∂k at the money of an expiry, decimal; without it every R is 1
 * @throws AppError `invalid_request` for a shock of −100 % or less, negative days, or a number that is not finite.
 */
export function stressBook(
  book: Book,
  scenarios: readonly StressScenario[],
  advUsd: number,
  skewAt?: SmileDynamics['skewAt'],
): StressResult[] {
  const before = sensitivities(book);
  return scenarios.map((scenario) => {
    const { spot_shock_pct = 0, vol_points = 0, ssr = 1, ...shocks } = scenario;
    const shift = vol_points / 100;
    // nothing slides along a smile that is not known, and the result says so
    if (!skewAt || ssr === 1) {
      const moves = shift === 0 ? null : new Float64Array(book.expiries.length).fill(shift);
      return stressOne(book, before, { scenario: { ...shocks, spot_shock_pct, vol_points }, moves, advUsd });
    }
    const slopes = volatilitySlopes(book, { regime: 'ssr', ssr, skewAt });
    const moves = volatilityMoves(slopes, Math.log1p(spot_shock_pct / 100), shift);
    return stressOne(book, before, { scenario, moves, advUsd });
  });
}

interface Stress {
  readonly scenario: StressScenario;
  /** Moves of volatility by expiry, from the slide along the smile and the points added; null for none. */
  readonly moves: Float64Array | null;
  readonly advUsd: number;
}

function stressOne(book: Book, before: Sensitivities, { scenario, moves, advUsd }: Stress): StressResult {
  const { spot_shock_pct = 0, vol_shock_pct = 0, vol_points = 0, days = 0, ssr = 1 } = scenario;
  if (
    !(
      spot_shock_pct > -100 &&
      vol_shock_pct > -100 &&
      days >= 0 &&
      Number.isFinite(spot_shock_pct + vol_shock_pct + vol_points + days)
    )
  ) {
    throw new AppError('invalid_request', 'expected finite shocks above -100 % and days of zero or more', { scenario });
  }
  const atm = atmVolatility(book);
  const spot = book.spot * (1 + spot_shock_pct / 100);
  const y = vol_shock_pct / 100;
  const shock: Shock = { spot, volatility: 1 + y, moves, years: days / 365 };
  const after = shockBook(book, shock);
  const move = spot - book.spot;
  const unhedged = valueAfter(book, shock) - bookValue(book);
  const parts = {
    delta: before.delta * move,
    gamma: 0.5 * before.gamma * move * move,
    vega: before.vega * y + (before.vegaPerUnit * vol_points) / 100,
    vanna: (before.vanna * y + (before.vannaPerUnit * vol_points) / 100) * move,
    charm: (before.charm * move * days) / 365,
    theta: (before.theta * days) / 365,
  };
  const { delta, gamma, vega, vanna, charm, theta } = parts;
  const hedged = unhedged - delta;
  const sums = exposures(after);
  const atmAfter = atmVolatility(after);
  return {
    spot_shock_pct,
    vol_shock_pct,
    vol_points: atm === null ? null : atm * vol_shock_pct + vol_points,
    vol_shift_points: vol_points,
    days,
    ssr,
    spot,
    net_gex: sums.gex,
    gex_abs: sums.gexAbs,
    regime: regime({
      spot,
      gex: sums.gex,
      gexAbs: sums.gexAbs,
      flip: gammaFlips(after).primary?.level ?? null,
      atmVolatility: atmAfter,
      advUsd,
    }),
    unhedged_pnl: unhedged,
    hedged_pnl: hedged,
    pnl_parts: { ...parts, residual: hedged - (gamma + vega + vanna + charm + theta) },
    hedge_flow: -(deltaAfter(book, shock) - before.delta) * spot,
    settled_contracts: book.contracts - after.contracts,
    units,
  };
}

interface Shock {
  /** Spot after the shock, points. */
  readonly spot: number;
  /** Factor on every volatility. */
  readonly volatility: number;
  /** Amounts added to each volatility, by expiry; null for nothing. */
  readonly moves: Float64Array | null;
  /** Years that pass. */
  readonly years: number;
}

/** The book after a shock, without the contracts that have settled; rates and yields stay. */
export function shockBook(book: Book, shock: Shock): Book {
  const expiries = book.expiries.map((expiry) => ({ ...expiry, years: expiry.years - shock.years }));
  const alive = Array.from(book.expiry, (e, i) => (expiries[e]!.years > 0 ? i : -1)).filter((i) => i >= 0);
  const { multiplier, blended } = book;
  const after = emptyBook({ spot: shock.spot, multiplier, expiries, blended }, alive.length);
  for (const [row, i] of alive.entries()) {
    after.expiry[row] = book.expiry[i]!;
    after.strike[row] = book.strike[i]!;
    after.isCall[row] = book.isCall[i]!;
    after.volatility[row] = volatilityAfter(book, i, shock);
    after.openInterest[row] = book.openInterest[i]!;
    after.position[row] = book.position[i]!;
  }
  return after;
}

/** Delta of the book after a shock in shares, of what has settled that of its intrinsic value. */
function deltaAfter(book: Book, shock: Shock): number {
  const shocked = { ...book, volatility: book.volatility.map((_, i) => volatilityAfter(book, i, shock)) };
  return deltaShares(bookRows(shocked), { spot: shock.spot, elapsed: shock.years });
}

/** The law of the smile holds for small moves only: a tenth of a volatility always stays. */
function volatilityAfter(book: Book, row: number, { volatility, moves }: Shock): number {
  const still = book.volatility[row]! * volatility;
  return moves ? Math.max(still + moves[book.expiry[row]!]!, VOLATILITY_FLOOR * still) : still;
}

function bookValue(book: Book): number {
  return valueAfter(book, { spot: book.spot, volatility: 1, moves: null, years: 0 });
}

/** Dollars the dealers' options are worth after a shock; settled ones count their intrinsic value. */
function valueAfter(book: Book, shock: Shock): number {
  let sum = 0;
  for (let i = 0; i < book.contracts; i++) {
    const { years, rate, dividend } = book.expiries[book.expiry[i]!]!;
    const left = Math.max(years - shock.years, 0);
    const price = black76Price({
      isCall: book.isCall[i] === 1,
      forward: shock.spot * Math.exp((rate - dividend) * left),
      strike: book.strike[i]!,
      deviation: volatilityAfter(book, i, shock) * Math.sqrt(left),
      discount: Math.exp(-rate * left),
    });
    sum += book.position[i]! * price;
  }
  return sum * book.multiplier;
}

/** Vega and vanna are taken per relative change of volatility, Σ nM·vega·σ, and per unit of it, for a shift in points. */
function sensitivities(book: Book): Sensitivities {
  const sum = { delta: 0, gamma: 0, vega: 0, vanna: 0, vegaPerUnit: 0, vannaPerUnit: 0, charm: 0, theta: 0 };
  for (let i = 0; i < book.contracts; i++) {
    const { years, rate, dividend } = book.expiries[book.expiry[i]!]!;
    const volatility = book.volatility[i]!;
    const isCall = book.isCall[i] === 1;
    const one = { isCall, spot: book.spot, strike: book.strike[i]!, years, volatility, rate, dividend };
    const greeks = book.blended ? blendedGreeks(one) : bsmGreeks(one);
    const n = book.position[i]! * book.multiplier;
    sum.delta += n * greeks.delta;
    sum.gamma += n * greeks.gamma;
    sum.vegaPerUnit += n * greeks.vega;
    sum.vannaPerUnit += n * greeks.vanna;
    sum.vega += n * greeks.vega * volatility;
    sum.vanna += n * greeks.vanna * volatility;
    sum.charm += n * greeks.charm;
    sum.theta += n * greeks.theta;
  }
  return sum;
}

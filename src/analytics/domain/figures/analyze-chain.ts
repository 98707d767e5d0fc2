import { expiryAtmVolatilities } from '#src/analytics/domain/book/atm-volatility.ts';
import type { Book } from '#src/analytics/domain/book/book.ts';
import { isAmerican, type PricedBook, priceBook } from '#src/analytics/domain/book/price-book.ts';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { invalidChain } from '#src/analytics/domain/chain/raw-chain.ts';
import { exposures, exposureUnits } from '#src/analytics/domain/exposures/exposures.ts';
import { gammaFlipsOf } from '#src/analytics/domain/levels/gamma-flips.ts';
import { gammaProfile } from '#src/analytics/domain/levels/gamma-profile.ts';
import { gammaTerms } from '#src/analytics/domain/levels/gamma-terms.ts';
import { levels } from '#src/analytics/domain/levels/levels.ts';
import { maxPain } from '#src/analytics/domain/levels/max-pain.ts';
import { type StrikeProfile, strikeProfile } from '#src/analytics/domain/levels/strike-profile.ts';
import type { Generation } from '#src/analytics/domain/positions/dealer-positions.ts';
import { type RegimeState, regime } from '#src/analytics/domain/regime/regime.ts';
import type { ChainAnalytics } from './analytics-schema.ts';

export interface AnalyzeOptions {
  /** Dollars traded per day in what hedgers trade. */
  readonly advUsd: number;
  /** The regime before, for hysteresis. */
  readonly previousRegime?: RegimeState | undefined;
  /** Standard deviation of GEX from positioning, same unit; null where the generation states none. */
  readonly gexSd?: number | null;
  /** Generation of the positions in the book; 1 without it. */
  readonly generation?: Generation;
}

const PROFILE_SPOTS = 201;

/**
 * The whole analytics of a chain, as the API sends them: finite numbers or null.
 *
 * @throws AppError `invalid_chain` if no contract has a volatility, so that there is nothing to compute from.
 */
export function analyzeChain(chain: Chain, options: AnalyzeOptions): ChainAnalytics {
  return analyzeBook(chain, priceBook(chain), options);
}

/** {@link analyzeChain} for a caller that has priced the chain already, to stress the same book. */
export function analyzeBook(chain: Chain, priced: PricedBook, options: AnalyzeOptions): ChainAnalytics {
  const { book, coverage, sources } = priced;
  if (book.contracts === 0) throw invalidChain('volatility', 'at least one contract with a volatility', 0);
  const sums = exposures(book);
  const terms = gammaTerms(book);
  const profile = gammaProfile(book, terms, PROFILE_SPOTS);
  const byStrike = strikeProfile(book, sums.gexByContract);
  const flips = gammaFlipsOf(book, terms, coverage, profile);
  const marks = levels(book, byStrike);
  return {
    symbol: chain.symbol,
    name: chain.name,
    source: chain.source,
    as_of: chain.asOf,
    spot: chain.spot,
    multiplier: chain.multiplier,
    adv_usd: options.advUsd,
    generation: options.generation ?? 1,
    exercise: isAmerican(chain) ? 'de_americanised' : 'european',
    exposures: {
      dex: sums.dex,
      net_gex: sums.gex,
      gex_abs: sums.gexAbs,
      vex: sums.vex,
      cex: sums.cex,
      tex: sums.tex,
      units: exposureUnits,
    },
    profile_by_strike: strikeRows(byStrike),
    gamma_profile: { spots: Array.from(profile.spots), gex: Array.from(profile.gex) },
    flips,
    levels: marks,
    regime: regime({
      spot: book.spot,
      gex: sums.gex,
      gexAbs: sums.gexAbs,
      flip: flips.primary?.level ?? null,
      atmVolatility: marks.atm_volatility,
      advUsd: options.advUsd,
      previous: options.previousRegime,
      gexSd: options.gexSd ?? null,
    }),
    expiries: expiryRows(chain, priced, sums.gexByContract),
    quality: {
      contracts_used: book.contracts,
      dropped: withoutZeros({ ...chain.dropped, ...priced.dropped }),
      volatility_sources: { ...sources },
      coverage,
    },
  };
}

function strikeRows(profile: StrikeProfile): ChainAnalytics['profile_by_strike'] {
  const rows: ChainAnalytics['profile_by_strike'] = [];
  for (const [k, strike] of profile.strikes.entries()) {
    const calls = profile.callOpenInterest[k]!;
    const puts = profile.putOpenInterest[k]!;
    if (calls + puts === 0) continue;
    rows.push({
      strike,
      gex: profile.gex[k]!,
      call_gex: profile.callGex[k]!,
      put_gex: profile.putGex[k]!,
      gex_abs: profile.grossGex[k]!,
      call_open_interest: calls,
      put_open_interest: puts,
    });
  }
  return rows;
}

function expiryRows(chain: Chain, priced: PricedBook, gexByContract: Float64Array): ChainAnalytics['expiries'] {
  const { book, forwards } = priced;
  const sums = expirySums(book, gexByContract);
  const pains = maxPain(book);
  const volatilities = expiryAtmVolatilities(book);
  return chain.expiries.map((expiry, e) => ({
    root: expiry.root,
    date: expiry.date,
    settlement: expiry.settlement,
    settles_at: expiry.settlesAt,
    years: expiry.years,
    ...sums[e]!,
    atm_volatility: volatilities[e] ?? null,
    max_pain: pains[e] ?? null,
    forward: forwards[e]!.forward,
    rate: forwards[e]!.rate,
    dividend: forwards[e]!.dividend,
    forward_method: forwards[e]!.method,
    forward_strikes: forwards[e]!.strikes,
    forward_standard_error: forwards[e]!.standardError,
  }));
}

function expirySums(book: Book, gexByContract: Float64Array) {
  const sums = book.expiries.map(() => ({ contracts: 0, open_interest: 0, gex: 0, gex_abs: 0 }));
  for (let i = 0; i < book.contracts; i++) {
    const sum = sums[book.expiry[i]!]!;
    sum.contracts++;
    sum.open_interest += book.openInterest[i]!;
    sum.gex += gexByContract[i]!;
    sum.gex_abs += Math.abs(gexByContract[i]!);
  }
  return sums;
}

function withoutZeros(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

import { essviToRaw, essviTotalVariance } from './essvi.ts';
import { essviAt, type TimedSlice } from './essvi-between.ts';
import { fitEssvi } from './fit-essvi.ts';
import { fitSvi, type SviFit } from './fit-svi.ts';
import { refineEssvi } from './refine-essvi.ts';
import { scaleQuotes } from './smile-misfit.ts';
import { certifySurface, type FitError, fitError, type SurfaceCertificate } from './surface-quality.ts';
import { sviDerivatives } from './svi.ts';
import { type UsableQuotes, usableQuotes, type VolatilityQuotes } from './volatility-quotes.ts';

/** Quotes of one expiry that a surface is fitted to. */
export interface ExpiryQuotes {
  /** Root and day, e.g. `SPXW 2026-11-20`. */
  readonly label: string;
  /** ACT/365 years to settlement. */
  readonly years: number;
  /** Forward that the quotes' k are measured from, points. */
  readonly forward: number;
  readonly quotes: VolatilityQuotes;
}

/** Result of the fit of one expiry. */
export interface ExpiryFit {
  readonly label: string;
  readonly years: number;
  readonly forward: number;
  /**
   * `thin`: under three quotes, so lean and bend are those of its neighbours, or of none. `poor_fit`: the slice misses every
   * quote, and by far. Of both the quotes do not tell the lean. Without a slice of its own: `no_quotes`;
   * `bad_time`: years not above zero or infinite; `same_time`: another expiry settles at that very instant.
   */
  readonly status: 'ok' | 'thin' | 'poor_fit' | 'no_quotes' | 'bad_time' | 'same_time';
  /** Quotes fitted to, and quotes refused. */
  readonly quotes: number;
  readonly crossed: number;
  readonly malformed: number;
  /** The quotes fitted to. */
  readonly quoted: VolatilityQuotes;
  readonly slice: TimedSlice | null;
  readonly error: FitError | null;
  /** A smile of its own beside the surface; free of butterfly arbitrage, but not checked against its neighbours. */
  readonly svi: SviFit;
  readonly sviError: FitError | null;
}

/** A volatility surface without butterfly or calendar arbitrage. */
export interface VolSurface {
  /** At least one, of ascending years. */
  readonly slices: readonly TimedSlice[];
  readonly certificate: SurfaceCertificate;
  readonly expiries: readonly ExpiryFit[];
}

export type SurfaceFit =
  /** `poor_fit`: no expiry tells its lean, or the surface misses nearly all quotes, by far: see {@link isPoor}. */
  | { readonly status: 'ok' | 'poor_fit'; readonly surface: VolSurface }
  /** `arbitrage`: the certificate does not hold, so there is nothing to serve. */
  | { readonly status: 'no_quotes' | 'arbitrage'; readonly surface: null };

interface Candidate extends UsableQuotes {
  readonly input: ExpiryQuotes;
  readonly status: ExpiryFit['status'];
}

/** Fits one surface to the quotes of all expiries, in any order: sequentially, then all slices at once. */
export function fitSurface(expiries: readonly ExpiryQuotes[]): SurfaceFit {
  const candidates = candidatesOf(expiries);
  const used = candidates.filter(({ status }) => status === 'ok' || status === 'thin');
  if (used.length === 0) return { status: 'no_quotes', surface: null };
  const scaled = used.map(({ quotes, input }) => scaleQuotes(quotes, input.years));
  const refined = refineEssvi(scaled, fitEssvi(scaled));
  const slices = refined.map((slice, i) => ({ ...slice, years: used[i]!.input.years }));
  const certificate = certifySurface(slices);
  if (!certificate.holds) return { status: 'arbitrage', surface: null };
  const sliceOf = new Map(used.map((candidate, i) => [candidate, slices[i]!]));
  const fits = candidates.map((candidate) => expiryFit(candidate, sliceOf.get(candidate) ?? null));
  return { status: isPoor(fits) ? 'poor_fit' : 'ok', surface: { slices, certificate, expiries: fits } };
}

function candidatesOf(expiries: readonly ExpiryQuotes[]): Candidate[] {
  let last = 0;
  return expiries
    .toSorted((a, b) => a.years - b.years)
    .map((input) => {
      const usable = usableQuotes(input.quotes);
      const count = usable.quotes.k.length;
      const inTime = input.years > 0 && input.years < Infinity;
      const status = !inTime ? 'bad_time' : count === 0 ? 'no_quotes' : input.years === last ? 'same_time' : null;
      if (status === null) last = input.years;
      return { input, ...usable, status: status ?? (count < 3 ? 'thin' : 'ok') };
    });
}

/** Root mean square miss in half-spreads from which it is far, where next to no quote has the smile inside. */
const FAR = 5;
/** Least share of the quotes that have the surface inside their spread. */
const LEAST_INSIDE = 0.05;

/**
 * Checks whether a surface says little of its quotes. Quotes of a cent or two around a volatility of a tenth of a point
 * are missed by any surface of three numbers an expiry; so one that some quotes agree with is not poor for missing
 * others by far.
 */
function isPoor(fits: readonly ExpiryFit[]): boolean {
  let [quotes, inside, squares] = [0, 0, 0];
  for (const { error, quotes: count } of fits) {
    if (!error) continue;
    quotes += count;
    inside += count * error.inside;
    squares += count * error.halfSpreads ** 2;
  }
  const misses = inside < LEAST_INSIDE * quotes && squares > FAR * FAR * quotes;
  return misses || !fits.some(({ status, svi }) => status === 'ok' || svi.raw !== null);
}

function expiryFit({ input, quotes, crossed, malformed, status }: Candidate, slice: TimedSlice | null): ExpiryFit {
  const { label, years, forward } = input;
  const svi: SviFit = slice
    ? fitSvi(quotes, years, essviToRaw(slice))
    : { status: 'too_few_quotes', raw: null, certificate: null };
  const error = slice && fitError(quotes, essviToRaw(slice), years);
  const misses = error !== null && error.inside === 0 && error.halfSpreads > FAR;
  return {
    label,
    years,
    forward,
    status: status === 'ok' && misses ? 'poor_fit' : status,
    quotes: quotes.k.length,
    crossed,
    malformed,
    quoted: quotes,
    slice,
    error,
    svi,
    sviError: svi.raw && fitError(quotes, svi.raw, years),
  };
}

/** Total variance σ²T at log-moneyness k = ln(K/F); null unless the time is above zero and both are finite. */
export function totalVarianceAt({ slices }: VolSurface, k: number, years: number): number | null {
  if (!(years > 0 && years < Infinity && Math.abs(k) < Infinity)) return null;
  return essviTotalVariance(essviAt(slices, years), k);
}

/** Black volatility there, decimal per square root of a year. */
export function volatilityAt(surface: VolSurface, k: number, years: number): number | null {
  const variance = totalVarianceAt(surface, k, years);
  return variance === null ? null : Math.sqrt(variance / years);
}

/** Volatility at k = 0. */
export function atmVolatilityAt(surface: VolSurface, years: number): number | null {
  return volatilityAt(surface, 0, years);
}

/** 𝒮 = ∂σ/∂k at k = 0: decimal volatility per unit of log-moneyness; for an equity index below zero. */
export function skewAt({ slices }: Pick<VolSurface, 'slices'>, years: number): number | null {
  if (!(years > 0 && years < Infinity)) return null;
  const { theta, rho, psi } = essviAt(slices, years);
  return (rho * psi) / (2 * Math.sqrt(theta * years));
}

/**
 * 𝒮 of one expiry: of its own smile where it has one, else of the surface; null where its quotes, or without any those of
 * all others, do not tell it: what the fit has in their place is no measurement. Three numbers a slice under the bounds of the
 * calendar lean more at the money than quotes do: by a quarter on real chains.
 */
export function expirySkew(surface: VolSurface, { label, years }: Pick<ExpiryFit, 'label' | 'years'>): number | null {
  const expiry = surface.expiries.find((one) => one.label === label);
  const raw = expiry?.svi.raw;
  if (!raw) return isDetermined(surface, expiry) ? skewAt(surface, years) : null;
  const { w, first } = sviDerivatives(raw, 0);
  return first / (2 * Math.sqrt(w * years));
}

function isDetermined({ expiries }: VolSurface, expiry: ExpiryFit | undefined): boolean {
  if (expiry?.slice) return expiry.status === 'ok';
  return expiries.some(({ status }) => status === 'ok');
}

export const THIRTY_DAYS = 30 / 365;

/**
 * 𝒮 = ∂σ/∂k at the money, at a time in years, from the smiles of the expiries that have one: 𝒮·√T is linear in time
 * between two of them and flat outside, since skew falls about with the root of time. Null without any.
 */
export function skewAtTenor(surface: VolSurface, years: number): number | null {
  const known = surface.expiries.flatMap((expiry) => {
    const skew = expirySkew(surface, expiry);
    return skew === null ? [] : [{ years: expiry.years, scaled: skew * Math.sqrt(expiry.years) }];
  });
  const [before, after] = [known.findLast((at) => at.years <= years), known.find((at) => at.years > years)];
  const [from, to] = [before ?? after, after ?? before];
  if (!from || !to) return null;
  const share = to.years > from.years ? Math.min(Math.max((years - from.years) / (to.years - from.years), 0), 1) : 0;
  return ((1 - share) * from.scaled + share * to.scaled) / Math.sqrt(years);
}

import { priceBook } from '#src/analytics/domain/book/price-book.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { essviToRaw } from '#src/analytics/domain/surface/essvi.ts';
import { fitEssvi } from '#src/analytics/domain/surface/fit-essvi.ts';
import { scaleQuotes } from '#src/analytics/domain/surface/smile-misfit.ts';
import { surfaceInputs } from '#src/analytics/domain/surface/surface-inputs.ts';
import { type FitError, fitError } from '#src/analytics/domain/surface/surface-quality.ts';
import { type ExpiryFit, type ExpiryQuotes, fitSurface } from '#src/analytics/domain/surface/vol-surface.ts';
import { usableQuotes } from '#src/analytics/domain/surface/volatility-quotes.ts';
import { medianMs } from './measure.ts';
import { realChains } from './real-chains.ts';

const often = { warmUp: 5, runs: 11 };

/**
 * Fit error by expiry and the time of each stage on the real chains of one day, as markdown; empty where the chains are
 * not at hand.
 */
export function surfaceReport(symbols: readonly MarketSymbol[] = ['SPX', 'SPY']): string {
  return realChains(symbols)
    .map(([symbol, text]) => chainReport(symbol, text))
    .join('\n');
}

function chainReport(symbol: MarketSymbol, text: string): string {
  const chain = cleanChain(readChain(text, symbol));
  const priced = priceBook(chain);
  const inputs = surfaceInputs(chain, priced);
  const { surface } = fitSurface(inputs);
  if (!surface) return `No surface of ${symbol}.\n`;
  const stages = [
    ['forwards and volatilities', medianMs(() => priceBook(chain), often)],
    ['quotes of the surface', medianMs(() => surfaceInputs(chain, priced), often)],
    ['surface, SVI beside it, certificates', medianMs(() => fitSurface(inputs), often)],
  ] as const;
  const { leastG, leastCalendarGap } = surface.certificate;
  const rows = surface.expiries.map(({ label, years, quotes, error, svi, sviError }) => {
    const own = [label, (365 * years).toFixed(2), quotes];
    return `| ${[...own, ...cells(error), ...cells(sviError), svi.status].join(' | ')} |`;
  });
  const held = [
    ['the surface', sharesInside(surface.expiries, ({ error }) => error)],
    [
      'its slices each fitted alone, with nothing to keep from their neighbours',
      sharesInside(surface.expiries, aloneError(inputs)),
    ],
    ['SVI, five numbers a slice', sharesInside(surface.expiries, ({ sviError }) => sviError)],
  ] as const;
  return [
    `${symbol} of 2023-09-14, ${surface.slices.length} expiries: least g ${leastG.toFixed(4)}, least calendar gap ` +
      `${leastCalendarGap?.toExponential(1) ?? 'none'}; ${stages.map(([name, ms]) => `${name} ${ms.toFixed(1)} ms`).join(', ')}.`,
    '',
    `Quotes inside the spread: ${held.map(([name, share]) => `${name} ${Math.round(100 * share)} %`).join('; ')}.`,
    '',
    '| expiry | days | quotes | eSSVI, points | half-spreads | inside | SVI, points | half-spreads | inside | SVI status |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** Share of all quotes that lie between bid and ask of their own expiry. */
function sharesInside(expiries: readonly ExpiryFit[], errorOf: (expiry: ExpiryFit) => FitError | null): number {
  const known = expiries.flatMap((expiry) => {
    const error = errorOf(expiry);
    return error ? [{ quotes: expiry.quotes, inside: error.inside * expiry.quotes }] : [];
  });
  const sum = (pick: (one: (typeof known)[number]) => number) => known.reduce((total, one) => total + pick(one), 0);
  return sum(({ inside }) => inside) / sum(({ quotes }) => quotes);
}

/** The misfit of the best three numbers of an expiry by itself: what no calibration of the whole can be better than. */
function aloneError(inputs: readonly ExpiryQuotes[]): (expiry: ExpiryFit) => FitError | null {
  return ({ label, years, slice }) => {
    const input = inputs.find((one) => one.label === label);
    if (!input || !slice) return null;
    const { quotes } = usableQuotes(input.quotes);
    const [alone] = fitEssvi([scaleQuotes(quotes, years)]);
    return alone ? fitError(quotes, essviToRaw(alone), years) : null;
  };
}

function cells(error: FitError | null): string[] {
  if (!error) return ['', '', ''];
  return [error.volatilityPoints.toFixed(2), error.halfSpreads.toFixed(2), `${Math.round(100 * error.inside)} %`];
}

if (import.meta.main) process.stdout.write(surfaceReport());

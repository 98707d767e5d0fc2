import type { Book } from '#src/analytics/domain/book/book.ts';
import { priceBook } from '#src/analytics/domain/book/price-book.ts';
import { sessionOn } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { type MarketSymbol, markets } from '#src/analytics/domain/chain/symbols.ts';
import { type ExposureCoefficients, exposureCoefficients } from '#src/analytics/domain/exposures/exposures.ts';
import { dealerPositions } from '#src/analytics/domain/figures/market-figures.ts';
import {
  type DealerPositions,
  estimate,
  generationNames,
  generationOf,
} from '#src/analytics/domain/positions/dealer-positions.ts';
import { bookSymbols } from '#src/analytics/domain/positions/positions-flow.ts';
import { coversExposure, type PositionScore, scorePositions } from '#src/analytics/domain/positions/score-positions.ts';
import { wilson } from '#src/analytics/domain/statistics/wilson.ts';
import { syntheticTape } from '#src/analytics/domain/synthetic/flow-tape.ts';
import { openSyntheticMarket } from '#src/analytics/domain/synthetic/market.ts';
import { openMarketPath } from '#src/analytics/domain/synthetic/market-path.ts';
import type { GenerationScores } from './generation-scores-schema.ts';

/** Days over a year, so that seasons of expiries differ. */
export const scoreDays = ['2026-02-11', '2026-04-02', '2026-06-18', '2026-08-26', '2026-10-21', '2026-11-19'] as const;
const HOURS_AFTER_OPENING = 5;
const figures = ['gex', 'dex', 'vex', 'cex'] as const;
type Figure = (typeof figures)[number];

const method =
  'Five hours after the opening of each day, on a tape of trades that begins two trading days before. The market is generated: its dealers’ true positions are known, and the estimates see only what a vendor would show. It tells whether the arithmetic is calibrated on this market, not what dealers hold in the world; days of one seed share a mood, so a few of them say little. Ask with other seeds.';

/** One generation on one day, against the truth. */
export interface GenerationCase {
  readonly generation: DealerPositions['generation'];
  readonly score: PositionScore;
  readonly figures: Readonly<Record<Figure, FigureCase>>;
}

interface FigureCase {
  readonly signRight: boolean;
  /** Absolute error over the gross true exposure. */
  readonly error: number;
  /** True where the 80 % band holds the true value; null without a band. */
  readonly covers: boolean | null;
}

/** Every generation on each day of a generated market. CPU-heavy: seconds a day. */
export function generationCases(
  symbol: MarketSymbol,
  seed: number,
  days: readonly string[] = scoreDays,
): GenerationCase[] {
  const market = openSyntheticMarket({ seed, symbol, path: openMarketPath({ seed }) });
  return days.flatMap((date) => {
    const at = sessionOn(date).open + HOURS_AFTER_OPENING * 3_600_000;
    const { book } = priceBook(market.chainAt(at));
    const truth = truthOf(book, market.truePositionsAt(at));
    const coefficients = exposureCoefficients(book);
    const delta = coefficients.dex.map((dollars) => dollars / (book.multiplier * book.spot));
    const { first, second, third, mean } = dealerPositions(book, {
      kind: markets[symbol].kind,
      delta,
      gammaPerContract: coefficients.gex,
      flow: syntheticTape(market)(at),
    });
    return [first, second, third, mean].flatMap((positions) =>
      positions === null
        ? []
        : [
            {
              generation: positions.generation,
              score: scorePositions(truth, positions),
              figures: figuresOf(truth, positions, coefficients),
            },
          ],
    );
  });
}

function figuresOf(truth: Float64Array, positions: DealerPositions, coefficients: ExposureCoefficients) {
  const caseOf = (name: Figure): FigureCase => {
    const perContract = coefficients[name];
    const exact = truth.reduce((sum, n, i) => sum + n * perContract[i]!, 0);
    const gross = truth.reduce((sum, n, i) => sum + Math.abs(n * perContract[i]!), 0);
    const guess = estimate(positions, perContract);
    return {
      signRight: Math.sign(guess.value) === Math.sign(exact),
      error: Math.abs(guess.value - exact) / gross,
      covers: coversExposure(exact, guess),
    };
  };
  return { gex: caseOf('gex'), dex: caseOf('dex'), vex: caseOf('vex'), cex: caseOf('cex') };
}

/** The cases of a symbol and seed, summed up by generation. */
export function generationScores(
  symbol: MarketSymbol,
  seed: number,
  days: readonly string[] = scoreDays,
): GenerationScores {
  const cases = generationCases(symbol, seed, days);
  const generations = generationNames.flatMap((name) => {
    const own = cases.filter(({ generation }) => generation === generationOf(name));
    if (own.length === 0) return [];
    const score = (pick: (score: PositionScore) => number | null) => meanOf(own.map((one) => pick(one.score)));
    const figureOf = (figure: Figure) => {
      const all = own.map((one) => one.figures[figure]);
      const banded = all.map(({ covers }) => covers).filter((covers) => covers !== null);
      return {
        sign: wilson(all.filter(({ signRight }) => signRight).length, all.length),
        error_over_gross: meanOf(all.map(({ error }) => error)),
        band_coverage: wilson(banded.filter(Boolean).length, banded.length),
      };
    };
    return [
      {
        generation: generationOf(name),
        contracts: {
          sign_accuracy: score((one) => one.sign_accuracy),
          sign_accuracy_weighted: score((one) => one.sign_accuracy_weighted),
          signed_share: score((one) => one.signed_share),
          rmse: score((one) => one.rmse),
          bias: score((one) => one.bias),
          band_coverage: score((one) => one.band_coverage),
        },
        contracts_compared: score((one) => one.contracts) ?? 0,
        gex: figureOf('gex'),
        dex: figureOf('dex'),
        vex: figureOf('vex'),
        cex: figureOf('cex'),
      },
    ];
  });
  return { status: 'ok', symbol, seed, days: [...days], method, generations };
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null && Number.isFinite(value)) as number[];
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function truthOf(book: Book, positions: ReadonlyMap<string, number>): Float64Array {
  return Float64Array.from(bookSymbols(book), (symbol) => positions.get(symbol ?? '') ?? 0);
}

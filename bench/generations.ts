import { figure, table } from '#bench/lib/markdown.ts';
import type { Book } from '#src/analytics/domain/book.ts';
import { estimate } from '#src/analytics/domain/dealer-positions.ts';
import { sessionOn } from '#src/analytics/domain/exchange-calendar.ts';
import { exposureCoefficients } from '#src/analytics/domain/exposure-coefficients.ts';
import { dealerPositions } from '#src/analytics/domain/market-figures.ts';
import { bookSymbols } from '#src/analytics/domain/positions-flow.ts';
import { priceBook } from '#src/analytics/domain/price-book.ts';
import { coversExposure, scorePositions } from '#src/analytics/domain/score-positions.ts';
import { type MarketSymbol, marketSymbols, markets } from '#src/analytics/domain/symbols.ts';
import { syntheticTape } from '#src/analytics/domain/synthetic/flow-tape.ts';
import { openSyntheticMarket } from '#src/analytics/domain/synthetic/market.ts';
import { openMarketPath } from '#src/analytics/domain/synthetic/market-path.ts';

const days = ['2026-02-11', '2026-04-02', '2026-06-18', '2026-08-26', '2026-10-21', '2026-11-19'];
const seed = 7;
const names = ['1', '2', '3', 'ensemble'] as const;

interface Case {
  readonly generation: (typeof names)[number];
  readonly score: ReturnType<typeof scorePositions>;
  readonly gexError: number;
  readonly gexSignRight: boolean;
  readonly covers: boolean | null;
}

/** How near each generation comes to what the dealers of the synthetic market truly hold, at 14:30 of six days. */
function casesOf(symbol: MarketSymbol): Case[] {
  const market = openSyntheticMarket({ seed, symbol, path: openMarketPath({ seed }) });
  return days.flatMap((date) => {
    const at = sessionOn(date).open + 5 * 3_600_000;
    const { book } = priceBook(market.chainAt(at));
    const truth = truthOf(book, market.truePositionsAt(at));
    const { gex, dex } = exposureCoefficients(book);
    const delta = dex.map((dollars) => dollars / (book.multiplier * book.spot));
    const flow = syntheticTape(market)(at);
    const found = dealerPositions(book, { kind: markets[symbol].kind, delta, flow });
    const trueGex = truth.reduce((sum, n, i) => sum + n * gex[i]!, 0);
    const gross = truth.reduce((sum, n, i) => sum + Math.abs(n) * gex[i]!, 0);
    return [found.first, found.second, found.third, found.mean].flatMap((positions, index) => {
      const generation = names[index];
      if (!positions || !generation) return [];
      const guess = estimate(positions, gex);
      return [
        {
          generation,
          score: scorePositions(truth, positions),
          gexError: Math.abs(guess.value - trueGex) / gross,
          gexSignRight: Math.sign(guess.value) === Math.sign(trueGex),
          covers: coversExposure(trueGex, guess),
        },
      ];
    });
  });
}

function truthOf(book: Book, positions: ReadonlyMap<string, number>): Float64Array {
  return Float64Array.from(bookSymbols(book), (symbol) => positions.get(symbol ?? '') ?? 0);
}

/** Markdown of the accuracy of the generations on the synthetic market, whose dealers' true positions are known. */
export function generationsReport(symbols: readonly MarketSymbol[] = marketSymbols): string {
  const cases = symbols.flatMap(casesOf);
  const rows = names.map((name) => {
    const own = cases.filter(({ generation }) => generation === name);
    const mean = (pick: (one: Case) => number | null) => {
      const values = own.map(pick).filter((value) => value !== null);
      return values.length === 0 ? 'none' : figure(values.reduce((sum, value) => sum + value, 0) / values.length);
    };
    return [
      name,
      mean(({ score }) => score.sign_accuracy),
      mean(({ score }) => score.sign_accuracy_weighted),
      mean(({ score }) => score.rmse),
      mean(({ score }) => score.band_coverage),
      mean(({ gexSignRight }) => Number(gexSignRight)),
      mean(({ gexError }) => gexError),
      mean(({ covers }) => (covers === null ? null : Number(covers))),
    ];
  });
  const heading = [
    'generation',
    'sign right',
    'by contracts',
    'RMSE contracts',
    '80 % band holds',
    'net GEX sign right',
    'net GEX error / gross',
    '80 % band of net GEX holds',
  ];
  return [
    `Means over ${symbols.length} symbols and ${days.length} days, five hours after the opening, seed ${seed}; the tape begins two trading days before.`,
    table(heading, rows),
  ].join('\n\n');
}

if (import.meta.main) process.stdout.write(`${generationsReport()}\n`);

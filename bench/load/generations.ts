import { figure, table } from '#bench/lib/markdown.ts';
import { type GenerationCase, generationCases, scoreDays } from '#src/analytics/domain/benchmark/generation-scores.ts';
import { type MarketSymbol, marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import { generationNames, generationOf } from '#src/analytics/domain/positions/dealer-positions.ts';

const seed = 7;

/** Markdown of the accuracy of the generations on the synthetic market, whose dealers' true positions are known. */
export function generationsReport(symbols: readonly MarketSymbol[] = marketSymbols): string {
  const cases = symbols.flatMap((symbol) => generationCases(symbol, seed));
  const rows = generationNames.map((name) => {
    const own = cases.filter(({ generation }) => generation === generationOf(name));
    const mean = (pick: (one: GenerationCase) => number | null) => {
      const values = own.map(pick).filter((value) => value !== null);
      return values.length === 0 ? 'none' : figure(values.reduce((sum, value) => sum + value, 0) / values.length);
    };
    return [
      name,
      mean(({ score }) => score.sign_accuracy),
      mean(({ score }) => score.sign_accuracy_weighted),
      mean(({ score }) => score.rmse),
      mean(({ score }) => score.band_coverage),
      mean(({ figures: { gex } }) => Number(gex.signRight)),
      mean(({ figures: { gex } }) => gex.error),
      mean(({ figures: { gex } }) => (gex.covers === null ? null : Number(gex.covers))),
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
    `Means over ${symbols.length} symbols and ${scoreDays.length} days, five hours after the opening, seed ${seed}; the tape begins two trading days before.`,
    table(heading, rows),
  ].join('\n\n');
}

if (import.meta.main) process.stdout.write(`${generationsReport()}\n`);

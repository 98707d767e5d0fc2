import type { Claim } from '#bench/lib/claim.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import { generationsReport } from '#bench/load/generations.ts';
import { numericsBench } from '#bench/load/numerics.ts';
import { gammaReport } from '#bench/numerics/gamma-report.ts';
import { surfaceReport } from '#bench/numerics/surface-report.ts';

/** The numerics of one chain on one core. */
export const numerics: Claim = async () => {
  const rows = await numericsBench();
  const fits = surfaceReport();
  const gammas = gammaReport();
  return {
    title: 'Numerics, one core, 20,000 contracts',
    body: [
      table(
        ['what', 'median', 'unit', 'target'],
        rows.map(({ name, value, unit, target }) => [name, figure(value), unit, figure(target)]),
      ),
      ...(fits === '' ? [] : ['Fit of the volatility surface to real chains:', fits]),
      ...(gammas.text === ''
        ? []
        : [
            "Our gamma over Cboe's own column, median (contracts): out-of-the-money contracts whose gamma is at least 0.001, since Cboe prints four decimals. SPY's contracts are American: ours is the gamma of the European contract of the volatility that is left without early exercise, Cboe's that of the American one, which for puts is larger by a tenth at nine months and by a third at two years.",
            gammas.text,
          ]),
      'Dealer positions of each generation against the truth that the synthetic market hides:',
      generationsReport(),
    ].join('\n\n'),
    verdicts: [
      ...rows.map(({ name, value, unit, target, ok }) => ({
        promise: `${name}: at most ${figure(target)} ${unit}`,
        measured: `${figure(value)} ${unit}`,
        held: ok,
      })),
      ...gammas.verdicts,
    ],
  };
};

import type { ChainAnalytics } from '#src/analytics/domain/figures/analytics-schema.ts';
import type { PortfolioStressResult } from '#src/analytics/domain/risk/portfolio-stress-schema.ts';

const money = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumSignificantDigits: 4,
  signDisplay: 'exceptZero',
});
const points = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const percent = (value: number): string => `${value > 0 ? '+' : ''}${value} %`;

/** `$ 1.234B`, with its sign. */
export const dollars = (value: number): string => `$ ${money.format(value)}`;

/** Describes a chain before any shock: net GEX, and each spot at which its sign changes. */
export function chainSummary({ symbol, as_of, spot, exposures, flips, regime, quality }: ChainAnalytics): string {
  const levels = flips.flips.map(
    ({ level, direction }) => `${points.format(level)} (${direction.replaceAll('_', ' ')})`,
  );
  const rows = [
    ['net GEX now', `${dollars(exposures.net_gex)} of dealer delta per +1 % spot`],
    ['flip levels', levels.length > 0 ? levels.join(', ') : `none within 15 % of spot (${flips.status})`],
    ['regime', regime.state ?? 'none'],
    ['contracts', `${quality.contracts_used} used`],
  ];
  const lines = rows.map(([name = '', value]) => `  ${name.padEnd(14)}${value}`);
  return [`${symbol} at ${points.format(spot)}, ${as_of}`, ...lines, ''].join('\n');
}

/** One row a scenario. */
export function stressTable({ results }: PortfolioStressResult): string {
  const header = ['spot', 'volatility', 'net GEX after', 'regime', 'P&L hedged', 'gamma', 'vega', 'vanna', 'residual'];
  const rows = results.map(({ spot_shock_pct, vol_shock_pct, net_gex, regime, pnl }) => [
    percent(spot_shock_pct),
    percent(vol_shock_pct),
    dollars(net_gex),
    regime.state ?? 'none',
    ...[pnl.hedged, pnl.gamma, pnl.vega, pnl.vanna, pnl.residual].map(dollars),
  ]);
  const widths = header.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('   ')}`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line), ''].join('\n');
}

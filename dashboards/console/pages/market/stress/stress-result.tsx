import { Freshness } from '#console/pages/market/parts/freshness.tsx';
import { Legend } from '#console/pages/market/parts/legend.tsx';
import { RegimeMark } from '#console/pages/market/parts/regime-mark.tsx';
import classes from '#console/pages/market/parts/two-parts.module.css';
import { Chart } from '#console/ui/charts/chart.tsx';
import { usePalette } from '#console/ui/charts/use-palette.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { distance, dollars, percent, signedDollars } from '#src/lib/charts/figures.ts';
import { nameOf, type StressAnswer } from './scenarios.ts';
import { stressOption } from './stress-option.ts';

/** Outcome of a portfolio under each shock. */
export function StressOutcome({ answer }: { readonly answer: StressAnswer }) {
  const palette = usePalette();
  const { before, results } = answer.data;
  const worst = results.toSorted((a, b) => a.pnl.hedged - b.pnl.hedged)[0];
  const summary = worst
    ? `Least for hedged dealers: ${nameOf(worst)} with ${signedDollars(worst.pnl.hedged)}, leaving net gamma ${signedDollars(worst.net_gex)}.`
    : 'No shock.';
  return (
    <>
      <p className={classes['note']}>
        {summary} Before:{' '}
        {before
          .map(({ symbol, weight, net_gex }) => `${symbol} ${percent(weight, 0)}, net gamma ${dollars(net_gex)}`)
          .join('; ')}
        . <Freshness of={answer} />
      </p>
      <Legend
        entries={[
          ['call', 'P&L of hedged dealers'],
          ['faint', 'unhedged'],
          ['plus', 'net gamma above zero'],
          ['minus', 'below'],
        ]}
        note="$"
      />
      <Chart option={stressOption(results, palette)} label={`Stress test. ${summary}`} height="26rem" merge={false} />
    </>
  );
}

/** The same as a table. */
export function StressTable({ answer }: { readonly answer: StressAnswer }) {
  const { results } = answer.data;
  return (
    <DataTable
      label="Outcome of each shock"
      rows={results.map((result, i) => ({ ...result, i }))}
      keyOf={({ i }) => String(i)}
      empty={null}
      columns={[
        { title: 'Shock', cell: nameOf },
        { title: 'Net gamma after', number: true, cell: ({ net_gex }) => signedDollars(net_gex) },
        { title: 'Regime after', cell: ({ regime }) => <RegimeMark state={regime.state} brief />, from: 'md' },
        { title: 'Hedged P&L', number: true, cell: ({ pnl }) => signedDollars(pnl.hedged) },
        { title: 'Unhedged P&L', number: true, cell: ({ pnl }) => signedDollars(pnl.unhedged), from: 'md' },
        {
          title: 'Dealers must trade',
          number: true,
          from: 'lg',
          cell: ({ members }) => signedDollars(members.reduce((sum, { result }) => sum + result.hedge_flow, 0)),
        },
        {
          title: 'Portfolio',
          number: true,
          cell: ({ portfolio_return: made }) => (made === null ? 'unknown' : distance(1 + made, 1)),
        },
      ]}
    />
  );
}

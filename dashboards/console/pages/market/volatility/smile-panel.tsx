import { Select } from '@mantine/core';
import { useState } from 'react';
import { Legend } from '#console/pages/market/parts/legend.tsx';
import type { Figures } from '#console/pages/market/parts/section.tsx';
import classes from '#console/pages/market/parts/two-parts.module.css';
import { Chart } from '#console/ui/charts/chart.tsx';
import { usePalette } from '#console/ui/charts/use-palette.ts';
import { FiguresTable } from '#console/ui/data/figures-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { percent, points, words } from '#src/lib/charts/figures.ts';
import type { Expiry } from './smile-curves.ts';
import { smileOption } from './smile-option.ts';

interface Props {
  readonly symbol: string;
  readonly surface: Figures<'GET /v1/surface/{symbol}'>;
  readonly spot: number;
}

/** One expiry: what is quoted, and the curves that were fitted to it. */
export function SmilePanel({ symbol, surface: { expiries }, spot }: Props) {
  const [label, setLabel] = useState<string | null>(null);
  const palette = usePalette();
  const fitted = expiries.filter(({ essvi }) => essvi !== null);
  // the first with quotes enough to be a smile
  const expiry =
    fitted.find((one) => one.label === label) ?? fitted.find(({ quotes }) => quotes >= 15) ?? fitted.at(-1) ?? null;
  return (
    <Panel
      title="Smile of an expiry"
      aside={
        <Select
          aria-label="Expiry"
          data={fitted.map((one) => ({ value: one.label, label: `${one.label} (${one.quotes} quotes)` }))}
          value={expiry?.label ?? null}
          allowDeselect={false}
          onChange={setLabel}
          style={{ width: '16rem', maxWidth: '60vw' }}
        />
      }
    >
      {expiry ? (
        <>
          <Legend
            entries={[
              ['spot', 'quotes, bid to ask'],
              ['plus', 'surface (eSSVI)'],
              ['minus', 'this expiry alone (SVI, dashed)'],
            ]}
            note="volatility, % a year"
          />
          <Chart
            option={smileOption(expiry, spot, palette)}
            label={sentence(symbol, expiry)}
            height="22rem"
            merge={false}
          />
          <p className={classes['note']}>{sentence(symbol, expiry)}</p>
          <FiguresTable
            label={`Quotes of ${expiry.label}`}
            rows={expiry.quoted?.k ?? []}
            keyOf={String}
            columns={[
              { title: 'Strike, points', cell: (k) => points(Math.round(expiry.forward * Math.exp(k) * 100) / 100) },
              ...(['bid', 'mid', 'ask'] as const).map((side) => ({
                title: `${side}, % a year`,
                number: true,
                cell: (k: number) => percent(expiry.quoted?.[side][expiry.quoted.k.indexOf(k)], 2),
              })),
            ]}
          />
        </>
      ) : (
        <Empty title="No expiry could be fitted">The chain has too few two-sided quotes. Upload a fuller one.</Empty>
      )}
    </Panel>
  );
}

function sentence(
  symbol: string,
  { label, quotes, status, fit_error: error, svi, atm_volatility: level, years }: Expiry,
): string {
  const fit = error
    ? `the surface lies inside ${percent(error.inside, 0)} of them and misses the mids by ${error.volatility_points.toFixed(2)} volatility points`
    : 'the surface says nothing of them';
  const own = svi.raw === null ? ` Too few for a curve of its own (${words(svi.status)}).` : '';
  return `${symbol}, ${label}, ${(365 * years).toFixed(1)} days to settlement (${words(status)}): ${percent(level)} at the money; ${quotes} quotes, ${fit}.${own}`;
}

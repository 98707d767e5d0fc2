import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { Freshness } from '#console/pages/market/parts/freshness.tsx';
import { Legend } from '#console/pages/market/parts/legend.tsx';
import { Section } from '#console/pages/market/parts/section.tsx';
import classes from '#console/pages/market/parts/two-parts.module.css';
import type { ViewProps } from '#console/pages/market/parts/view-props.ts';
import { Chart } from '#console/ui/charts/chart.tsx';
import { usePalette } from '#console/ui/charts/use-palette.ts';
import { FiguresTable } from '#console/ui/data/figures-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { dollars, none, signedDollars } from '#src/lib/charts/figures.ts';
import { type ExposureRow, exposureOption } from './exposure-option.ts';
import { type Exposure, expiryRows, exposures, strikeRows } from './exposures.ts';

/** Hedging trades of dealers when spot, volatility or time moves: by strike and by expiry. */
export function ExposurePanel({ symbol, generation }: ViewProps) {
  const [name, setName] = useState<Exposure>('gamma');
  const [shown, setShown] = useState('split');
  const { title, call, meaning } = exposures[name];
  return (
    <Panel
      title={`${title} exposure of ${symbol}`}
      aside={
        <div className={classes['controls']}>
          <SegmentedControl
            size="xs"
            aria-label="Exposure"
            data={Object.entries(exposures).map(([value, one]) => ({ value, label: one.title }))}
            value={name}
            onChange={(value) => setName(value as Exposure)}
          />
          <SegmentedControl
            size="xs"
            aria-label="What the bars show"
            data={[
              { value: 'split', label: 'Calls and puts' },
              { value: 'net', label: 'Net' },
            ]}
            value={shown}
            onChange={setShown}
          />
        </div>
      }
    >
      <Section
        call={call}
        input={{ path: { symbol }, query: { generation } }}
        what={`${title.toLowerCase()} exposure of ${symbol}`}
      >
        {(figures, answer) => {
          const unit = 'unit' in figures ? figures.unit : (answer.units['gex'] ?? '');
          const strikes = strikeRows(figures);
          const expiries = expiryRows(figures);
          const net = figures.estimate;
          return (
            <div className={classes['stack']}>
              <p className={classes['note']}>
                In all <strong>{signedDollars(net.value)}</strong> {unit}
                {net.sd !== null && `, give or take ${dollars(net.sd)}`}. {meaning}
                {'exposures' in figures &&
                  ` Delta, which the API tells as a sum alone: ${signedDollars(figures.exposures.dex)}.`}{' '}
                <Freshness of={answer} />
              </p>
              <Bars
                rows={strikes}
                spot={figures.spot}
                what={`${title} exposure of ${symbol} by strike`}
                axis="strike, points"
                unit={unit}
                isSplit={shown === 'split'}
              />
              <Bars
                rows={expiries}
                spot={figures.spot}
                what={`${title} exposure of ${symbol} by expiry`}
                axis="expiry"
                unit={unit}
                isSplit={shown === 'split'}
              />
            </div>
          );
        }}
      </Section>
    </Panel>
  );
}

interface BarsProps {
  readonly rows: readonly ExposureRow[];
  readonly spot: number;
  readonly what: string;
  readonly axis: string;
  readonly unit: string;
  readonly isSplit: boolean;
}

function Bars({ rows, spot, what, axis, unit, isSplit }: BarsProps) {
  const palette = usePalette();
  const isKnown = rows.every(({ calls }) => calls !== null);
  const largest = rows.toSorted((a, b) => Math.abs(b.net) - Math.abs(a.net))[0];
  return (
    <div>
      <h3 style={{ margin: 0, fontSize: '0.8125rem' }}>{what}</h3>
      <Legend
        entries={
          isSplit && isKnown
            ? [
                ['call', 'calls'],
                ['put', 'puts'],
              ]
            : [
                ['plus', 'above zero'],
                ['minus', 'below zero'],
              ]
        }
        note={unit}
      />
      <Chart
        option={exposureOption(rows, palette, { isSplit: isSplit && isKnown, spot, axis })}
        label={`${what}, ${unit}: largest ${signedDollars(largest?.net)} at ${largest?.name ?? none}.`}
        height="19rem"
        merge={false}
      />
      <FiguresTable
        label={what}
        rows={rows}
        keyOf={(row) => row.name}
        columns={[
          { title: axis, cell: (row) => row.name },
          { title: 'Calls', number: true, cell: (row) => signedDollars(row.calls) },
          { title: 'Puts', number: true, cell: (row) => signedDollars(row.puts) },
          { title: 'Net', number: true, cell: (row) => signedDollars(row.net) },
          { title: 'Error of the net', number: true, from: 'md', cell: (row) => dollars(row.sd) },
        ]}
      />
    </div>
  );
}

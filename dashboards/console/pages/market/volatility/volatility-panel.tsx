import { Freshness } from '#console/pages/market/parts/freshness.tsx';
import { Section } from '#console/pages/market/parts/section.tsx';
import classes from '#console/pages/market/parts/two-parts.module.css';
import type { ViewProps } from '#console/pages/market/parts/view-props.ts';
import { usePalette } from '#console/ui/charts/use-palette.ts';
import { FiguresTable } from '#console/ui/data/figures-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { percent, points } from '#src/lib/charts/figures.ts';
import { surfaceOption, surfacePlaces } from '#src/lib/charts/surface-option.ts';
import { counted } from '#src/lib/text/counted.ts';
import { SmilePanel } from './smile-panel.tsx';
import { type Grid, shapeOf } from './surface-grid.ts';
import { SurfaceView } from './surface-view.tsx';

/** The volatility surface in three dimensions, and each expiry of it with what is quoted. */
export function VolatilityPanel({ symbol, market }: ViewProps) {
  const palette = usePalette();
  return (
    <Section
      call="GET /v1/surface/{symbol}"
      input={{ path: { symbol }, query: { ...surfacePlaces, quotes: true } }}
      what={`volatility surface of ${symbol}`}
    >
      {(surface, answer) => {
        const shape = shapeOf(surface.grid);
        const { holds, least_g } = surface.certificate;
        const summary = `Volatility surface of ${symbol}: ${percent(shape?.lowest, 0)} to ${percent(shape?.highest, 0)} a year, over strikes from -21 % to +17 % of the forward and ${surfacePlaces.days[0]} to ${counted(surfacePlaces.days.at(-1) ?? 0, 'day')}.`;
        return (
          <div className={classes['stack']}>
            <Panel title={`Volatility surface of ${symbol}`} aside="drag, or arrow keys, to turn it">
              {shape && <SurfaceView shape={shape} label={summary} flat={surfaceOption(surface.grid, palette, 12)} />}
              <p className={classes['note']}>
                {summary} {holds ? 'Free of arbitrage' : 'Not free of arbitrage'} (least density factor g{' '}
                {least_g.toFixed(2)}). <Freshness of={answer} />
              </p>
              <SurfaceTable symbol={symbol} grid={surface.grid} />
            </Panel>
            <SmilePanel symbol={symbol} surface={surface} spot={market.spot ?? surface.expiries[0]?.forward ?? 0} />
          </div>
        );
      }}
    </Section>
  );
}

/** Every sixth column says as much as a table can show. */
function SurfaceTable({
  symbol,
  grid: { days, forwards, k, volatility },
}: {
  readonly symbol: string;
  readonly grid: Grid;
}) {
  const columns = (k ?? []).flatMap((value, column) => (column % 6 === 0 ? [{ value, column }] : []));
  return (
    <FiguresTable
      label={`Volatility of ${symbol}, % a year, by days and strike from the forward`}
      rows={days.map((day, row) => ({ day, row }))}
      keyOf={({ day }) => String(day)}
      columns={[
        { title: 'Days', cell: ({ day }) => day.toFixed(1) },
        {
          title: 'Forward, points',
          number: true,
          from: 'md',
          cell: ({ row }) => points(Math.round(forwards[row] ?? 0)),
        },
        ...columns.map(({ value, column }) => ({
          title: percent(Math.expm1(value), 0),
          number: true,
          cell: ({ row }: { readonly row: number }) => percent(volatility[row]?.[column]),
        })),
      ]}
    />
  );
}

import { useCall } from '#console/api/use-call.ts';
import { Freshness } from '#console/pages/market/parts/freshness.tsx';
import { Legend } from '#console/pages/market/parts/legend.tsx';
import { Section } from '#console/pages/market/parts/section.tsx';
import classes from '#console/pages/market/parts/two-parts.module.css';
import type { ViewProps } from '#console/pages/market/parts/view-props.ts';
import { Chart } from '#console/ui/charts/chart.tsx';
import { usePalette } from '#console/ui/charts/use-palette.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { percent, points, signedDollars, words } from '#src/lib/charts/figures.ts';
import { type Bands, bandsOption } from './bands-option.ts';

/** Band in which dealers do not trade, and their trades where spot leaves it. */
export function BandsPanel({ symbol, generation }: ViewProps) {
  const input = { path: { symbol }, query: { generation } };
  return (
    <Panel title={`Hedging bands of ${symbol}`} aside="chance of being reached by the close">
      <Section call="GET /v1/hedging-bands/{symbol}" input={input} what={`hedging bands of ${symbol}`}>
        {(bands, answer) => (
          <>
            <Picture symbol={symbol} bands={bands} input={input} />
            <p className={classes['note']}>
              {sentence(symbol, bands)} Model {words(bands.model)}, cost {bands.cost}, risk aversion{' '}
              {bands.risk_aversion}. <Freshness of={answer} />
            </p>
            <DataTable
              label={`Edges and zones of ${symbol}`}
              rows={rowsOf(bands)}
              keyOf={({ name }) => name}
              empty={<Empty title="No band and no zone">{words(bands.status)}</Empty>}
              columns={[
                { title: 'Where', cell: ({ name }) => name },
                { title: 'Points', number: true, cell: ({ where }) => where },
                { title: '1 h', number: true, from: 'md', cell: ({ hit }) => percent(hit.p_1h, 0) },
                { title: 'By close', number: true, cell: ({ hit }) => percent(hit.p_close, 0) },
                { title: '1 day', number: true, from: 'md', cell: ({ hit }) => percent(hit.p_1d, 0) },
                { title: 'They trade', number: true, cell: ({ flow }) => signedDollars(flow) },
              ]}
            />
          </>
        )}
      </Section>
    </Panel>
  );
}

interface PictureProps {
  readonly symbol: string;
  readonly bands: Bands;
  readonly input: Parameters<typeof useCall<'GET /v1/gex/{symbol}'>>[1];
}

function Picture({ symbol, bands, input }: PictureProps) {
  const palette = usePalette();
  const read = useCall('GET /v1/gex/{symbol}', input);
  const gex = read.data && 'data' in read.data ? read.data.data : null;
  if (!gex) return null;
  return (
    <>
      <Legend
        entries={[
          ['plusWash', 'zone of damping gamma'],
          ['minusWash', 'zone of amplifying gamma'],
          ['band', 'dealers rest'],
        ]}
        note="net gamma, $ delta per +1 % spot"
      />
      <Chart
        option={bandsOption({ bands, profile: gex.gamma_profile, spot: gex.spot }, palette)}
        label={sentence(symbol, bands)}
        height="20rem"
        merge={false}
      />
    </>
  );
}

interface Row {
  readonly name: string;
  readonly where: string;
  readonly hit: Bands['zones'][number]['hit'];
  readonly flow: number;
}

function rowsOf({ lower, upper, zones }: Bands): Row[] {
  const edge = (name: string, at: Bands['lower']) =>
    at ? [{ name, where: points(at.level), hit: at.hit, flow: at.flow_usd }] : [];
  return [
    ...edge('Lower edge', lower),
    ...edge('Upper edge', upper),
    ...zones.map((zone, i) => ({
      name: `Zone ${i + 1} ${zone.sign === 'positive' ? 'damping' : 'amplifying'}`,
      where: `${points(Math.round(zone.lower))}–${points(Math.round(zone.upper))}`,
      hit: zone.hit,
      flow: zone.expected_flow_usd,
    })),
  ];
}

function sentence(symbol: string, { lower, upper, status, exit, half_width_pts: half }: Bands): string {
  if (!lower || !upper) return `${symbol} dealers have no band in which they rest: ${words(status)}.`;
  return `${symbol} dealers rest while spot is between ${points(lower.level)} and ${points(upper.level)} (±${points(half)} points); it leaves by the close with ${percent(exit?.p_close, 0)}.`;
}

import { Freshness } from '#console/pages/market/parts/freshness.tsx';
import { Legend } from '#console/pages/market/parts/legend.tsx';
import { Section } from '#console/pages/market/parts/section.tsx';
import classes from '#console/pages/market/parts/two-parts.module.css';
import type { ViewProps } from '#console/pages/market/parts/view-props.ts';
import { Chart } from '#console/ui/charts/chart.tsx';
import { usePalette } from '#console/ui/charts/use-palette.ts';
import { FiguresTable } from '#console/ui/data/figures-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { percent, signedDollars, timeAtExchange } from '#src/lib/charts/figures.ts';
import { charmOption, type Schedule } from './charm-option.ts';

/** Trades that the passing of time makes dealers do until the close, window by window. */
export function CharmPanel({ symbol, generation }: ViewProps) {
  const palette = usePalette();
  return (
    <Panel title={`Charm schedule of ${symbol}`} aside="$ that dealers trade as time passes">
      <Section
        call="GET /v1/charm/{symbol}/schedule"
        input={{ path: { symbol }, query: { generation } }}
        what={`charm schedule of ${symbol}`}
      >
        {(schedule, answer) =>
          schedule.windows.length === 0 ? (
            <Empty title="No session to schedule">
              {reasons[schedule.status]} The schedule appears with the next session of the exchange.
            </Empty>
          ) : (
            <>
              <Legend
                entries={[
                  ['plus', 'dealers buy'],
                  ['minus', 'dealers sell'],
                  ['quiet', 'since the opening'],
                ]}
                note="$"
              />
              <Chart
                option={charmOption(schedule, answer.as_of, palette)}
                label={sentence(symbol, schedule)}
                height="20rem"
                merge={false}
              />
              <p className={classes['note']}>
                {sentence(symbol, schedule)} <Freshness of={answer} />
              </p>
              <FiguresTable
                label={`Charm schedule of ${symbol}`}
                rows={schedule.windows}
                keyOf={({ from }) => from}
                columns={[
                  { title: 'New York', cell: ({ from, to }) => `${timeAtExchange(from)}–${timeAtExchange(to)}` },
                  { title: 'Flow', number: true, cell: ({ flow_usd: flow }) => signedDollars(flow) },
                  { title: 'In all', number: true, cell: ({ cumulative_usd: sum }) => signedDollars(sum) },
                  { title: 'Dealers', from: 'md', cell: ({ direction }) => direction?.toLowerCase() ?? 'do nothing' },
                  {
                    title: 'Of the volume',
                    number: true,
                    from: 'md',
                    cell: ({ share_of_volume: share }) => percent(share, 2),
                  },
                ]}
              />
            </>
          )
        }
      </Section>
    </Panel>
  );
}

const reasons: Readonly<Record<Schedule['status'], string>> = {
  ok: '',
  no_session: 'The exchange has no session now.',
  no_flow: 'The passing of time makes these dealers trade nothing.',
};

function sentence(symbol: string, { total_usd: total, peak, activation }: Schedule): string {
  const most = peak
    ? `, most of it from ${timeAtExchange(peak.from)} to ${timeAtExchange(peak.to)} (${signedDollars(peak.flow_usd)})`
    : '';
  const begins = activation
    ? ` It is felt from ${timeAtExchange(activation.at)}.`
    : ' It is not large enough to be felt.';
  return `Time alone makes ${symbol} dealers ${total < 0 ? 'sell' : 'buy'} ${signedDollars(Math.abs(total)).replace('+', '')} over the session${most}, New York time.${begins}`;
}

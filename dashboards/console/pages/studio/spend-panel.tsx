import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useCall } from '#console/api/use-call.ts';
import type { SpendFigures } from '#console/pages/studio/parts/studio-types.ts';
import { Chart } from '#console/ui/charts/chart.tsx';
import { Figures } from '#console/ui/data/figures.tsx';
import { formatMoney } from '#console/ui/money.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { counted } from '#src/lib/text/counted.ts';

const windows = ['24h', '7d', '30d', '90d'] as const;

/** Costs of providers' calls so far, and the rest of the budget. */
export function SpendPanel() {
  const [window, setWindow] = useState<(typeof windows)[number]>('30d');
  const spend = useCall('GET /api/studio/v1/analyze', { query: { scope: 'spend', window } });
  return (
    <Panel
      title="Spend"
      aside={
        <SegmentedControl
          size="xs"
          aria-label="Window of time"
          data={[...windows]}
          value={window}
          onChange={setWindow}
        />
      }
    >
      <Answered query={spend} what="spend">
        {(envelope) => <Spend figures={envelope.output['figures'] as SpendFigures} window={window} />}
      </Answered>
    </Panel>
  );
}

function Spend({ figures, window }: { readonly figures: SpendFigures; readonly window: string }) {
  const { settledUsd, reservedUsd, openApprovals, calls, byDay } = figures;
  return (
    <>
      <Figures
        isPlain
        figures={[
          { name: 'Spent', value: formatMoney(settledUsd), note: counted(calls, 'call') },
          { name: 'Set aside', value: formatMoney(reservedUsd), note: 'for calls under way' },
          {
            name: 'May be spent yet',
            value: formatMoney(openApprovals.ceilingUsd),
            note: counted(openApprovals.count, 'open approval'),
          },
        ]}
      />
      {settledUsd > 0 && <SpendChart byDay={byDay} label={`${formatMoney(settledUsd)} in the last ${window}`} />}
    </>
  );
}

function SpendChart({ byDay, label }: { readonly byDay: SpendFigures['byDay']; readonly label: string }) {
  const days = [...new Set(byDay.map(({ day }) => day))];
  const providers = [...new Set(byDay.map(({ provider }) => provider))];
  const usd = (day: string, provider: string) =>
    byDay.find((one) => one.day === day && one.provider === provider)?.settledUsd ?? 0;
  return (
    <Chart
      height="10rem"
      label={`Spent by day and provider: ${label}`}
      option={{
        grid: { left: 8, right: 8, top: 12, bottom: 4, containLabel: true },
        tooltip: { trigger: 'axis', renderMode: 'richText' },
        xAxis: { type: 'category', data: days },
        yAxis: { type: 'value', axisLabel: { formatter: '${value}' } },
        series: providers.map((name) => ({
          name,
          type: 'bar',
          stack: 'all',
          barMaxWidth: 24,
          data: days.map((day) => usd(day, name)),
        })),
      }}
    />
  );
}

import { Figures } from '#console/ui/data/figures.tsx';
import { Ago, spell } from '#console/ui/time.tsx';
import { counted } from '#src/lib/text/counted.ts';
import { CallLog } from './call-log.tsx';
import { CapabilityTable } from './capability-table.tsx';
import { KeyChanges } from './key-changes.tsx';
import { UsageChart } from './usage-chart.tsx';
import type { Usage } from './usage-days.ts';

/** Uses of a key. `at`: the time of the count, in milliseconds since 1970. */
export function KeyUsage({ usage, at }: { readonly usage: Usage; readonly at: number }) {
  const { stats } = usage;
  const share = stats.totalCalls === 0 ? 0 : stats.failed / stats.totalCalls;
  return (
    <>
      <Figures
        figures={[
          {
            name: 'Calls',
            value: stats.totalCalls.toLocaleString(),
            note: `of ${counted(stats.retentionDays, 'day')}`,
          },
          {
            name: 'Last 24 hours',
            value: stats.callsLast24h.toLocaleString(),
            note: `${stats.callsLast7d.toLocaleString()} in 7 days`,
          },
          {
            name: 'Refused or failed',
            value: stats.failed.toLocaleString(),
            note: `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`,
          },
          {
            name: 'Mean time',
            value: stats.averageDurationMs === null ? '–' : spell(stats.averageDurationMs / 1_000),
            note: stats.lastCallAt === null ? 'never called' : <>last {<Ago at={stats.lastCallAt} />}</>,
          },
        ]}
      />
      <UsageChart usage={usage} at={at} />
      <CapabilityTable of={usage} />
      <CallLog of={usage} />
      <KeyChanges of={usage} />
    </>
  );
}

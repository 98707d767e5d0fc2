import type { ProviderCall } from '#console/api/api.d.ts';
import { useCall } from '#console/api/use-call.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { formatMoney } from '#console/ui/money.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { Time } from '#console/ui/time.tsx';
import { counted } from '#src/lib/text/counted.ts';
import { DecideCall } from './decide-call.tsx';
import classes from './provider-panel.module.css';

const ends = { written_off: 'written off', billed: 'billed at what it holds' } as const;

/** For operators: calls with an unknown outcome, and the amounts that their budgets hold for them. */
export function UnknownCallsPanel() {
  const unknown = useCall('GET /v1/provider-calls', { query: { limit: 100 } });
  return (
    <Panel title="Calls with an unknown outcome" flush>
      <Answered query={unknown} what="unknown calls">
        {({ unknown: { calls, held_usd: held }, rule, data }) => (
          <>
            <p className={classes['planned']}>
              {calls === 0
                ? 'None: every call has ended, and what it cost is known.'
                : `${counted(calls, 'call holds', 'calls hold')} ${formatMoney(held)} of their budgets: no answer came in time, or a connection broke off. Each is ${ends[rule.end]} after ${counted(rule.hours, 'hour')}, unless you decide before.`}
            </p>
            <Calls calls={data} />
          </>
        )}
      </Answered>
    </Panel>
  );
}

function Calls({ calls }: { readonly calls: readonly ProviderCall[] }) {
  return (
    <DataTable
      label="Unknown calls"
      rows={calls}
      keyOf={({ job_id: job, provider }) => `${job} ${provider}`}
      empty={null}
      columns={[
        {
          title: 'Call',
          cell: ({ provider, capability, reason }) => (
            <>
              {provider}: {capability}
              <span className={classes['more']}>{reason}</span>
            </>
          ),
        },
        { title: 'Job', cell: ({ job_id: job }) => <a href={`/jobs/${job}`}>{job.slice(0, 8)}</a>, from: 'md' },
        { title: 'Owner', cell: ({ owner }) => owner, from: 'lg' },
        { title: 'Holds', cell: ({ held_usd: held }) => formatMoney(held), number: true },
        { title: 'Since', cell: ({ since }) => since && <Time at={since} />, from: 'md' },
        { title: 'Decide', cell: (call) => <DecideCall call={call} /> },
      ]}
    />
  );
}

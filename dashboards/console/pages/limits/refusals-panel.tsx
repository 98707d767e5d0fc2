import { useCall } from '#console/api/use-call.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { EditLimit } from './edit-limit.tsx';

/** Milliseconds between two reads. */
const EVERY_MS = 2_000;
const kinds = { minute: 'requests_per_minute', day: 'requests_per_day', depth: 'queue_depth' } as const;

/** Owners whom limits refuse, the most refused first, each with the way to a limit of its own. */
export function RefusalsPanel() {
  const refusals = useCall('GET /v1/limits/refusals', {}, { refetchInterval: EVERY_MS });
  return (
    <Panel title="Refused in this hour and the last" flush>
      <Answered query={refusals} what="refusals">
        {({ data }) => (
          <DataTable
            label="Refusals"
            rows={data}
            keyOf={({ owner, policy, queue, group }) => JSON.stringify([owner, policy, queue, group])}
            empty={<Empty title="No refusals">Owners show here once a limit refuses them something.</Empty>}
            columns={[
              { title: 'Owner', cell: ({ owner }) => <span className="breaks">{owner}</span> },
              { title: 'Limit', cell: ({ policy }) => <span className="mono">{policy}</span> },
              {
                title: 'Queue and group',
                cell: ({ queue, group }) =>
                  queue === null ? (
                    <span className="quiet">requests</span>
                  ) : (
                    <span className="breaks">{`${queue}, ${group}`}</span>
                  ),
              },
              { title: 'Refused', number: true, cell: ({ refused }) => refused.toLocaleString() },
              {
                title: 'Actions',
                cell: ({ owner, policy }) => (
                  <EditLimit
                    label="Limit"
                    name={`Limit of ${owner}: ${policy}`}
                    from={{ kind: kindOf(policy), scope: 'owner', subject: owner }}
                  />
                ),
              },
            ]}
          />
        )}
      </Answered>
    </Panel>
  );
}

/** Kind of the limit that a policy such as `owner-minute` is of. */
function kindOf(policy: string) {
  const [what] = Object.keys(kinds).filter((one) => policy.endsWith(`-${one}`));
  return kinds[(what ?? 'minute') as keyof typeof kinds];
}

import { useCall } from '#console/api/use-call.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { spell } from '#console/ui/time.tsx';
import { EditRule } from './edit-rule.tsx';

/** Milliseconds between two reads of the figures. */
const EVERY_MS = 2_000;

/** Figures of the groups of a queue beside each other, each with the way to a rule; nothing for a visitor who may not. */
export function GroupsPanel({ queue }: { readonly queue: string }) {
  const path = { name: queue };
  const groups = useCall('GET /v1/queues/{name}/groups', { path }, { refetchInterval: EVERY_MS });
  const rules = useCall('GET /v1/queues/{name}/rules', { path });
  if (!groups.isSuccess || !rules.isSuccess) return null;
  const { data, rest } = groups.data;
  const rows = rest === null ? data : [...data, { group: null, ...rest }];
  const running = rows.reduce((sum, one) => sum + one.running, 0);
  const ruleOf = (group: string | null) =>
    rules.data.data.find(({ kind, name }) => kind === 'group' && name === group) ??
    rules.data.data.find(({ kind, name }) => kind === 'group' && name === '*');
  return (
    <Panel title="Groups" flush>
      <DataTable
        label="Groups"
        rows={rows}
        keyOf={({ group }) => (group === null ? 'rest' : `group ${group}`)}
        empty={
          <Empty title="No group waits">
            Groups show here while jobs of theirs wait, run, or are refused by a limit.
          </Empty>
        }
        columns={[
          { title: 'Group', cell: ({ group }) => <span className="breaks">{group ?? 'All others'}</span> },
          { title: 'Waiting', number: true, cell: ({ waiting }) => waiting.toLocaleString() },
          {
            title: 'Oldest',
            number: true,
            cell: ({ oldest_waiting_seconds: seconds }) =>
              seconds > 0 ? spell(seconds) : <span className="quiet">–</span>,
          },
          {
            title: 'Running',
            number: true,
            cell: ({ group, running: now }) => {
              const most = ruleOf(group)?.concurrency ?? null;
              return most === null ? now.toLocaleString() : `${now.toLocaleString()} of ${most.toLocaleString()}`;
            },
          },
          {
            title: 'Share',
            number: true,
            from: 'md',
            cell: ({ running: now }) => (running === 0 ? '' : `${Math.round((100 * now) / running)} %`),
          },
          {
            title: 'Refused',
            number: true,
            from: 'md',
            cell: ({ refused }) => (refused > 0 ? refused.toLocaleString() : <span className="quiet">–</span>),
          },
          { title: 'Weight', number: true, from: 'md', cell: ({ group }) => ruleOf(group)?.weight ?? 1 },
          {
            title: 'Actions',
            cell: ({ group }) =>
              group !== null && (
                <EditRule
                  queue={queue}
                  from={
                    rules.data.data.find(({ kind, name }) => kind === 'group' && name === group) ?? {
                      kind: 'group',
                      name: group,
                    }
                  }
                  label="Rule"
                  name={`Rule of ${group}`}
                />
              ),
          },
        ]}
      />
    </Panel>
  );
}

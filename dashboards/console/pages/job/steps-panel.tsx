import { Link } from 'wouter';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { spell, Time } from '#console/ui/time.tsx';
import { counted } from '#src/lib/text/counted.ts';
import type { Timeline } from './use-job.ts';

type Step = Timeline['steps'][number];

/** Meaning of each kind of step, once it is kept and before. */
const kinds: Readonly<Record<Step['kind'], readonly [done: string, now: string]>> = {
  step: ['Kept a value', 'Keeps a value'],
  child: ['Submitted a child job', 'Submits a child job'],
  sleep: ['Waited for a time', 'Waits for a time'],
  signal: ['Waited for a signal', 'Waits for a signal'],
  result: ['Waited for a child job', 'Waits for a child job'],
};

/** Steps that a job has kept, in order, and what it waits for now. */
export function StepsPanel({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <Panel title="Steps" flush aside={counted(steps.filter(({ at }) => at !== null).length, 'step')}>
      <DataTable
        label="Steps"
        rows={steps}
        keyOf={({ name }) => name}
        empty={null}
        columns={[
          { title: 'Step', cell: ({ name }) => name },
          { title: 'What', from: 'md', cell: whatOf },
          { title: 'State', cell: ({ at }) => <StateBadge state={at === null ? 'waiting' : 'done'} /> },
          { title: 'When', number: true, cell: whenOf },
        ]}
      />
    </Panel>
  );
}

function whatOf({ kind, child, at }: Step) {
  const words = kinds[kind][at === null ? 1 : 0];
  return child === null ? words : <Link href={`/jobs/${child}`}>{words}</Link>;
}

/** The time of a step that is kept, with the length of its wait; of a wait the time until which it lasts. */
function whenOf({ since, until, at }: Step) {
  if (at === null)
    return until === null ? (
      <span className="quiet">no end is set</span>
    ) : (
      <>
        until <Time at={until} />
      </>
    );
  if (since === null) return <Time at={at} />;
  return (
    <>
      <Time at={at} /> <span className="quiet">after {spell((Date.parse(at) - Date.parse(since)) / 1_000)}</span>
    </>
  );
}

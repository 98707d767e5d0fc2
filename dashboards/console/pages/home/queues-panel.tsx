import { Link } from 'wouter';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { spell } from '#console/ui/time.tsx';
import { PauseQueue, ResumeQueue } from './pause-queue.tsx';
import classes from './queues-panel.module.css';
import type { Queue } from './use-operations.ts';

interface Props {
  readonly queues: readonly Queue[];
  readonly mayPause: boolean;
  readonly onChange: (queue: Queue) => void;
}

const count = (value: number) => (value === 0 ? <span className="quiet">0</span> : value.toLocaleString());

/** Every queue, and its brake. */
export function QueuesPanel({ queues, mayPause, onChange }: Props) {
  return (
    <Panel title="Queues" flush aside={`${queues.length}`}>
      <DataTable
        label="Queues"
        rows={queues}
        keyOf={({ name }) => name}
        empty={null}
        columns={[
          {
            title: 'Queue',
            cell: ({ name, title, paused, workers, fleets, versions }) => (
              <div className={classes['queue']} title={title}>
                <span className={classes['name']}>
                  <Link href={`/jobs?queue=${name}`}>{name}</Link>
                  {(mayPause || fleets.length === 0) && (
                    <Link className={classes['contract']} href={`/queues/${name}`} aria-label={`Contract of ${name}`}>
                      contract
                    </Link>
                  )}
                </span>
                {paused && (
                  <span className={classes['why']}>
                    Paused by {paused.by}
                    {paused.reason !== null && `: ${paused.reason}`}
                  </span>
                )}
                {workers === 0 && fleets.length > 0 && (
                  <span className={classes['why']}>
                    No worker runs: its jobs wait. Start one of the fleet {fleets.join(' or ')}.
                  </span>
                )}
                {fleets.length === 0 &&
                  versions.map(
                    ({ version, warning }) =>
                      warning !== null && (
                        <span key={version} className={classes['why']}>
                          {warning}
                        </span>
                      ),
                  )}
              </div>
            ),
          },
          {
            title: 'State',
            from: 'md',
            cell: (queue) => <StateBadge state={stateOf(queue)} {...(isIdle(queue) && { tone: 'bad' })} />,
          },
          { title: 'Running', number: true, cell: ({ depth }) => count(depth.running) },
          { title: 'Queued', number: true, cell: ({ depth }) => count(depth.queued) },
          { title: 'Waiting', number: true, from: 'lg', cell: ({ depth }) => count(depth.waiting) },
          { title: 'Later', number: true, from: 'lg', cell: ({ depth }) => count(depth.delayed + depth.held) },
          {
            title: 'Oldest',
            number: true,
            from: 'md',
            cell: ({ oldest_waiting_seconds: seconds }) =>
              seconds > 0 ? spell(seconds) : <span className="quiet">–</span>,
          },
          { title: 'Per minute', number: true, from: 'lg', cell: ({ per_minute: rate }) => count(rate) },
          {
            title: 'Drains in',
            number: true,
            from: 'lg',
            cell: drain,
          },
          {
            title: 'Failed',
            number: true,
            from: 'md',
            cell: ({ finished }) =>
              finished.failed > 0 ? <span className={classes['failed']}>{finished.failed}</span> : count(0),
          },
          ...(mayPause
            ? [
                {
                  title: 'Pause',
                  number: true,
                  cell: (queue: Queue) =>
                    queue.paused ? (
                      <ResumeQueue queue={queue} onDone={onChange} />
                    ) : (
                      <PauseQueue queue={queue} onDone={onChange} />
                    ),
                },
              ]
            : []),
        ]}
      />
    </Panel>
  );
}

/** Time until the queue is empty at this rate; a dash where nothing waits, or nothing is started. */
function drain({ drain_seconds: seconds, depth, paused }: Queue) {
  if (depth.queued === 0 || paused) return <span className="quiet">–</span>;
  return seconds === null ? 'nothing ends' : spell(seconds);
}

const isIdle = ({ paused, workers, versions }: Queue): boolean =>
  !paused && (workers === 0 || versions.some(({ warning, queued }) => warning !== null && queued > 0));

function stateOf(queue: Queue): string {
  const { paused, depth } = queue;
  if (paused) return 'paused';
  if (isIdle(queue)) return 'no worker';
  if (depth.running > 0) return 'running';
  return depth.queued > 0 ? 'queued' : 'idle';
}

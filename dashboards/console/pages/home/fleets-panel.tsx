import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { Ago } from '#console/ui/time.tsx';
import { counted } from '#src/lib/text/counted.ts';
import classes from './fleets-panel.module.css';
import type { Fleet } from './use-operations.ts';

/** The processes that do the work. */
export function FleetsPanel({ fleets }: { readonly fleets: readonly Fleet[] }) {
  const workers = new Set(fleets.flatMap((fleet) => fleet.workers.map(({ id }) => id)));
  return (
    <Panel title="Fleets" flush aside={counted(workers.size, 'process', 'processes')}>
      {fleets.length === 0 && <Empty title="There are no fleets" />}
      <ul className={classes['fleets']}>
        {fleets.map(({ name, queues, workers: processes }) => (
          <li key={name} className={classes['fleet']}>
            <div className={classes['head']}>
              <strong>{name}</strong>
              <StateBadge
                state={processes.length === 0 ? 'no workers' : `${processes.length} alive`}
                tone={processes.length === 0 ? 'bad' : 'ok'}
              />
            </div>
            <div className={classes['queues']}>{queues.join(', ')}</div>
            {processes.map(({ id, host, pid, started_at: since, running, suspects }) => (
              <div key={id} className={classes['worker']}>
                <span className="mono">
                  {host}:{pid}
                </span>
                <span>
                  {running} running in this process{suspects && ', takes jobs whose worker died'}
                </span>
                <span className="quiet">
                  started <Ago at={since} />
                </span>
              </div>
            ))}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

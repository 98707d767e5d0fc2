import { Link } from 'wouter';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Ago } from '#console/ui/time.tsx';
import type { Operations } from './use-operations.ts';
import classes from './workers-panel.module.css';

interface Props {
  readonly workers: Operations['workers'];
  /** True where they are of several owners. */
  readonly isAll: boolean;
}

/** Workers elsewhere, which are connected now: what they take, and how busy they are. */
export function WorkersPanel({ workers: { total, list }, isAll }: Props) {
  return (
    <Panel title="Connected workers" flush aside={`${total}`}>
      <DataTable
        label="Connected workers"
        rows={list}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No worker is connected">
            Workers of registered queues show here the moment they register. Until then the jobs of those queues wait.
          </Empty>
        }
        columns={[
          {
            title: 'Worker',
            cell: ({ name, id, owner, sdk }) => (
              <div className={classes['worker']} title={id}>
                {name}
                <span className={classes['note']}>{[isAll && owner, sdk].filter(Boolean).join(', ')}</span>
              </div>
            ),
          },
          {
            title: 'Takes',
            from: 'md',
            cell: ({ queues }) => (
              <div className={classes['queues']}>
                {queues.map(({ name, versions }) => (
                  <Link key={name} href={`/queues/${name}`}>
                    {name}@{versions.join(', ')}
                  </Link>
                ))}
              </div>
            ),
          },
          { title: 'In hand', number: true, cell: ({ running }) => running.toLocaleString() },
          { title: 'Free', number: true, from: 'md', cell: ({ credits }) => credits.toLocaleString() },
          { title: 'At once', number: true, cell: ({ capacity }) => capacity.toLocaleString() },
          { title: 'Connected', number: true, from: 'lg', cell: ({ started_at: at }) => <Ago at={at} /> },
          { title: 'Last beat', number: true, cell: ({ beat_at: at }) => <Ago at={at} /> },
        ]}
      />
      {total > list.length && <p className={classes['more']}>and {(total - list.length).toLocaleString()} more</p>}
    </Panel>
  );
}

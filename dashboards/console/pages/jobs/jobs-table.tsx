import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { Ago, spell, Time } from '#console/ui/time.tsx';
import { ActBar } from './act-bar.tsx';
import type { Chosen } from './actions.ts';
import classes from './jobs-table.module.css';
import { type Filter, type Job, useJobs } from './use-jobs.ts';

interface Props {
  readonly filter: Filter;
  readonly onClear: () => void;
}

/** The jobs that fit, and further ones on request. */
export function JobsTable({ filter, onClear }: Props) {
  const jobs = useJobs(filter);
  const [chosen, setChosen] = useChosen(filter);
  const isFiltered = Object.keys(filter).length > 0;
  const found = jobs.data?.pages.flatMap(({ data }) => data) ?? [];
  const searchedTo = jobs.data?.pages.at(-1)?.searched_to ?? null;
  return (
    <Panel
      title={isFiltered ? 'Jobs that fit' : 'All jobs'}
      flush
      aside={jobs.isFetching ? 'reading …' : `${found.length} shown`}
    >
      {jobs.isPending && <Loading what="jobs" />}
      {jobs.isError && <Fault error={jobs.error} retry={() => void jobs.refetch()} />}
      {jobs.data && <ActBar filter={filter} shown={found} chosen={chosen} onChoose={setChosen} />}
      {jobs.data && (
        <DataTable
          label="Jobs"
          rows={found}
          keyOf={({ id }) => id}
          empty={
            isFiltered ? (
              <Empty title="No job fits">
                {searchedTo === null ? 'Look for something else, or ' : 'Look further back below, or '}
                <button type="button" className={classes['link']} onClick={onClear}>
                  show all jobs
                </button>
                .
              </Empty>
            ) : (
              <Empty title="There are no jobs yet">
                They show here as soon as work is requested: by a brief in the studio, a mission, or a call of the API.
              </Empty>
            )
          }
          columns={[selectColumn(chosen, found, setChosen), ...columns]}
        />
      )}
      {searchedTo !== null && (
        <p className={classes['note']}>
          Jobs accepted before <Time at={searchedTo} /> were not looked at yet.
        </p>
      )}
      {jobs.hasNextPage && (
        <div className={classes['more']}>
          <Button variant="default" loading={jobs.isFetchingNextPage} onClick={() => void jobs.fetchNextPage()}>
            {searchedTo === null ? 'Show older ones' : 'Look further back'}
          </Button>
        </div>
      )}
    </Panel>
  );
}

/** The jobs that are chosen; none after another filter. */
function useChosen(filter: Filter): [Chosen, (chosen: Chosen) => void] {
  const of = JSON.stringify(filter);
  const [choice, setChoice] = useState<{ readonly of: string; readonly chosen: Chosen }>({ of, chosen: new Set() });
  return [choice.of === of ? choice.chosen : new Set<string>(), (chosen) => setChoice({ of, chosen })];
}

function selectColumn(chosen: Chosen, found: readonly Job[], onChoose: (chosen: Chosen) => void) {
  const toggle = (id: string) => {
    const next = new Set(chosen === 'all' ? found.map((job) => job.id) : chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
  return {
    title: 'Select',
    width: '1%',
    cell: ({ id, queue }: Job) => (
      <Checkbox
        size="xs"
        aria-label={`Select ${queue} ${id}`}
        checked={chosen === 'all' || chosen.has(id)}
        onChange={() => toggle(id)}
      />
    ),
  };
}

const columns = [
  {
    title: 'Job',
    cell: ({ id, queue, error, state }: Job) => (
      <div className={classes['job']}>
        <Link href={`/jobs/${id}`}>{queue}</Link>
        <span className={classes['sub']}>
          {error && state !== 'succeeded' ? error.message : <span className="mono">{id}</span>}
        </span>
      </div>
    ),
  },
  { title: 'State', width: '1%', cell: ({ state, held }: Job) => <StateBadge state={held ? 'held' : state} /> },
  {
    title: 'Owner',
    from: 'lg' as const,
    cell: ({ owner }: Job) => (
      <span className={classes['owner']} title={owner}>
        {owner}
      </span>
    ),
  },
  { title: 'Attempt', number: true, from: 'md' as const, cell: ({ attempt }: Job) => attempt },
  { title: 'Took', number: true, from: 'md' as const, cell: took },
  { title: 'Accepted', number: true, width: '1%', cell: ({ created_at: at }: Job) => <Ago at={at} /> },
];

function took({ started_at: begin, finished_at: end }: Job) {
  if (begin === null || end === null) return <span className="quiet">–</span>;
  return spell(Math.max(0, Date.parse(end) - Date.parse(begin)) / 1_000);
}

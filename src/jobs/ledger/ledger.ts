import { sql } from 'slonik';
import Type from 'typebox';
import type { JobEvent } from '#src/jobs/model/channels.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const eventRow = row(
  Type.Object({
    job: Type.String(),
    n: Type.Integer(),
    type: Type.String(),
    at: Type.Unsafe<Date>({}),
    data: Type.Unsafe<unknown>({}),
  }),
);

/** The one shape of an event. The result lives in the job's row alone, and joins its `succeeded` event here. */
const columns = sql.fragment`
  e.job, e.n, e.type, e.at,
  case when e.type = 'succeeded' then jsonb_build_object('result', j.result) else e.data end as data`;

const asEvent = ({ n, type, at, data }: { n: number; type: string; at: Date; data: unknown }): JobEvent => ({
  n,
  type,
  at: at.toISOString(),
  data,
});

/** Events of a job with a number above `after`, in order, at most `limit`. */
export async function readEvents(
  { db }: Pick<Context, 'db'>,
  job: string,
  after: number,
  limit: number,
): Promise<JobEvent[]> {
  const events = await db.any(sql.type(eventRow)`
    select ${columns} from events e join jobs j on j.id = e.job
    where e.job = ${job} and e.n > ${after} order by e.n limit ${limit}`);
  return events.map(asEvent);
}

const openingRow = row(
  Type.Object({
    epoch: Type.Union([Type.String(), Type.Null()]),
    last: Type.Integer(),
    state: Type.String(),
    n: Type.Union([Type.Integer(), Type.Null()]),
    type: Type.Union([Type.String(), Type.Null()]),
    at: Type.Unsafe<Date | null>({}),
    data: Type.Unsafe<unknown>({}),
  }),
);

/** Position of a job's events, and those with a number above `after`, at most `limit`; null for a job that is gone. */
export async function openEvents({ db }: Pick<Context, 'db'>, job: string, after: number, limit: number) {
  const rows = await db.any(sql.type(openingRow)`
    select (select epoch from relay) as epoch, j.events as last, j.state, w.n, w.type, w.at, w.data
    from jobs j left join lateral (
      select ${columns} from events e where e.job = j.id and e.n > ${after} order by e.n limit ${limit}) w on true
    where j.id = ${job} order by w.n`);
  const [first] = rows;
  if (!first) return null;
  return {
    epoch: first.epoch,
    n: first.last,
    state: first.state,
    events: rows.flatMap(({ n, type, at, data }) =>
      n === null || type === null || at === null ? [] : [asEvent({ n, type, at, data })],
    ),
  };
}

/** The named events of many jobs, in order of job and number. */
export async function readNamedEvents(
  { db }: Pick<Context, 'db'>,
  names: readonly { readonly job: string; readonly n: number }[],
): Promise<{ readonly job: string; readonly event: JobEvent }[]> {
  const events = await db.any(sql.type(eventRow)`
    select ${columns}
    from unnest(${sql.array(
      names.map(({ job }) => job),
      'uuid',
    )}, ${sql.array(
      names.map(({ n }) => n),
      'int4',
    )}) as w (job, n)
    join events e on e.job = w.job and e.n = w.n
    join jobs j on j.id = e.job
    order by e.job, e.n`);
  return events.map((event) => ({ job: event.job, event: asEvent(event) }));
}

const lastRow = row(Type.Object({ id: Type.String(), n: Type.Integer(), state: Type.String() }));

/** Number of the newest event, and the state, of each of these jobs: what a follower compares itself with. */
export async function lastNumbers(
  { db }: Pick<Context, 'db'>,
  ids: readonly string[],
): Promise<Map<string, { readonly n: number; readonly state: string }>> {
  const rows = await db.any(
    sql.type(lastRow)`select id, events as n, state from jobs where id = any(${sql.array([...ids], 'uuid')})`,
  );
  return new Map(rows.map(({ id, n, state }) => [id, { n, state }]));
}

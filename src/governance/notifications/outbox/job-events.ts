import { sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { clip } from '#src/governance/notifications/send/clip.ts';
import type { NewEvent } from '#src/jobs/ledger/relay-read.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type NotableEvent, pageOf } from './event.ts';

/**
 * Longest result in a message, characters of JSON: Standard Webhooks asks for messages below 20 kB. A receiver reads a
 * longer one from the job.
 */
const MOST_RESULT = 15_000;
const MOST_REASON = 2_000;
const CHUNK = 2_000;

/** Queues of messages themselves: a message about each would be another one. */
const silent = ['platform.deliver', 'platform.notify'];
/** Queue whose jobs are flows: their events are those of the flow. */
const FLOWS = 'flows.run';

const nullable = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** An event of the ledger with its job. */
export const JobEventRow = Type.Object({
  job: Type.String(),
  n: Type.Integer(),
  type: Type.String(),
  at: Type.Unsafe<Date>({}),
  data: Type.Unsafe<Readonly<Record<string, unknown>>>({}),
  owner: Type.String(),
  queue: Type.String(),
  group: nullable(Type.String()),
  attempt: Type.Integer(),
  result: Type.Unsafe<unknown>({}),
});
type JobEventRow = Static<typeof JobEventRow>;

/** Columns of a {@link JobEventRow}, of an event `e` and its job `j`. */
export const jobEventColumns = sql.fragment`
  e.job, e.n, e.type, e.at, e.data, j.owner, j.queue, j.group_key as "group", j.attempt,
  case when e.type = 'succeeded' and length(j.result::text) <= ${MOST_RESULT} then j.result end as result`;

/**
 * Reads events of the ledger as endpoints are notified of them.
 *
 * @param owners only theirs; null for all
 */
export async function readJobEvents(
  { db, config }: Pick<Context, 'db' | 'config'>,
  named: readonly Pick<NewEvent, 'job' | 'n'>[],
  owners: readonly string[] | null,
): Promise<readonly NotableEvent[]> {
  const found: NotableEvent[] = [];
  for (let at = 0; at < named.length; at += CHUNK) {
    const chunk = named.slice(at, at + CHUNK).map(({ job, n }) => [job, n]);
    const rows = await db.any(sql.type(row(JobEventRow))`
      select ${jobEventColumns} from ${sql.unnest(chunk, ['uuid', 'int4'])} as w (job, n)
      join jobs j on j.id = w.job join events e on e.job = w.job and e.n = w.n
      where j.queue <> all(${sql.array(silent, 'text')})
        and ${owners === null ? sql.fragment`true` : sql.fragment`j.owner = any(${sql.array([...owners], 'text')})`}`);
    found.push(...rows.map((one) => jobEvent(config, one)));
  }
  return found;
}

/** An event of a job as its message tells it. */
export function jobEvent(config: Context['config'], found: JobEventRow): NotableEvent {
  const { job, n, type, at, data, owner, queue, group, attempt, result } = found;
  const error = data['error'] as { readonly code?: string; readonly message?: string } | undefined;
  const { error: _error, ...rest } = data;
  return {
    key: `${job}.${n}`,
    owner,
    type: `${queue === FLOWS ? 'flow' : 'job'}.${type}`,
    at,
    queue,
    group,
    data: {
      ...rest,
      id: job,
      n,
      owner,
      queue,
      group,
      attempt,
      state: type,
      error: error ? { code: error.code ?? null, message: clip(error.message ?? '', MOST_REASON) } : null,
      result: result ?? null,
      links: { self: `/v1/jobs/${job}` },
      url: pageOf(config, `/jobs/${job}`),
    },
  };
}

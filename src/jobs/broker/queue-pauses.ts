import type { Client } from 'pg';
import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { openBroker, readPausedInBroker } from './broker.ts';

const Pause = Type.Object({
  queue: Type.String(),
  at: Type.Unsafe<Date>({}),
  by: Type.String(),
  reason: Type.Union([Type.String(), Type.Null()]),
});

/** Time since when a queue is paused, the operator who paused it, and the reason. */
export type Pause = Static<typeof Pause>;

const columns = sql.fragment`queue, paused_at as at, paused_by as by, reason`;

/** The queues that are paused, by name. */
export async function readPauses({ db }: Pick<Context, 'db'>): Promise<ReadonlyMap<string, Pause>> {
  const pauses = await db.any(sql.type(row(Pause))`select ${columns} from queue_pauses`);
  return new Map(pauses.map((pause) => [pause.queue, pause]));
}

/**
 * From the moment this resolves no worker starts a job of the queue; what runs goes on, and what is accepted waits. A
 * queue that is paused already stays as it was.
 */
export async function pauseQueue(
  context: Context,
  queue: string,
  { by, reason }: { readonly by: string; readonly reason: string | null },
): Promise<void> {
  const made = await context.db.maybeOne(sql.type(row(Pause))`
    insert into queue_pauses (queue, paused_by, reason) values (${queue}, ${by}, ${reason})
    on conflict do nothing returning ${columns}`);
  if (made) context.log.warn({ audit: 'queue.paused', queue, by, reason }, 'a queue was paused');
  await tellBroker(context, queue, true);
}

/** Lets workers start the jobs of a queue again. One that is not paused stays as it is. */
export async function resumeQueue(context: Context, queue: string, { by }: { readonly by: string }): Promise<void> {
  const ended = await context.db.maybeOne(sql.type(row(Pause))`
    delete from queue_pauses where queue = ${queue} returning ${columns}`);
  if (ended) context.log.warn({ audit: 'queue.resumed', queue, by, paused: ended }, 'a paused queue goes on');
  await tellBroker(context, queue, false);
}

/**
 * The row decides; the broker only stops handing out what a claim would refuse. What it misses now, the audit repeats.
 */
async function tellBroker(context: Context, queue: string, paused: boolean): Promise<void> {
  await openBroker(context)
    .setPaused(queue, paused)
    .catch((error: unknown) =>
      context.log.debug({ err: error, queue }, 'the broker was not notified; the audit will do it'),
    );
}

/**
 * Makes the broker agree with Postgres about which of these queues are paused: it was emptied, or away, or two who
 * paused and resumed notified it in the other order.
 */
export async function tellBrokerOfPauses(context: Context, client: Client, queues: readonly string[]): Promise<void> {
  // what the broker says first: who changes it in between has changed the row before
  const said = await readPausedInBroker(context, queues);
  const { rows } = await client.query<{ queue: string }>('select queue from queue_pauses');
  const paused = new Set(rows.map(({ queue }) => queue));
  for (const queue of queues) {
    const wanted = paused.has(queue);
    if (said.get(queue) !== (wanted ? 'yes' : 'no')) await openBroker(context).setPaused(queue, wanted);
  }
}

/**
 * For jobs that would run here and now instead of waiting in their queue.
 *
 * @throws AppError `unavailable` while the queue is paused.
 */
export async function assertNotPaused({ db }: Pick<Context, 'db'>, queue: string): Promise<void> {
  const paused = await db.maybeOne(sql.type(row(Pause))`select ${columns} from queue_pauses where queue = ${queue}`);
  if (paused)
    throw new AppError(
      'unavailable',
      `The queue ${queue} is paused by an operator, and no job that a caller waits for is begun; try again later.`,
      { queue },
    );
}

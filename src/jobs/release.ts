import type { Client } from 'pg';
import type { Context } from '#src/system/context.ts';
import { openBroker } from './broker.ts';

interface Released {
  readonly id: string;
  readonly queue: string;
  readonly dispatch: number;
  readonly priority: number;
  readonly suspect: boolean;
  readonly run_at: Date;
}

/**
 * Puts the jobs that `which` names back into their queue, with the event that says why; `suspect` says which of them run
 * alone from then on. One that waits for its backoff goes on waiting.
 */
const release = (which: string, suspect: string) => `
  with chosen as materialized (${which}),
  released as (
    update jobs j
    set state = 'queued', dispatch = j.dispatch + 1, suspect = ${suspect}, events = j.events + 1,
      worker_id = null, queued_at = now(), run_at = greatest(j.run_at, now())
    from chosen c where j.id = c.id
    returning j.id, j.queue, j.dispatch, j.priority, j.suspect, j.run_at, j.events
  ), told as (
    insert into events (job, n, type, data) select id, events, 'released', jsonb_build_object('reason', $1::text) from released
  )
  select id, queue, dispatch, priority, suspect, run_at from released`;

/** By the missing worker, not by who died just now: a claim may commit after its worker was buried. */
const orphans = release(
  `
  select j.id from jobs j
  where j.state = 'running' and not exists (select from workers w where w.id = j.worker_id)
  order by j.id limit 1000 for update skip locked`,
  'true',
);

/**
 * What a live process had claimed under an id that it lost, whether or not the sweep was faster. A suspect that lost its
 * lease has shown nothing yet, and one whose process died alone least of all: among the others it could end them all.
 */
const mine = release(
  `
  select j.id from jobs j
  where j.id = any($2::uuid[])
    and (j.state = 'running' and j.worker_id = $3 or j.state = 'queued' and j.suspect and j.lone_deaths = 0)
  order by j.id for update`,
  `(j.lone_deaths > 0 or j.state = 'running' and j.suspect)`,
);

/** Jobs whose worker is gone: suspects, each of which runs alone until it has shown that it did not end the process. */
export async function releaseOrphans(context: Context, client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<Released>(orphans, ['worker_lost']);
    announce(context, rows, 'worker_lost');
    if (rows.length < 1_000) return;
  }
}

/** Jobs of a process that lost its lease but lives: nothing speaks against them, so they run among the others again. */
export async function releaseMine(
  context: Context,
  client: Client,
  ids: readonly string[],
  worker: string,
): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await client.query<Released>(mine, ['lease_lost', ids, worker]);
  announce(context, rows, 'lease_lost');
}

function announce(context: Context, rows: readonly Released[], reason: string): void {
  for (const { run_at, ...entry } of rows) {
    context.metrics.proofline_jobs_released_total.inc({ queue: entry.queue, reason });
    openBroker(context).add({ ...entry, runAt: run_at });
  }
}

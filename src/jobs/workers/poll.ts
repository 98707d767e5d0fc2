import type { Versioned } from '#src/jobs/broker/broker-names.ts';
import { controlChannel } from '#src/jobs/model/channels.ts';
import type { Takes } from '#src/jobs/model/takes.ts';
import { cancelledBy } from '#src/jobs/run/hold-jobs.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { perContext } from '#src/system/per-context.ts';
import { openSubscriber } from '#src/system/redis/redis.ts';
import { openStatements, type Statement } from '#src/system/statements.ts';
import { withPayloads } from './hand-payloads.ts';
import { rememberHanded } from './handed-out.ts';
import { type Given, handsOf } from './hands.ts';
import { giveBack, leaseTimes, noLease } from './remote-worker.ts';
import { withinCapacity } from './within-capacity.ts';

/** One attempt that a worker has in hand. */
export interface InHand {
  readonly id: string;
  readonly attempt: number;
}

export interface Poll {
  readonly worker: string;
  readonly owner: string;
  /** Hands it has free. */
  readonly credits: number;
  /** Longest wait, ms; no longer than the worker's lease allows. */
  readonly waitMs: number;
  readonly inHand: readonly InHand[];
  /** Aborted when the caller has left. */
  readonly signal: AbortSignal;
}

/** An attempt that the worker is to stop: it was cancelled, or is no longer its own. */
export interface Stop extends InHand {
  readonly reason: 'cancelled' | 'lost';
}

export interface Polled {
  readonly given: readonly Given[];
  readonly stop: readonly Stop[];
}

/** A job that the database counts as this worker's. */
interface Held {
  readonly id: string;
  readonly attempt: number;
  readonly suspect: boolean;
  /** Since its attempt began. */
  readonly ms: number;
}

type BeatRow = readonly [takes: readonly Takes[], capacity: number, held: readonly Held[], lost: readonly InHand[]];

/** A worker's beat, and with it all that the database says of what it has in hand. */
export const beatRemote: Statement = {
  name: 'beat-remote',
  text: `
    with beat as (
      update workers set beat_at = clock_timestamp(), credits = $3::int4
      where id = $1::uuid and owner = $2::text returning takes, capacity
    )
    select b.takes, b.capacity,
      (select coalesce(json_agg(json_build_object('id', j.id, 'attempt', j.attempt, 'suspect', j.suspect,
          'ms', extract(epoch from clock_timestamp() - j.started_at) * 1000)), '[]')
        from jobs j where j.worker_id = $1::uuid and j.state = 'running') as held,
      (select coalesce(json_agg(json_build_object('id', j.id, 'attempt', g.attempt)), '[]')
        from unnest($4::uuid[], $5::int4[]) as g (id, attempt) join jobs j on j.id = g.id
        where j.state = 'cancelled' and j.owner = $2::text) as cancelled
    from beat b`,
};

/**
 * A beat of a worker elsewhere, and its wish for jobs: answers as soon as there is one for it, or one of its own to be
 * stopped, and after `waitMs` with nothing. What is answered is claimed in its name. Polls of one worker that wait at once
 * share its capacity, in whichever processes they wait.
 *
 * @throws AppError `not_found` where its lease is lost
 */
export async function pollWorker(context: Context, poll: Poll): Promise<Polled> {
  const { worker, owner, credits, inHand, signal } = poll;
  const ids = inHand.map(({ id }) => id);
  const attempts = inHand.map(({ attempt }) => attempt);
  const asked = askedOf(context);
  // before the look: what another poll is given until then is counted here, or seen there
  const askedBefore = asked.get(worker) ?? 0;
  const [beat] = await openStatements(context)<BeatRow>(beatRemote, [worker, owner, credits, ids, attempts]);
  if (!beat) throw noLease(worker);
  const [takes, capacity, held, cancelled] = beat;
  const stop = stopsOf(inHand, held, cancelled);
  if (stop.length > 0) return { given: [], stop };
  const unknown = await giveBackUnknown(context, poll, held);
  const kept = held.length - unknown;
  const taken = kept + Math.max(askedBefore, asked.get(worker) ?? 0);
  const free = held.some(({ suspect }) => suspect) ? 0 : Math.max(0, Math.min(credits, capacity - taken));
  const cancels = cancelsOf(context)(ids);
  addAsked(asked, worker, free);
  const given = await handsOf(context)({
    worker,
    takes: takes.flatMap(({ name, versions }) => versions.map((version): Versioned => ({ queue: name, version }))),
    credits: free,
    isIdle: taken === 0,
    waitMs: Math.min(poll.waitMs, leaseTimes(context).waitMs),
    signal: AbortSignal.any([signal, cancels.signal]),
  }).finally(() => addAsked(asked, worker, -free));
  cancels.close();
  if (signal.aborted && given.length > 0) {
    const jobs = given.map(({ id }) => id);
    await giveBack(context, worker, jobs, 'lease_lost').catch((error: unknown) =>
      logFailure(context, error, { worker, jobs }, 'jobs for a worker that has left were not given back yet'),
    );
    return { given: [], stop: [] };
  }
  const own = await withinCapacity(context, worker, capacity, given);
  const reason = 'cancelled' as const;
  rememberHanded(context, worker, own);
  return {
    given: await withPayloads(context, worker, own),
    stop: inHand.filter(({ id }) => cancels.cancelled.has(id)).map((one) => ({ ...one, reason })),
  };
}

/** Hands of each worker that polls of this process ask for now; what polls of others ask for shows in what is claimed. */
const askedOf = perContext(() => new Map<string, number>());

function addAsked(asked: Map<string, number>, worker: string, hands: number): void {
  const sum = (asked.get(worker) ?? 0) + hands;
  if (sum > 0) asked.set(worker, sum);
  else asked.delete(worker);
}

/** Finds the attempts that a worker has in hand and the database does not count as its own. */
function stopsOf(inHand: readonly InHand[], held: readonly Held[], cancelled: readonly InHand[]): Stop[] {
  const nameOf = ({ id, attempt }: InHand) => `${id} ${attempt}`;
  const known = new Set(held.map(nameOf));
  const ended = new Set(cancelled.map(nameOf));
  return inHand
    .filter((one) => !known.has(nameOf(one)))
    .map((one) => ({ ...one, reason: ended.has(nameOf(one)) ? 'cancelled' : 'lost' }));
}

/**
 * Jobs that the database counts as a worker's and that it does not run: the answer that handed them out was lost. One
 * that began within a lease may still be on its way. Answers how many there were.
 */
async function giveBackUnknown(context: Context, { worker, inHand }: Poll, held: readonly Held[]): Promise<number> {
  const mine = new Set(inHand.map(({ id }) => id));
  const unknown = held.filter(({ id, ms }) => !mine.has(id) && ms > context.config.LEASE_MS).map(({ id }) => id);
  await giveBack(context, worker, unknown, 'lease_lost');
  return unknown.length;
}

/** Cancellations of jobs that workers which wait in this process have in hand. */
const cancelsOf = perContext((context: Context) => {
  const { config, log } = context;
  const waiting = new Map<string, Set<(id: string) => void>>();
  const control = openSubscriber(config, (error) => log.debug({ err: error }, 'control'));
  context.onClose(async () => control.disconnect());
  control.on('message', (_channel: string, text: string) => {
    const id = cancelledBy(text);
    if (id !== undefined) for (const stop of waiting.get(id) ?? []) stop(id);
  });
  control.subscribe(controlChannel(config)).catch((error: unknown) => log.debug({ err: error }, 'control'));

  return (ids: readonly string[]) => {
    const cancelled = new Set<string>();
    const controller = new AbortController();
    const stop = (id: string) => {
      cancelled.add(id);
      controller.abort();
    };
    for (const id of ids) waiting.set(id, (waiting.get(id) ?? new Set()).add(stop));
    return {
      signal: controller.signal,
      cancelled,
      close: () => {
        for (const id of ids) {
          const stops = waiting.get(id);
          stops?.delete(stop);
          if (stops?.size === 0) waiting.delete(id);
        }
      },
    };
  };
});

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Takes } from '#src/jobs/model/takes.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { cutDirect, endDirect, openDirect } from '#src/system/postgres/direct-postgres.ts';
import { releaseMine } from './release.ts';

export interface Holder {
  /** True in a process for suspects: what it ran stays suspect when the lease is lost. */
  readonly suspects: boolean;
  /** Queues and versions of which jobs are delivered to it; none are without it. */
  readonly takes?: readonly Takes[];
  /** Jobs of each of them at once. */
  readonly capacity?: number;
  /**
   * Takes the jobs that this worker runs by the database, read at `at` (performance.now()). Answers those that it does
   * not run: a claim whose answer was lost for good, a settlement that was given up.
   */
  readonly onBeat: (running: ReadonlySet<string>, at: number) => readonly string[];
  /** We may have been taken for dead: stops whatever runs under the old id, and names it. */
  readonly onLost: () => readonly string[];
}

export interface Lease extends AsyncDisposable {
  /** Changes when the lease is lost. */
  readonly id: () => string;
  /** Gives back a job that was claimed for an id that is lost meanwhile, as those that ran then are given back. */
  readonly giveUp: (worker: string, job: string) => void;
}

const STOP_MS = 1_000;

/** An id that was given up, with the jobs that ran under it. */
interface GivenUp {
  readonly id: string;
  readonly jobs: readonly string[];
}

/**
 * Holds the lease of this process: a beat every `BEAT_MS` over a connection of its own. Leases belong to processes, not
 * to jobs. A process that could not beat for `LEASE_MS` (stopped, cut off, or Postgres away) gives up what it runs and
 * goes on under a new id. Disposing gives the lease back at once.
 */
export async function holdLease(context: Context, fleet: string, holder: Holder): Promise<Lease> {
  const { config, log, metrics } = context;
  const { suspects, takes, capacity, onBeat, onLost } = holder;
  const stop = new AbortController();
  let id: string = randomUUID();
  let registered = false;
  let beatAt = performance.now();
  // kept until the database has taken them back: a list lost with a failed attempt would make suspects of innocent jobs
  const givenUp: GivenUp[] = [];
  let client: Client | undefined;

  const connection = async () => {
    // a server that hangs must fail the beat, not hold it; one that waits for its lease must not hold a session either
    const limits = { answerMs: Math.ceil(config.LEASE_MS / 2), idleMs: 2 * config.LEASE_MS };
    if (client) return client;
    let opened: Client | undefined;
    const forget = () => {
      if (client === opened) client = undefined;
    };
    opened = await openDirect(config, 'lease', forget, limits);
    client = opened;
    return client;
  };
  const disconnect = () => {
    if (client) cutDirect(client);
    client = undefined;
  };
  const register = async () => {
    const at = performance.now();
    await (await connection()).query(
      'insert into workers (id, fleet, host, pid, takes, capacity) values ($1, $2, $3, $4, $5, $6) on conflict (id) do nothing',
      [id, fleet, hostname(), process.pid, takes === undefined ? null : JSON.stringify(takes), capacity ?? null],
    );
    beatAt = at;
    registered = true;
  };
  const lose = () => {
    const old = id;
    id = randomUUID();
    registered = false;
    metrics.proofline_leases_lost_total.inc();
    log.warn({ old, id }, 'this process could not beat in time; its jobs are given up and it goes on under a new id');
    givenUp.push({ id: old, jobs: onLost() });
  };
  /** By the clock alone: a query of the database may hang, and others take the jobs over meanwhile. */
  const loseInTime = () => {
    if (registered && performance.now() - beatAt > config.LEASE_MS) lose();
  };
  const beat = async () => {
    loseInTime();
    if (!registered) await register();
    for (let [old] = givenUp; old; [old] = givenUp) {
      const direct = await connection();
      await releaseMine(context, direct, { jobs: old.jobs, worker: old.id, suspects });
      // not before: the sweep takes running jobs without a worker for those of a dead one, and makes suspects of them
      await direct.query('delete from workers where id = $1', [old.id]);
      givenUp.shift();
    }
    const [at, mine] = [performance.now(), id];
    const direct = await connection();
    const { rows } = await direct.query<{ alive: boolean; running: string[] }>(
      `with beat as (update workers set beat_at = clock_timestamp() where id = $1 returning id)
       select exists (select from beat) as alive, array(select id::text from jobs where worker_id = $1 and state = 'running') as running`,
      [mine],
    );
    // lost by the clock while this answer was under way: the next beat registers
    if (id !== mine) return;
    if (!rows[0]?.alive) return lose();
    beatAt = at;
    await releaseMine(context, direct, { jobs: onBeat(new Set(rows[0].running), at), worker: id, suspects });
  };

  try {
    await register();
  } catch (error) {
    disconnect();
    throw error;
  }
  const clock = setInterval(loseInTime, Math.min(config.BEAT_MS, config.LEASE_MS / 10));
  const beating = (async () => {
    while (!stop.signal.aborted) {
      await sleep(config.BEAT_MS, undefined, { signal: stop.signal }).catch(() => {});
      if (stop.signal.aborted) return;
      await beat().catch((error: unknown) => {
        void logFailure(context, error, {}, 'a beat failed');
        // whatever state it is in, possibly with a statement that was given up and is still running
        disconnect();
      });
    }
  })();

  return {
    id: () => id,
    giveUp: (worker, job) => void givenUp.push({ id: worker, jobs: [job] }),
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      clearInterval(clock);
      const cut = setTimeout(disconnect, STOP_MS);
      await beating;
      // what does not succeed in time, the sweep does after one lease
      await client?.query('delete from workers where id = $1', [id]).catch(() => {});
      clearTimeout(cut);
      if (client) await endDirect(client);
    },
  };
}

import {
  faultsOfAnswers,
  faultsOfEffect,
  faultsOfFollower,
  faultsOfJob,
  type LedgerEvent,
  type LedgerJob,
} from './check.ts';
import type { DoneFault } from './faults.ts';
import type { Followed } from './follow.ts';
import type { Submission } from './load.ts';
import { chaos } from './queue.ts';
import type { ChaosSystem } from './system.ts';

interface StoredJob extends LedgerJob {
  readonly took_ms: number;
  readonly priority: number;
  readonly finished_at: Date | null;
}

/** Time that something about a job took, and all events of its life. */
export interface Timeline {
  readonly ms: number;
  readonly job: StoredJob;
  readonly events: readonly LedgerEvent[];
}

export interface Findings {
  /** Sentences; none when every promise held. */
  readonly wrong: readonly string[];
  readonly stored: ReadonlyMap<string, StoredJob>;
  /** Calls at the provider, and how many of them it acted on. */
  readonly effects: { readonly tries: number; readonly made: number };
  readonly slowest: Timeline | undefined;
  /** From a worker's kill or stop to the next start of each job it held. */
  readonly secondStarts: readonly Timeline[];
}

/** Reads everything and holds it against the promises. */
export async function judge(
  { query, provider }: ChaosSystem,
  submissions: readonly Submission[],
  followed: readonly Followed[],
  faults: readonly DoneFault[],
): Promise<Findings> {
  const stored = new Map<string, StoredJob>();
  const wrong: string[] = [];
  const kept = new Map<string, readonly LedgerEvent[]>();
  let slowest: Timeline | undefined;
  const counted = new Map(provider.counts().map((one) => [one.key, one]));
  const held = new Set(faults.flatMap((fault) => fault.held));

  for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
    const jobs = await query<StoredJob>(
      `select id, state, payload->>'kind' as kind, attempt, failures, events, error->>'code' as code,
         (result->>'attempt')::int as settled_by, run_at, finished_at, priority,
         extract(epoch from finished_at - created_at)::float8 * 1000 as took_ms
       from jobs where id > $1 order by id limit 5000`,
      [last],
    );
    const events = Map.groupBy(
      await query<LedgerEvent & { job: string }>(
        'select job, n, type, at from events where job = any($1::uuid[]) order by job, n',
        [jobs.map(({ id }) => id)],
      ),
      ({ job }) => job,
    );
    for (const job of jobs) {
      stored.set(job.id, job);
      const own = events.get(job.id) ?? [];
      wrong.push(...faultsOfJob(job, own, chaos.attempts));
      if (['idempotent', 'queryable', 'neither'].includes(job.kind))
        wrong.push(...faultsOfEffect(job, counted.get(`${job.id}.${job.kind}`)));
      if (held.has(job.id)) kept.set(job.id, own);
      if (job.took_ms > (slowest?.ms ?? 0)) slowest = { ms: job.took_ms, job, events: own };
    }
    const end = jobs.at(-1);
    if (!end) break;
    last = end.id;
  }
  for (const one of submissions) wrong.push(...faultsOfAnswers(one, one.id === null ? undefined : stored.get(one.id)));
  for (const one of followed) wrong.push(...faultsOfFollower(one, stored.get(one.id)));
  wrong.push(...faultsOfQuarantine([...stored.values()], faults));
  const all = [...counted.values()];
  return {
    wrong,
    stored,
    effects: {
      tries: all.reduce((sum, { tries }) => sum + tries, 0),
      made: all.reduce((sum, { made }) => sum + made, 0),
    },
    slowest,
    secondStarts: faults.flatMap(({ at, held: ids }) =>
      ids.flatMap((id) => {
        const [job, events = []] = [stored.get(id), kept.get(id)];
        const next = events.find((event) => event.type === 'started' && event.at.getTime() > at);
        return job && next ? [{ ms: next.at.getTime() - at, job, events }] : [];
      }),
    ),
  };
}

/** No job of this load is poison: one is quarantined only where a fault killed its lone process twice. */
function faultsOfQuarantine(jobs: readonly StoredJob[], faults: readonly DoneFault[]): string[] {
  const poisoned = jobs.filter(({ code }) => code === 'poisoned');
  const lanes = faults.filter(({ kind, target }) => kind === 'kill_lane' && target === 'lane').length;
  if (poisoned.length * 2 <= lanes) return [];
  return [
    `${poisoned.length} jobs were quarantined after ${lanes} kills of a lone process: ${poisoned.map(({ id }) => id).join(' ')}`,
  ];
}

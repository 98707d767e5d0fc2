import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { brokerId } from '#src/jobs/broker/broker-names.ts';
import { readCarried } from '#src/jobs/broker/read-carried.ts';
import { chaos } from './queue.ts';
import type { ChaosSystem } from './system.ts';

/** A job that could have started this long ago, ms, is looked for in the broker. */
const overdueMs = 12_000;

interface Waiting {
  readonly id: string;
  readonly dispatch: number;
  readonly suspect: boolean;
  readonly feed: string;
  readonly priority: number;
  readonly waits: number;
}

/** Says where the broker has jobs that wait for too long: the trace of what was lost between the two stores. */
export async function watchOverdue(
  { query, config }: ChaosSystem,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const redis = new Redis(config.REDIS_URL, { maxRetriesPerRequest: 1, commandTimeout: 2_000 });
  redis.on('error', () => {});
  while (!signal.aborted) {
    await sleep(3_000, undefined, { signal }).catch(() => {});
    const overdue = await query<Waiting>(
      `select id, dispatch, suspect, feed, priority, extract(epoch from now() - greatest(queued_at, run_at))::float8 as waits
       from jobs where state = 'queued' and greatest(queued_at, run_at) < now() - $1 * interval '1 ms'
       order by queued_at limit 3`,
      [overdueMs],
    ).catch(() => []);
    for (const job of overdue) {
      const place = await placeOf(redis, config, job).catch(() => 'unknown: Redis does not answer');
      say(`  overdue: ${job.id} waits for ${job.waits.toFixed(1)} s, priority ${job.priority}; broker: ${place}`);
    }
  }
  redis.disconnect();
}

async function placeOf(redis: Redis, config: ChaosSystem['config'], job: Waiting): Promise<string> {
  const carried = await readCarried(
    { redis, config },
    { queue: chaos.name, version: chaos.version, suspect: job.suspect },
  );
  const entry = carried.find(({ jobs }) => jobs.includes(brokerId(job)));
  const where = entry ? `${entry.waits ? 'waits' : 'in hand'}, priority ${entry.priority}` : 'in no entry';
  return `${job.suspect ? 'suspect, ' : ''}in Postgres ${job.feed}; ${where} of ${carried.length}`;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { brokerId, brokerKey, brokerName, brokerPrefix } from '#src/jobs/broker/broker.ts';
import { chaos } from './queue.ts';
import type { ChaosSystem } from './system.ts';

/** A job that could have started this long ago, ms, is looked for in the broker. */
const overdueMs = 12_000;

interface Waiting {
  readonly id: string;
  readonly dispatch: number;
  readonly suspect: boolean;
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
      `select id, dispatch, suspect, priority, extract(epoch from now() - greatest(queued_at, run_at))::float8 as waits
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
  const entry = { ...job, queue: chaos.name, version: chaos.version };
  const key = (name: string) => `${brokerPrefix(config, chaos.name)}:${brokerName(entry, job.suspect)}:${name}`;
  const id = brokerId(job);
  const [known, wait, active, prioritized, delayed, lengths] = await Promise.all([
    redis.exists(brokerKey(config, entry)),
    redis.lpos(key('wait'), id),
    redis.lpos(key('active'), id),
    redis.zrank(key('prioritized'), id),
    redis.zrank(key('delayed'), id),
    Promise.all([redis.llen(key('wait')), redis.llen(key('active')), redis.zcard(key('prioritized'))]),
  ]);
  const places = Object.entries({ wait, active, prioritized, delayed }).filter(([, place]) => place !== null);
  const where = places.map(([name, place]) => `${name} ${String(place)}`).join(', ');
  return `${job.suspect ? 'suspect, ' : ''}${known === 1 ? 'known' : 'not known'}, ${where || 'in no list'} (wait, active, prioritized: ${lengths.join(', ')})`;
}

import type { Client } from 'pg';
import { fleets, queueNames } from '#queues/fleets.ts';
import { counted } from '#src/lib/text/counted.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { lockKey } from '#src/system/leader-locks.ts';
import { type Finding, fault, ok, skipped, warning } from './finding.ts';

/** Work that one API process at a time does, whatever surfaces it serves, with what stands still without it. */
export const leaders: Readonly<Record<string, string>> = {
  sweep: 'jobs of dead workers stay where they are',
  waker: 'jobs that wait do not go on',
  relay: 'streams show nothing new',
  flows: 'flows do not go on',
  schedules: 'schedules submit nothing',
  history: 'the past of queues is not counted',
  notifications: 'endpoints are notified of nothing',
  operations: 'live figures of queues stand still',
  'governing-jobs': 'approvals and budgets of jobs stay open',
  'sealing-jobs': 'jobs that ended get no receipt',
};

/** Says what runs on this database: API processes and leaders, and workers for every queue in which jobs wait. */
export async function checkRunning(client: Client, config: Config): Promise<readonly Finding[]> {
  const apis = await countApis(client);
  const workers = await liveWorkers(client, config);
  return [
    apis === 0
      ? skipped('API processes', 'none is connected: start one with `proofline api`, or all with `npm start`.')
      : ok('API processes', counted(apis, 'session of them is connected', 'sessions of them are connected')),
    ...(apis === 0 ? [] : [await checkLeaders(client, config)]),
    ...(await checkFleets(client, workers)),
  ];
}

async function countApis(client: Client): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'proofline-api'`,
  );
  return rows[0]?.n ?? 0;
}

async function checkLeaders(client: Client, config: Config): Promise<Finding> {
  const names = Object.keys(leaders);
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[], $2::text[]) as wanted (name, lock)
      cross join lateral (select hashtextextended(lock, 0) as key) as k
      where not exists (select from pg_locks where locktype = 'advisory' and granted and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
        and classid::bigint = ((key >> 32) & 4294967295) and objid::bigint = (key & 4294967295))`,
    [names, names.map((name) => lockKey(config, name))],
  );
  if (rows.length === 0) return ok('leaders', `${names.join(', ')} each have one`);
  const missing = rows.map(({ name }) => `${name} (${leaders[name]})`).join(', ');
  return fault('leaders', `no process leads ${missing}: look at the log of an API process, and at REDIS_PREFIX.`);
}

interface Worker {
  readonly fleet: string;
  readonly takes: readonly { readonly name: string }[] | null;
}

async function liveWorkers(client: Client, { LEASE_MS }: Config): Promise<readonly Worker[]> {
  const { rows } = await client.query<Worker>(
    `select fleet, takes from workers where beat_at > clock_timestamp() - $1 * interval '1 millisecond'`,
    [LEASE_MS],
  );
  return rows;
}

/** Every fleet of this release without a process, then every queue in which jobs wait for a worker that is not there. */
async function checkFleets(client: Client, workers: readonly Worker[]): Promise<readonly Finding[]> {
  const taken = new Set(workers.flatMap(queuesOf));
  const waiting = await waitingQueues(client);
  const stuck = waiting.filter((queue) => !taken.has(queue));
  const without = Object.entries(fleets).filter(([, queues]) => !queues.every((queue) => taken.has(queue)));
  return [
    workers.length === 0
      ? skipped('fleets', `no worker process is alive. ${start}`)
      : without.length > 0
        ? warning('fleets', `no worker takes all queues of ${without.map(([name]) => name).join(', ')}. ${start}`)
        : ok('fleets', `${Object.keys(fleets).join(', ')} have workers`),
    waitingLine(stuck, workers.length > 0),
  ];
}

/** Jobs of ours that no worker takes while others run are a fault; those of an owner may wait for a worker of the owner. */
function waitingLine(stuck: readonly string[], isAnyAlive: boolean): Finding {
  if (stuck.length === 0) return ok('waiting jobs', 'none waits for a worker that is not there');
  const isOurs = stuck.some((queue) => queueNames.includes(queue));
  const says = `jobs of ${stuck.join(', ')} wait, and no worker takes them. ${start}`;
  return (isOurs && isAnyAlive ? fault : warning)('waiting jobs', says);
}

const start = 'Start one with `proofline worker FLEET`, or the worker that registered the queue.';

/** Queues that a process takes: those that it names, else those of its fleets. */
function queuesOf({ fleet, takes }: Worker): readonly string[] {
  if (takes !== null) return takes.map(({ name }) => name);
  return fleet.split('+').flatMap((name) => fleets[name] ?? [name]);
}

/** Queues with a job that could run now: by one look into an index for each, however long the line is. */
async function waitingQueues(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from (select distinct name from queues) as q
      where (exists (select from jobs where queue = q.name and state = 'queued' and feed = 'fed' and not held)
          or exists (select from jobs where queue = q.name and state = 'queued' and feed = 'ready' and not held))
        and not exists (select from queue_pauses p where p.queue = q.name) order by name`,
  );
  return rows.map(({ name }) => name);
}

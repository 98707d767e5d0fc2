import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { answerCalls } from '#bench/lib/calls.ts';
import { now } from '#bench/lib/clock.ts';
import { payload } from '#bench/load/trivial.ts';

const HANDS = 50;
const connectionString = process.env['DATABASE_URL'] ?? '';

interface Work {
  readonly restMs: number;
  /** Number of a job of the steady owner; none of the flood's. */
  readonly steady?: number;
}

/** Ways of one system: a job of an owner, many of one, and the call of each that begins. */
interface Grouped {
  readonly add: (owner: string, work: Work) => Promise<unknown>;
  readonly addMany: (owner: string, work: Work, count: number) => Promise<unknown>;
}

const startedAt = new Map<number, number>();
const begin = async ({ restMs, steady }: Work) => {
  if (steady !== undefined) startedAt.set(steady, now());
  if (restMs > 0) await sleep(restMs);
};

/** Peers by what each has for this: a bound of how many of a group run at once; queues of which each runs one at a time. */
const systems: Readonly<Record<string, () => Promise<Grouped>>> = {
  'pg-boss': async () => {
    const boss = new PgBoss({ connectionString, max: 20, useListenNotify: true });
    boss.on('error', () => {});
    await boss.start();
    await boss.createQueue('bench', { notify: true });
    const options = { localConcurrency: HANDS, pollingIntervalSeconds: 0.5, groupConcurrency: HANDS / 2 };
    await boss.work<Work>('bench', options, async (jobs) => {
      for (const { data } of jobs) await begin(data);
    });
    const groupOf = (id: string) => ({ group: { id } });
    return {
      add: (owner, work) => boss.send('bench', { ...payload, ...work }, groupOf(owner)),
      addMany: (owner, work, count) =>
        boss.insert(
          'bench',
          Array.from({ length: count }, () => ({ data: { ...payload, ...work }, ...groupOf(owner) })),
        ),
    };
  },
  'graphile-worker': async () => {
    const pgPool = new pg.Pool({ connectionString, max: HANDS + 4, connectionTimeoutMillis: 5_000 });
    pgPool.on('error', () => {});
    const logger = new Logger(() => () => {});
    const utils = await makeWorkerUtils({ pgPool, logger });
    await utils.migrate();
    await run({ pgPool, logger, concurrency: HANDS, taskList: { job: async (work) => await begin(work as Work) } });
    return {
      add: (owner, work) => utils.addJob('job', { ...payload, ...work }, { queueName: owner }),
      addMany: (owner, work, count) =>
        utils.addJobs(
          Array.from({ length: count }, () => ({
            identifier: 'job',
            payload: { ...payload, ...work },
            queueName: owner,
          })),
        ),
    };
  },
};

const open = systems[process.argv[2] ?? ''];
if (!open) throw new Error(`expected ${Object.keys(systems).join(' or ')}, got ${process.argv[2]}`);
const { add, addMany } = await open();
let numbers = 0;

answerCalls({
  /** Answers the ms from the acceptance of each job of one owner to its start, once all have begun. */
  steady: async ({ count, perSecond, restMs }: { count: number; perSecond: number; restMs: number }) => {
    const accepted: [number: number, at: number][] = [];
    const began = now();
    for (let n = 0; n < count; n++) {
      const steady = ++numbers;
      await add('steady', { restMs, steady });
      accepted.push([steady, now()]);
      await sleep(Math.max(0, began + ((n + 1) * 1_000) / perSecond - now()));
    }
    while (accepted.some(([steady]) => !startedAt.has(steady))) await sleep(20);
    return accepted.map(([steady, at]) => Math.max(0, startedAt.get(steady)! - at));
  },
  /** Accepts so many jobs of another owner. */
  flood: async ({ count, restMs }: { count: number; restMs: number }) => {
    for (let left = count; left > 0; left -= 1_000) await addMany('flood', { restMs }, Math.min(left, 1_000));
  },
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { succeeds } from '#src/system/embedded/programs.ts';
import { fromSource } from '#test/packages/readme-files.ts';
import { seeded } from './random.ts';
import type { Started } from './slot.ts';
import { type ChaosSystem, startChaosSystem } from './system.ts';

const root = join(import.meta.dirname, '../..');
const JOBS = 200;
const FAULTS = 14;

/** Starts a worker by a command, which prints something when it begins. */
async function start(command: readonly string[], env: Readonly<Record<string, string>>): Promise<Started> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: { ...process.env, ...env, PYTHONPATH: join(root, 'python') },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await Promise.race([
    once(child.stdout, 'data'),
    exited.then(([code]) => Promise.reject(new Error(`the worker ended (${code}) before it was ready`))),
  ]);
  return { pid: child.pid ?? 0, exited };
}

const inPython = ['python3', join(import.meta.dirname, 'elsewhere.py')];
const inTypeScript = [process.execPath, ...fromSource, join(import.meta.dirname, 'elsewhere-worker.ts')];

/** Submits a job, over an API that is killed now and then. */
async function submitSafely({ apiUrls, key }: ChaosSystem, n: number): Promise<string> {
  for (let at = n; ; at++) {
    const answer = await fetch(`${apiUrls[at % 2]}/v1/queues/chaos.elsewhere/jobs`, {
      method: 'POST',
      headers: {
        'x-api-key': key,
        'content-type': 'application/json',
        'idempotency-key': `n-${n}`,
        prefer: 'respond-async',
      },
      body: JSON.stringify({ payload: { n } }),
    }).catch(() => null);
    if (answer?.ok) return ((await answer.json()) as { id: string }).id;
    await sleep(100);
  }
}

/** Workers of both kinds register their queue when they start: until then it is unknown. */
async function untilRegistered({ query }: ChaosSystem): Promise<void> {
  while ((await query(`select from queues where name = 'chaos.elsewhere'`)).length === 0) await sleep(50);
}

test.skipIf(!succeeds('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']))(
  'while a worker in Python, one in TypeScript and API processes are killed, every job ends once with its result, and its effect is made once',
  { timeout: 300_000 },
  async () => {
    const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
    const random = seeded(seed);
    await using system = await startChaosSystem(seed, {
      api: new URL('./elsewhere-api.ts', import.meta.url),
      workers: [(env) => start(inPython, env), (env) => start(inTypeScript, env)],
    });
    await untilRegistered(system);
    const submitting = (async () => {
      const ids = new Map<string, number>();
      for (let n = 0; n < JOBS; n++) ids.set(await submitSafely(system, n), n);
      return ids;
    })();
    const slots = [...system.workers, ...system.workers, ...system.apis];
    for (let fault = 0; fault < FAULTS; fault++) {
      await sleep(random.whole(300, 1_500));
      await slots[random.whole(0, slots.length - 1)]!.kill(random.whole(50, 400));
    }
    const ids = await submitting;
    const ended = async () =>
      Number((await system.query<{ n: string }>(`select count(*) as n from jobs where finished_at is not null`))[0]?.n);
    await expect.poll(ended, { timeout: 120_000, message: `replay with CHAOS_SEED=${seed}` }).toBe(JOBS);

    const jobs = await system.query<{
      id: string;
      state: string;
      result: { sum: number; sent: string };
      events: number;
    }>('select id, state, result, events from jobs');
    expect(jobs).toHaveLength(JOBS);
    for (const { id, state, result } of jobs)
      expect({ state, result }, id).toEqual({
        state: 'succeeded',
        result: { sum: ids.get(id)! * 2 + 1, sent: `outside-${id}.send` },
      });
    const counts = system.provider.counts();
    expect([counts.length, counts.every(({ made }) => made === 1)]).toEqual([JOBS, true]);
    const sdks = async () => {
      const rows = await system.query<{ sdk: string }>(
        `select distinct sdk from workers where owner = 'chaos' order by 1`,
      );
      return rows.map(({ sdk }) => sdk.split('/')[0]);
    };
    // both have a hand in it
    await expect.poll(sdks).toEqual(['@proofline', 'python']);
    const gaps = await system.query(
      `select j.id from jobs j where j.events <> (select count(*) from events e where e.job = j.id)
         or 1 <> (select count(*) from events e where e.job = j.id and e.type = 'succeeded')`,
    );
    expect(gaps).toEqual([]);
  },
);

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startHelper } from '#bench/lib/calls.ts';
import type { Claim } from '#bench/lib/claim.ts';
import { now } from '#bench/lib/clock.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import { percentile } from '#bench/lib/statistics.ts';
import { startOpenApi, startRemote } from './open-api.ts';

/** Between two signals: low load. */
const PAUSE_MS = 30;
const MOST_MS = 50;

/** From sending a signal over HTTP until the story that waits for it goes on, in a worker elsewhere. */
export const resume: Claim = async (servers, { quick }) => {
  const count = quick ? 40 : 500;
  await using stack = new AsyncDisposableStack();
  const { env, api, address } = await startOpenApi(servers);
  stack.use(api);
  const worker = stack.use(await startRemote('sdk', 20, address));
  const caller = stack.use(await startHelper(new URL('../../children/http-load.ts', import.meta.url), {}));
  const database = new pg.Client({ connectionString: env['DATABASE_URL'], connectionTimeoutMillis: 5_000 });
  await database.connect();
  stack.defer(() => database.end());
  const path = '/v1/queues/bench.await-signal/jobs';
  await caller.call('post', { ...address, count, connections: 4, path, body: { payload: {} } });
  const jobs = await untilWaiting(database, count);
  const sentAt = new Map<string, number>();
  const times: number[] = [];
  worker.onEvent((message) => {
    const { resumed, at } = message as { readonly resumed: string; readonly at: number };
    times.push(at - (sentAt.get(resumed) ?? Number.NaN));
  });
  const headers = { authorization: `Bearer ${address.key}`, 'content-type': 'application/json' };
  for (const id of jobs) {
    sentAt.set(id, now());
    const answer = await fetch(`${address.url}/v1/jobs/${id}/signals/go`, { method: 'POST', headers, body: '{}' });
    await answer.text();
    if (!answer.ok) throw new Error(`expected the signal to be taken, got ${answer.status}`);
    await sleep(PAUSE_MS * (0.5 + Math.random()));
  }
  for (const deadline = now() + 10_000; times.length < count && now() < deadline; ) await sleep(20);
  const p99 = percentile(times, 0.99);
  return {
    title: 'Going on after a signal',
    body: [
      `${count} stories wait, without a process; one signal each ${PAUSE_MS} ms. The time is from the beginning of the signal's request until the story has gone on in its worker, which has polled for it by then: a commit of the signal, a commit of the wake, an entry of the broker, a claim, the answer to a poll with the steps of before.`,
      table(
        ['signals', 'p50 ms', 'p95 ms', 'p99 ms', 'slowest ms'],
        [[String(times.length), ...[0.5, 0.95, 0.99, 1].map((share) => figure(percentile(times, share)))]],
      ),
    ].join('\n\n'),
    verdicts: [
      {
        promise: `goes on within ${MOST_MS} ms of its signal at p99, at low load`,
        measured: `${figure(p99)} ms (${times.length} of ${count})`,
        held: p99 <= MOST_MS && times.length === count,
      },
    ],
  };
};

/** Ids of the stories once all of them wait. @throws after a minute. */
async function untilWaiting(database: pg.Client, count: number): Promise<readonly string[]> {
  for (const deadline = now() + 60_000; ; await sleep(50)) {
    const { rows } = await database.query<{ id: string }>(`select id from jobs where state = 'waiting' order by id`);
    if (rows.length === count) return rows.map(({ id }) => id);
    if (now() > deadline) throw new Error(`expected ${count} stories to wait within a minute, got ${rows.length}`);
  }
}

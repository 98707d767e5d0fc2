import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { readEvents } from '#src/jobs/ledger/ledger.ts';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { type Submission, submit } from '#src/jobs/submit/submit.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { until } from '#test/helpers/processes.ts';
import { acrossRestore, type Doomed } from '#test/helpers/servers/across-restore.ts';
import { handlers, trial } from '#test/helpers/trial.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { openSse } from '#test/http/streams.ts';
import { startFleet } from '#workers/run/fleet.ts';

/** A whole system over these servers. */
async function startSystem(settings: Readonly<Record<string, string>>) {
  await using stack = new AsyncDisposableStack();
  const quick = { LEASE_MS: '1500', BEAT_MS: '200', SWEEP_MS: '100', AUDIT_MS: '200', DRAIN_DEADLINE_MS: '300' };
  const api = stack.use(await testApi({ ...settings, ...quick, REDIS_PREFIX: 'restored' }));
  startRelay(api.context);
  startSweep(api.context, [trial.name]);
  const module = new URL('../helpers/trial.ts', import.meta.url);
  const fleet = await startFleet(api.context, { name: 'trial', handlers, module, concurrency: 20 });
  stack.defer(async () => await fleet.drain());
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const all = stack.move();
  return { api, [Symbol.asyncDispose]: async () => await all.disposeAsync() };
}

const send = async ({ context }: TestApi, payload: Submission<typeof trial>['payload'], runAt = new Date()) =>
  (await submit(context, trial, { principal: { owner: 'owner-1' }, payload, runAt })).job;

const job = async ({ context }: TestApi, id: string): Promise<Job> => {
  const found = await readJob(context, id);
  if (!found) throw new Error(`expected the job ${id}, got none`);
  return found;
};

const ended = async (api: TestApi, jobs: readonly { readonly id: string }[]) =>
  await until(async () => (await Promise.all(jobs.map(({ id }) => job(api, id)))).every((one) => one.result !== null));

async function follow(api: TestApi, id: string, headers: Record<string, string>) {
  const { port } = api.app.server.address() as { port: number };
  return await openSse(`http://127.0.0.1:${port}/v1/jobs/${id}/events`, headers);
}

test('servers that are destroyed come back from backup and archive: no job is lost, the broker is filled, subscribers get a reset', {
  timeout: 180_000,
}, async () => {
  const runBefore = async ({ settings, backUp, destroy }: Doomed) => {
    await using system = await startSystem(settings);
    const { api } = system;
    const old = await Promise.all(Array.from({ length: 20 }, (_, n) => send(api, { do: 'succeed', text: `old ${n}` })));
    await ended(api, old);
    await backUp();

    // what happened after the backup is in the archive alone
    const later = await Promise.all(
      Array.from({ length: 20 }, (_, n) => send(api, { do: 'succeed', text: `new ${n}` })),
    );
    await ended(api, later);
    const soon = new Date(Date.now() + 3_600_000);
    const waiting = await Promise.all(Array.from({ length: 10 }, () => send(api, { do: 'succeed' }, soon)));
    const running = await send(api, { do: 'wait' });
    await until(async () => (await job(api, running.id)).state === 'running');
    const { headers } = await api.key();
    const stream = await follow(api, running.id, headers);
    const seen: string[] = [];
    for await (const { id } of stream.events) if (id && seen.push(id) === 2) break;
    const done = await Promise.all([...old, ...later].map(({ id }) => job(api, id)));
    await destroy();
    return { done, waiting, running, headers, last: seen.at(-1) ?? '' };
  };

  await acrossRestore(runBefore, async (settings, before) => {
    await using system = await startSystem(settings);
    const { api } = system;
    for (const known of before.done) expect(await job(api, known.id)).toEqual(known);

    // numbers of the history that ended mean nothing any more
    const stream = await follow(api, before.running.id, { ...before.headers, 'last-event-id': before.last });
    const { value: first } = await stream.events.next();
    expect(first?.event).toBe('reset');
    expect(first?.id?.split('.')[0]).not.toBe(before.last.split('.')[0]);
    stream.close();

    // the job that ran is taken up again, and those that waited run in their time, by a broker that began empty
    await until(async () => {
      const { state, attempt } = await job(api, before.running.id);
      return state === 'running' && attempt > before.running.attempt + 1;
    });
    await cancelJob(api.context, before.running.id, 'owner-1');
    for (const { id } of before.waiting) expect(await job(api, id)).toMatchObject({ state: 'queued', feed: 'later' });
    // an hour later
    await api.context.db.query(sql.unsafe`update jobs set run_at = now() where feed = 'later'`);
    await ended(api, before.waiting);
    const again = await Promise.all(Array.from({ length: 5 }, () => send(api, { do: 'succeed' })));
    await ended(api, again);
    for (const { id } of [...before.done, before.running, ...again]) {
      const events = await readEvents(api.context, id, 0, 100);
      expect(events.map(({ n }) => n)).toEqual(events.map((_, index) => index + 1));
    }
  });
});

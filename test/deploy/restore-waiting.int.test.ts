import { createClient } from '@proofline/client';
import { defineJob } from '@proofline/worker';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { startWaker } from '#src/jobs/wake/waker.ts';
import { acrossRestore, type Doomed } from '#test/helpers/servers/across-restore.ts';
import { testApi } from '#test/http/api.ts';
import { serving } from '#test/packages/worker/serving.ts';

/** A system over these servers, with a worker elsewhere that tells its story. */
async function startSystem(settings: Readonly<Record<string, string>>, ran: string[]) {
  await using stack = new AsyncDisposableStack();
  const quick = { LEASE_MS: '15000', SWEEP_MS: '200', AUDIT_MS: '500', DRAIN_DEADLINE_MS: '300' };
  const api = stack.use(await testApi({ ...settings, ...quick, REDIS_PREFIX: 'waiting' }));
  stack.use(startRelay(api.context));
  stack.use(startSweep(api.context));
  stack.use(startWaker(api.context));
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = api.app.server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const { secret: key } = await api.key();
  const story = defineJob({
    name: 'acme.wait-long',
    payload: { type: 'object', properties: { by: { type: 'string' } }, required: ['by'] },
    run: async ({ payload, step, sleep, waitFor }) => {
      const by = await step('begin', () => {
        ran.push(payload.by);
        return payload.by;
      });
      if (by === 'time') await sleep('night', '1h');
      else return await waitFor('go', { timeout: '2h' });
      return 'morning';
    },
  });
  const worker = stack.use(serving({ url }, [story], { key }));
  await worker.registered();
  const all = stack.move();
  const client = createClient({ url, key });
  return { api, client, story, [Symbol.asyncDispose]: async () => await all.disposeAsync() };
}

test('jobs that wait when the servers are destroyed go on after the restore, one by its signal, one by its time', {
  timeout: 180_000,
}, async () => {
  const ran: string[] = [];
  const before = async ({ settings, backUp, destroy }: Doomed) => {
    await using system = await startSystem(settings, ran);
    const { client, story } = system;
    await backUp();
    const jobs = await Promise.all(['signal', 'time'].map((by) => client.submit(story, { by })));
    for (const job of jobs) await expect.poll(async () => (await job.job()).state).toBe('waiting');
    await destroy();
    return jobs.map(({ id }) => id);
  };

  await acrossRestore(before, async (settings, ids) => {
    await using system = await startSystem(settings, ran);
    const [signalled, slept] = ids.map((id) => system.client.job(id));
    expect([(await signalled!.job()).state, (await slept!.job()).state]).toEqual(['waiting', 'waiting']);
    await signalled!.signal('go', { by: 'Ada' });
    expect(await signalled!.result()).toEqual({ by: 'Ada' });
    // the hour is over
    await system.api.context.db.query(sql.unsafe`update waits set wake_at = now() where job = ${slept!.id}`);
    expect(await slept!.result()).toBe('morning');
    expect(ran.toSorted()).toEqual(['signal', 'time']);
  });
});

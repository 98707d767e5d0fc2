import { expect, test } from 'vitest';
import { pauseQueue, resumeQueue } from '#src/jobs/broker/queue-pauses.ts';
import { gaugeQueues } from '#src/jobs/figures/queue-gauges.ts';
import { fence, type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';

const queue = 'acme.resize-image';

async function series(api: RemoteApi, name: string): Promise<Readonly<Record<string, number>>> {
  const text = await api.context.metrics.registry.metrics();
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`));
  return Object.fromEntries(
    lines.map((line) => [line.slice(name.length, line.indexOf('} ') + 1), Number(line.split('} ')[1])]),
  );
}

test('workers elsewhere are shown by queue: capacity, free hands and jobs in hand, which no process of ours counts', async () => {
  await using api = await remoteApi();
  gaugeQueues(api.context);
  const label = `{queue="${queue}"}`;
  const all = async () =>
    await Promise.all(
      ['workers', 'capacity', 'credits', 'jobs_running'].map(
        async (name) => (await series(api, `proofline_remote_${name}`))[label],
      ),
    );
  expect(await all()).toEqual([undefined, undefined, undefined, undefined]);
  const [one, other] = [await api.worker([{ name: queue }], 10), await api.worker([{ name: queue }], 7)];
  await api.submit(1);
  const [job] = await one.take(4);
  await other.poll(3, [], { wait_ms: 0 });
  expect(await all()).toEqual([2, 17, 7, 1]);
  expect(await series(api, 'proofline_jobs_running')).toEqual({});
  await one.report({ ...fence(job!), type: 'succeeded', result: { bytes: 1 } });
  await other.leave();
  expect(await all()).toEqual([1, 10, 4, 0]);
});

test('what waits in a version that no worker takes has an age, until one takes it, or while it is paused', async () => {
  // who takes what is known for two seconds, which must not be longer than a lease
  await using api = await remoteApi({ LEASE_MS: '60000' });
  gaugeQueues(api.context);
  const untaken = async () => Object.keys(await series(api, 'proofline_queue_untaken_seconds'));
  const label = `{queue="${queue}",version="1"}`;
  expect(await untaken()).toEqual([]);
  await api.submit(1);
  await api.submit(2, { delay_ms: 3_600_000 });
  await expect.poll(untaken).toEqual([label]);
  await pauseQueue(api.context, queue, { by: 'op', reason: null });
  expect(await untaken()).toEqual([]);
  await resumeQueue(api.context, queue, { by: 'op' });
  expect(await untaken()).toEqual([label]);
  const worker = await api.worker();
  await expect.poll(untaken, { timeout: 10_000 }).toEqual([]);
  await worker.leave();
  await expect.poll(untaken, { timeout: 10_000 }).toEqual([label]);
});

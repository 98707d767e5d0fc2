import { expect, test } from 'vitest';
import { startOperations } from '#src/http/operations/publish-operations.ts';
import { openWebSocket } from '#test/http/streams.ts';
import { contract, remoteApi } from '#test/http/workers/remote.ts';

const queue = 'acme.resize-image';

interface Seen {
  readonly queues: readonly { readonly name: string; readonly versions: readonly object[] }[];
  readonly workers: {
    readonly total: number;
    readonly list: readonly { readonly id: string; readonly running: number }[];
  };
}

/** The newest event of the stream of operations, as a caller sees it. */
function follow(url: string, headers: Readonly<Record<string, string>>) {
  const stream = openWebSocket(`${url.replace('http', 'ws')}/ws/v1/operations`, headers);
  const last = () => stream.messages.at(-1)?.data as Seen | undefined;
  return {
    last,
    versions: () => last()?.queues.find(({ name }) => name === queue)?.versions,
    close: () => stream.socket.close(),
  };
}

test('connected workers come over the stream: all to an operator, their own to anyone else', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  startOperations(api.context);
  const headersOf = async (request: object) => (await api.key(request)).headers;
  const operator = follow(url, await headersOf({ owner: 'op', operator: true }));
  const own = follow(url, await headersOf({}));
  const other = follow(url, await headersOf({ owner: 'mallory' }));
  const worker = await api.worker([{ name: queue }], 5);
  await api.submit(1);
  await worker.take(2);
  const shown = {
    total: 1,
    list: [
      {
        id: worker.worker,
        owner: 'owner-1',
        name: 'worker',
        capacity: 5,
        credits: 2,
        running: 1,
        queues: [{ name: queue, versions: [1] }],
      },
    ],
  };
  for (const one of [operator, own])
    await expect.poll(() => one.last()?.workers, { timeout: 20_000 }).toMatchObject(shown);
  await expect.poll(() => other.last()?.workers).toEqual({ total: 0, list: [] });
  expect(other.versions()).toBeUndefined();
  await worker.leave();
  for (const one of [operator, own]) await expect.poll(() => one.last()?.workers.total, { timeout: 20_000 }).toBe(0);
  for (const one of [operator, own, other]) one.close();
});

test('a queue says of each version that no worker takes it: of the newest, and of those in which jobs wait', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  const versions = async () => {
    const { data } = (await api.call('GET', '/v1/queues')).json();
    return data.find(({ name }: { name: string }) => name === queue).versions;
  };
  const at = (version: number) => `no worker takes ${queue}@${version}`;
  const idle = { workers: 0, queued: 0, delayed: 0, oldest_waiting_seconds: 0 };
  expect(await versions()).toEqual([{ ...idle, version: 1, warning: at(1) }]);
  await api.submit(1);
  await api.submit(2, { delay_ms: 3_600_000 });
  expect(await versions()).toMatchObject([{ version: 1, queued: 1, delayed: 1, warning: `${at(1)}: 2 jobs wait` }]);
  const next = { ...contract, payload: { type: 'object', required: ['height'] } };
  expect((await api.call('PUT', `/v1/queues/${queue}`, { version: 2, contract: next })).statusCode).toBe(201);
  await api.worker([{ name: queue, versions: [1] }]);
  await expect.poll(versions, { timeout: 10_000 }).toMatchObject([
    { version: 2, workers: 0, queued: 0, warning: at(2) },
    { version: 1, workers: 1, queued: 1, warning: null },
  ]);
});

test('processes of ours are fleets, and workers elsewhere are not', async () => {
  await using api = await remoteApi();
  await api.worker();
  const { headers } = await api.key({ owner: 'op', operator: true });
  const { data } = (await api.app.inject({ url: '/v1/fleets', headers })).json() as { data: { name: string }[] };
  expect(data.map(({ name }) => name)).not.toContain('remote');
});

import { expect, test } from 'vitest';
import { setLimit } from '#src/access/limits/limit-rows.ts';
import { limitsOf } from '#src/access/limits/limits-known.ts';
import { type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';

const url = '/v1/queues/acme.resize-image/jobs';
const run_at = '2100-01-01T00:00:00Z';
const send = async (api: RemoteApi, width: number, more: object = {}) =>
  await api.call('POST', url, { payload: { width }, run_at, ...more }, { prefer: 'respond-async' });

test.each(['return', 'replace'])('a full queue lets a submission in that adds no job to it: %s', async (conflict) => {
  await using api = await remoteApi({ OWNER_QUEUE_DEPTH: '1' });
  const unique = { key: 'one', while: 'queued', conflict };
  const { id } = (await send(api, 1, { unique })).json();
  const again = await send(api, 2, { unique });
  expect([again.statusCode, again.json().id]).toEqual([202, id]);
  const line = { queue: 'acme.resize-image', payload: { width: 3 }, run_at, unique };
  const bulk = await api.call('POST', '/v1/jobs/bulk', [line]);
  expect(JSON.parse(bulk.body.trim().split('\n')[0]!)).toMatchObject({ id, created: false });
  for (const more of [{}, { unique: { ...unique, key: 'two' } }])
    expect((await send(api, 4, more)).statusCode).toBe(429);
});

test('a limit of none says so, and whose it is, without a time after which to try again', async () => {
  await using api = await remoteApi();
  await setLimit(api.context, { kind: 'queue_depth', scope: 'owner', subject: 'owner-1', most: 0, setBy: 'op' });
  await limitsOf(api.context).refresh();
  const refused = await send(api, 1);
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, undefined]);
  const { detail } = refused.json();
  expect(detail).toContain(
    'got 0 unfinished jobs for you: no wait makes room. An operator can raise it; it is the limit of the owner.',
  );
  expect(detail).not.toContain('Wait until');
});

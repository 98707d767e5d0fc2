import { expect, test } from 'vitest';
import { type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';

const submit = async (api: RemoteApi, more: object) =>
  await api.call(
    'POST',
    '/v1/queues/acme.resize-image/jobs',
    { payload: { width: 1 }, ...more },
    { prefer: 'respond-async' },
  );

test.each([
  ['2h', 7_200_000],
  ['1.5d', 129_600_000],
  [3_600_000, 3_600_000],
])('a delay of %s is one of %d ms, alone and among many', async (delay, ms) => {
  await using api = await remoteApi();
  const waits = ({ run_at, created_at }: { readonly run_at: string; readonly created_at: string }) =>
    Math.round((Date.parse(run_at) - Date.parse(created_at)) / 60_000) * 60_000;
  expect(waits((await submit(api, { delay })).json())).toBe(ms);
  const { body } = await api.call('POST', '/v1/jobs/bulk', [
    { queue: 'acme.resize-image', payload: { width: 1 }, delay },
  ]);
  expect(waits(await api.job(JSON.parse(body).id))).toBe(ms);
});

test('error: a delay is given once, as a length of time of at most ten years', async () => {
  await using api = await remoteApi();
  for (const [more, says] of [
    [{ delay: '2m', delay_ms: 5 }, 'got both'],
    [{ delay: '2m', run_at: '2099-01-01T00:00:00Z' }, 'run_at or delay, got both'],
    [{ delay: 'soon' }, 'delay'],
    [{ delay: '90000d' }, 'at most ten years, got 90000d'],
  ] as const) {
    const answer = await submit(api, more);
    expect([answer.statusCode, answer.json().detail]).toEqual([400, expect.stringContaining(says)]);
  }
});

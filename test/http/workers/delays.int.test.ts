import { expect, test } from 'vitest';
import { fence, type RemoteApi, remoteApi } from './remote.ts';

const HOUR_MS = 3_600_000;
const LONGEST_MS = 315_360_000_000;

/** Hours that a job is delayed by. */
async function hoursOf(api: RemoteApi, id: string): Promise<number> {
  const { created_at, run_at } = await api.job(id);
  return Math.round((Date.parse(run_at) - Date.parse(created_at)) / HOUR_MS);
}

const both = 'expected delay or delay_ms, got both: leave one out';

test('a child is delayed as a submit is: by ms, or by a number and its unit', async () => {
  await using api = await remoteApi();
  const worker = await api.worker();
  await api.submit(1);
  const [parent] = await worker.take();
  const child = (name: string, more: object) => ({
    ...fence(parent!),
    type: 'submit',
    name,
    after: 0,
    queue: 'acme.resize-image',
    payload: { width: 2 },
    ...more,
  });
  const answers = await worker.report(
    child('a', { delay_ms: 2 * HOUR_MS }),
    child('b', { delay: 2 * HOUR_MS }),
    child('c', { delay: '2h' }),
    child('d', { delay: '120m' }),
    child('e', { delay: '2h', delay_ms: 1 }),
    child('f', { delay: '4000d' }),
    child('g', { delay: 'soon' }),
    child('h', { delay: LONGEST_MS + 1 }),
  );
  expect(answers).toMatchObject([
    ...Array.from({ length: 4 }, () => ({ status: 'accepted' })),
    { status: 'refused', code: 'invalid_request', message: `report.delay: ${both}.`, path: '/delay' },
    { status: 'refused', message: 'report.delay: expected at most ten years, got 4000d.', path: '/delay' },
    { status: 'refused', code: 'invalid_request', path: '/delay' },
    { status: 'refused', code: 'invalid_request', path: '/delay' },
  ]);
  for (const { child: id } of answers.slice(0, 4) as unknown as { child: string }[])
    expect(await hoursOf(api, id)).toBe(2);
});

test('error: a submit refuses the same in the same words', async () => {
  await using api = await remoteApi();
  const path = '/v1/queues/acme.resize-image/jobs';
  const refusal = async (more: object) => {
    const answer = await api.call('POST', path, { payload: { width: 1 }, ...more });
    return [answer.statusCode, answer.json().detail];
  };
  expect(await refusal({ delay: '2h', delay_ms: 1 })).toEqual([400, `body.delay: ${both}.`]);
  expect(await refusal({ delay: '4000d' })).toEqual([400, 'body.delay: expected at most ten years, got 4000d.']);
});

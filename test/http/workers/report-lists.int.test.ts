import { expect, test } from 'vitest';
import { until } from '#test/helpers/processes.ts';
import { fence, type Handed, type RemoteApi, remoteApi } from './remote.ts';

const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

/** Reports that are none, each with its refusal. */
const wrong = (job: Handed): readonly (readonly [report: unknown, refusal: object])[] => [
  [
    { ...fence(job), type: 'step', name: '', after: 0, value: 1 },
    { path: '/name', message: 'report.name: expected at least 1 character, got "".' },
  ],
  [{ ...fence(job), type: 'dance' }, { message: expect.stringMatching(/^report(\.type)?: expected .*, got /) }],
  [
    { ...fence(job), type: 'step', name: 'a', after: 0 },
    { path: '/value', message: 'report.value: expected a value, got nothing.' },
  ],
  [7, { path: '', message: expect.stringMatching(/^report: expected .*, got 7\.$/) }],
  [null, { path: '', message: expect.stringMatching(/^report: expected .*, got null\.$/) }],
  [
    { ...fence(job), type: 'progress', data: deep(120) },
    { path: '', message: 'report: expected JSON of at most 100 levels of objects and lists, got a deeper one.' },
  ],
];

/** Two jobs in hand, and the lines of a job once its last one is this. */
async function twoJobs(api: RemoteApi) {
  const worker = await api.worker();
  await api.submit(1);
  await api.submit(2);
  const [first, second] = [...(await worker.take(1)), ...(await worker.take(1))];
  return { worker, first: first!, second: second! };
}

const linesOf = async (api: RemoteApi, id: string): Promise<{ message: string; fields: unknown }[]> =>
  (await api.call('GET', `/v1/jobs/${id}/logs`)).json().data;

test('error: a report that is none is refused with its place, and those around it are applied', async () => {
  await using api = await remoteApi();
  const { worker, first, second } = await twoJobs(api);
  const faults = wrong(second);
  const answers = await worker.report(
    { ...fence(first), type: 'succeeded', result: { bytes: 1 } },
    ...faults.map(([report]) => report as object),
    { ...fence(second), type: 'step', name: 'a', after: 0, value: 1 },
  );
  expect(answers).toMatchObject([
    { status: 'accepted' },
    ...faults.map(([, refusal]) => ({ status: 'refused', code: 'invalid_request', ...refusal })),
    { status: 'accepted', value: 1 },
  ]);
  expect(await api.job(first.id)).toMatchObject({ state: 'succeeded' });
  expect(await api.job(second.id)).toMatchObject({ state: 'running' });
});

test('error: what is no list of reports is refused whole', async () => {
  await using api = await remoteApi();
  const { worker } = await api.worker();
  for (const body of [
    {},
    { reports: [] },
    { reports: {} },
    { reports: [1], more: 1 },
    { reports: Array(1_001).fill(1) },
  ])
    expect((await api.call('POST', `/v1/workers/${worker}/report`, body)).statusCode).toBe(400);
});

test('behind the end of an attempt the same end is accepted, and everything else is stale', async () => {
  await using api = await remoteApi();
  const { worker, first, second } = await twoJobs(api);
  const log = (job: Handed, message: string) => ({ ...fence(job), type: 'log', level: 'info', message });
  const end = { ...fence(first), type: 'succeeded', result: { bytes: 1 } };
  const other = { ...end, result: { bytes: 2 } };
  const behind = [
    log(first, 'LATE'),
    { ...fence(first), type: 'progress', data: 1 },
    { ...fence(first), type: 'step', name: 'a', after: 0, value: 1 },
    { ...fence(first), type: 'failed', error: { message: 'late' } },
    { ...fence(first), type: 'released' },
    other,
  ];
  const statuses = async (...reports: object[]) => (await worker.report(...reports)).map(({ status }) => status);
  expect(await statuses(log(first, 'in time'), end, ...behind, end)).toEqual([
    'accepted',
    'accepted',
    ...behind.map(() => 'stale'),
    'accepted',
  ]);
  // and in a list of their own
  expect(await statuses(...behind, end)).toEqual([...behind.map(() => 'stale'), 'accepted']);
  expect(await api.job(first.id)).toMatchObject({ state: 'succeeded', result: { bytes: 1 } });

  const failure = { ...fence(second), type: 'failed', error: { message: 'no' }, retryable: false };
  const contrary = { ...failure, error: { message: 'another' } };
  expect(await statuses(failure, log(second, 'LATE'), contrary, failure)).toEqual([
    'accepted',
    'stale',
    'stale',
    'accepted',
  ]);
  expect(await statuses(contrary, failure)).toEqual(['stale', 'accepted']);
  for (const [{ id }, last] of [
    [first, 'in time'],
    [second, 'given up'],
  ] as const) {
    await until(async () => (await linesOf(api, id)).some(({ message }) => message === last));
    expect((await linesOf(api, id)).map(({ message }) => message)).not.toContain('LATE');
  }
});

test('behind a result that does not fit nothing more is taken, and its failure is the end', async () => {
  await using api = await remoteApi();
  const { worker, first } = await twoJobs(api);
  const end = { ...fence(first), type: 'succeeded', result: { bytes: 'x' } };
  const late = { ...fence(first), type: 'progress', data: 1 };
  expect(await worker.report(end, late)).toMatchObject([
    { status: 'refused', code: 'invalid_result' },
    { status: 'stale' },
  ]);
});

test('of an outcome that another one came before, the first stands and is the answer', async () => {
  await using api = await remoteApi();
  const { worker, first } = await twoJobs(api);
  const about = { ...fence(first), name: 'pay' };
  const done = { ...about, type: 'effect_done', outcome: { paid: 1 }, external_id: 'x-1' };
  expect(await worker.report({ ...about, type: 'effect_intended', request: 1 }, done, done)).toMatchObject([
    { status: 'accepted' },
    { status: 'accepted' },
    { status: 'accepted' },
  ]);
  const effect = { state: 'done', key: `${first.id}.pay`, outcome: { paid: 1 }, external_id: 'x-1' };
  expect(
    await worker.report(
      done,
      { ...done, outcome: { paid: 2 } },
      { ...done, external_id: 'x-2' },
      { ...about, type: 'effect_failed', message: 'no' },
      { ...about, type: 'effect_unknown' },
    ),
  ).toEqual([{ status: 'accepted' }, ...Array.from({ length: 4 }, () => ({ status: 'accepted', effect }))]);
});

test('a line that is longer than is kept says how much it lacks', async () => {
  await using api = await remoteApi();
  const { worker, first } = await twoJobs(api);
  const line = (message: string, data: object) => ({ ...fence(first), type: 'log', level: 'info', message, data });
  await worker.report(
    line('x'.repeat(10_000), { text: 'y'.repeat(300_000) }),
    // as a worker cuts a line of 20,000 to what a report takes
    line(`${'x'.repeat(9_960)}… (10,040 characters more)`, {}),
    line('x'.repeat(1_000), { text: 'short' }),
  );
  await until(async () => (await linesOf(api, first.id)).length === 3);
  const [long, longer, short] = await linesOf(api, first.id);
  expect(long!.message).toBe(`${'x'.repeat(960)}… (9,040 characters more)`);
  expect(long!.fields).toEqual({ cut: expect.stringMatching(/^\{"text":"y+… \(298,051 characters more\)$/) });
  expect(longer!.message).toBe(`${'x'.repeat(960)}… (19,040 characters more)`);
  expect(short).toMatchObject({ message: 'x'.repeat(1_000), fields: { text: 'short' } });
});

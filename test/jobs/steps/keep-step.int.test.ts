import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { MOST_JOB_BYTES, MOST_STEP_BYTES, MOST_STEPS } from '#src/jobs/model/step-bounds.ts';
import { keepStep, type NewStep } from '#src/jobs/steps/keep-step.ts';
import { readSteps } from '#src/jobs/steps/read-steps.ts';
import { openStory, type Story, untilBlocked } from './story.ts';

let story: Story;
beforeAll(async () => {
  story = await openStory();
});
afterAll(async () => await story[Symbol.asyncDispose]());

const step = (name: string, value: unknown = null, after = 0): NewStep => ({ name, kind: 'step', after, value });
const kept = (value: unknown) => ({ status: 'kept', value });
const stale = { status: 'stale' };

test('a step is kept once: whoever keeps it again gets the value of the first', async () => {
  const fence = await story.running();
  expect(await keepStep(story.context, fence, step('charge', { usd: 5 }))).toEqual(kept({ usd: 5 }));
  expect(await keepStep(story.context, fence, step('charge', { usd: 6 }))).toEqual(kept({ usd: 5 }));
  expect(await keepStep(story.context, fence, step('mail', undefined, 1))).toEqual(kept(null));
  expect(await keepStep(story.context, fence, step('mail', 'again', 1))).toEqual(kept(null));
  expect(await story.steps(fence.job)).toEqual(['step charge {"usd":5}', 'step mail null']);
});

test('a later attempt gets the steps in the order in which they ended; a job without steps costs no query', async () => {
  const fence = await story.running();
  await keepStep(story.context, fence, step('one', 1));
  await keepStep(story.context, fence, step('two', [2], 1));
  await story.settled(fence, 'queued');
  const later = await story.claimed(fence.job);
  const other = await story.running();
  expect(later).toMatchObject({ attempt: 2, steps: 2 });
  const jobs = [
    { id: later.job, steps: later.steps },
    { id: other.job, steps: 0 },
  ];
  expect(await readSteps(story.context, jobs)).toEqual(
    new Map([
      [
        later.job,
        [
          { name: 'one', n: 1, kind: 'step', after: 0, value: 1 },
          { name: 'two', n: 2, kind: 'step', after: 1, value: [2] },
        ],
      ],
      [other.job, []],
    ]),
  );
  expect(await keepStep(story.context, later, step('three', 3, 2))).toEqual(kept(3));
  expect(await keepStep(story.context, later, step('one', 'other'))).toEqual(kept(1));
});

test('nothing is kept for an attempt that no longer holds its job', async () => {
  const fence = await story.running();
  const wrong = [
    { ...fence, attempt: 2 },
    { ...fence, token: randomUUID() },
    { ...fence, job: randomUUID() },
    { ...fence, job: '{}' },
    { ...fence, token: `${fence.token},${fence.token}` },
    { ...fence, attempt: 0.5 },
  ];
  for (const one of wrong) expect(await keepStep(story.context, one, step('a'))).toEqual(stale);
  await story.settled(fence, 'queued');
  expect(await keepStep(story.context, fence, step('a'))).toEqual(stale);
  const later = await story.claimed(fence.job);
  expect(await keepStep(story.context, fence, step('a'))).toEqual(stale);
  await cancelJob(story.context, fence.job, 'alice');
  expect(await keepStep(story.context, later, step('a'))).toEqual(stale);
  expect(await story.steps(fence.job)).toEqual([]);
});

test('steps of many jobs are kept together, and each answer is of its own step', async () => {
  const fences = await Promise.all(Array.from({ length: 8 }, () => story.running()));
  const late = { ...fences[3]!, token: randomUUID() };
  const answers = await Promise.all(
    fences.flatMap((fence, job) => [
      ...Array.from({ length: 20 }, (_, n) => keepStep(story.context, fence, step(`s${n}`, `${job}.${n}`))),
      keepStep(story.context, fence, step('s0', 'twice')),
      keepStep(story.context, late, step('late')),
    ]),
  );
  expect(answers).toEqual(
    fences.flatMap((_fence, job) => [
      ...Array.from({ length: 20 }, (_, n) => kept(`${job}.${n}`)),
      kept(`${job}.0`),
      stale,
    ]),
  );
  for (const { job } of fences) {
    const rows = await story.context.db.anyFirst(sql.unsafe`select n from steps where job = ${job} order by n`);
    expect(rows).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  }
});

test('two processes that keep steps of one job at once number them without a gap, and agree on the value', async () => {
  const fence = await story.running();
  const [other, holder] = [await story.another(), await story.connect()];
  await holder.query('begin');
  await holder.query('select from jobs where id = $1 for update', [fence.job]);
  // both statements are under way before either sees a step of the other
  const answers = Promise.all(
    [story.context, other].map(async (context, process) => [
      await keepStep(context, fence, step('same', process)),
      await keepStep(context, fence, step(`own ${process}`, process)),
    ]),
  );
  await untilBlocked(story, 2);
  await holder.query('commit');
  const [[first, own], [second, others]] = (await answers) as [unknown[], unknown[]] & [[], []];
  expect(first).toEqual(second);
  expect([own, others]).toEqual([kept(0), kept(1)]);
  const rows = await story.context.db.any(
    sql.unsafe`select count(*), count(distinct n) as different, max(n) as last from steps where job = ${fence.job}`,
  );
  expect(rows).toEqual([{ count: 3, different: 3, last: 3 }]);
});

test('error: a job has at most 10,000 steps and 64 MiB in them, and the others in the batch are kept', async () => {
  const [many, large, other] = [await story.running(), await story.running(), await story.running()];
  const { db } = story.context;
  await db.query(sql.unsafe`update jobs set steps = ${MOST_STEPS - 1} where id = ${many.job}`);
  await db.query(sql.unsafe`update jobs set step_bytes = ${MOST_JOB_BYTES - 10} where id = ${large.job}`);
  const keep = async (fence: typeof many, name: string, value: unknown) =>
    await keepStep(story.context, fence, step(name, value)).catch((error: unknown) => error);
  const answers = await Promise.all([
    keep(many, 'last', 1),
    keep(many, 'beyond', 2),
    keep(many, 'beyond', 2),
    keep(large, 'fits', 'x'.repeat(8)),
    keep(large, 'not', ''),
    keep(other, 'usual', 3),
  ]);
  const tooMany = (of: string, limit: number) =>
    expect.objectContaining({ code: 'too_many_steps', details: expect.objectContaining({ of, limit }) });
  expect(answers).toEqual([
    kept(1),
    tooMany('steps', MOST_STEPS),
    tooMany('steps', MOST_STEPS),
    kept('x'.repeat(8)),
    tooMany('bytes', MOST_JOB_BYTES),
    kept(3),
  ]);
  expect(await keep(many, 'last', 'again')).toEqual(kept(1));
  expect(await keep(many, 'later', 1)).toEqual(tooMany('steps', MOST_STEPS));
  expect(await story.steps(large.job)).toHaveLength(1);
});

test('error: a value of more than 1 MiB is refused; one of that size is kept', async () => {
  const fence = await story.running();
  const most = 'é'.repeat(MOST_STEP_BYTES / 2 - 1);
  expect(await keepStep(story.context, fence, step('most', most))).toEqual(kept(most));
  await expect(keepStep(story.context, fence, step('more', `${most}!`))).rejects.toMatchObject({
    code: 'step_too_large',
    details: { bytes: MOST_STEP_BYTES + 1, limit: MOST_STEP_BYTES },
  });
});

test('error: a name that another kind of step has answers nothing of it, and fails no step beside it', async () => {
  const fence = await story.running();
  await keepStep(story.context, fence, { ...step('resize', { job: fence.job }), kind: 'child' });
  const [other, beside] = await Promise.allSettled([
    keepStep(story.context, fence, step('resize', 1)),
    keepStep(story.context, fence, step('beside', 2)),
  ]);
  expect(other).toMatchObject({ reason: { code: 'state_conflict', details: { step: 'resize' } } });
  expect(beside).toMatchObject({ value: kept(2) });
});

test('error: a value that Postgres cannot store fails alone', async () => {
  const fence = await story.running();
  const [bad, good] = await Promise.allSettled([
    keepStep(story.context, fence, step('bad', { text: 'a\u0000b' })),
    keepStep(story.context, fence, step('good', 1)),
  ]);
  expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'invalid_result' } });
  expect(good).toEqual({ status: 'fulfilled', value: kept(1) });
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  await expect(keepStep(story.context, fence, step('circle', circle))).rejects.toMatchObject({
    code: 'invalid_result',
  });
});

test.each([[''], ['x'.repeat(201)], ['line\nbreak'], ['\ud800']])('error: %j is no name of a step', async (name) => {
  const fence = await story.running();
  await expect(keepStep(story.context, fence, step(name))).rejects.toMatchObject({ code: 'invalid_request' });
});

test('error: a place among the steps that none can have is refused', async () => {
  const fence = await story.running();
  for (const after of [-1, 0.5, 2 ** 31])
    await expect(keepStep(story.context, fence, step('a', 1, after))).rejects.toMatchObject({
      code: 'invalid_request',
    });
});

import { ChildFailed, defineJob, WaitTimedOut } from '@proofline/worker';
import { harness } from '@proofline/worker/testing';
import { expect, test } from 'vitest';

const jobOf = (run: Parameters<typeof defineJob>[0]['run']) => defineJob({ name: 'acme.story', payload: true, run });

test('a sleep ends the attempt, and a later one goes on behind it', async () => {
  const seen: string[] = [];
  const job = jobOf(async ({ step, sleep, attempt }) => {
    await step('before', () => seen.push(`before in ${attempt}`));
    await sleep('a while', '2h');
    await step('between', () => seen.push(`between in ${attempt}`));
    await sleep('until then', new Date('2026-01-02T00:00:00Z'));
    return seen;
  });
  const run = await harness(job, null, { now: new Date('2026-01-01T00:00:00Z') });
  expect(run).toMatchObject({
    state: 'waiting',
    waitsFor: { kind: 'sleep', name: 'a while', until: '2026-01-01T02:00:00.000Z' },
  });
  await run.advance('1h');
  expect([run.state, run.attempt]).toEqual(['waiting', 1]);
  await run.crash();
  expect([run.state, run.attempt]).toEqual(['waiting', 1]);
  await run.advance('1h');
  expect(run.waitsFor).toMatchObject({ name: 'until then', until: '2026-01-02T00:00:00.000Z' });
  await run.advance();
  expect(run).toMatchObject({ state: 'succeeded', attempt: 3, failures: 0 });
  expect(run.result).toEqual(['before in 1', 'between in 2']);
  expect(run.steps).toMatchObject([
    { name: 'before', after: 0 },
    { name: 'a while', kind: 'sleep', after: 1, value: null },
    { name: 'between', after: 2 },
    { name: 'until then', kind: 'sleep', after: 3 },
  ]);
});

test('waits side by side are each due when they were first due, whichever of them ends first', async () => {
  const job = jobOf(async ({ sleep, waitFor, step }) => {
    const late = waitFor('never sent', { timeout: '3h' }).catch((error: Error) => error.name);
    await Promise.all([sleep('a', '1h'), sleep('b', '2h')]);
    await step('behind', () => null);
    return await late;
  });
  const run = await harness(job, null, { now: new Date('2026-01-01T00:00:00Z') });
  expect(run.waitsFor).toMatchObject({ name: 'a', until: '2026-01-01T01:00:00.000Z' });
  await run.advance();
  expect(run.waitsFor).toMatchObject({ name: 'b', until: '2026-01-01T02:00:00.000Z' });
  await run.crash();
  await run.advance('90m');
  expect(run.waitsFor).toMatchObject({ kind: 'signal', name: 'never sent', timeout_ms: 60 * 60_000 });
  await run.advance('30m');
  expect(run).toMatchObject({ state: 'succeeded', result: 'WaitTimedOut', now: new Date('2026-01-01T03:00:00Z') });
  expect(run.steps.map(({ name }) => name).toSorted()).toEqual([
    'a',
    'b',
    'b.until',
    'behind',
    'never sent',
    'never sent.until',
  ]);
});

test('a wait alone keeps nothing beside its end; a time that a job names itself is kept by nobody', async () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour));
  const job = jobOf(async ({ sleep }) => {
    await sleep('alone', '1h');
    await Promise.all([sleep('c', at(5)), sleep('d', at(6))]);
  });
  const run = await harness(job, null, { now: at(0) });
  await run.advance(at(7));
  expect(run).toMatchObject({ state: 'succeeded', attempt: 4 });
  expect(run.steps.map(({ name }) => name)).toEqual(['alone', 'c', 'd']);
});

test('error: a step that has the name by which the time of a wait is kept fails the job', async () => {
  const job = jobOf(async ({ sleep, step }) => {
    await step('b.until', () => 'mine');
    await Promise.all([sleep('a', '1h'), sleep('b', '2h')]);
  });
  expect(await harness(job, null)).toMatchObject({ state: 'failed', error: { code: 'step_repeated' } });
});

test('a signal is waited for, also where it came before, and its payload is what was sent first', async () => {
  const job = jobOf(async ({ waitFor }) => [
    await waitFor<number>('early'),
    await waitFor('late', { timeout: '1d' }),
    await waitFor('bare'),
  ]);
  const run = await harness(job, null, { signals: { early: 1 } });
  expect(run).toMatchObject({ state: 'waiting', waitsFor: { kind: 'signal', name: 'late', timeout_ms: 86_400_000 } });
  await run.signal('bare');
  await run.signal('late', { by: 'ada' });
  expect(run).toMatchObject({ state: 'succeeded', result: [1, { by: 'ada' }, null] });
});

test('error: a signal that does not come in time is an error that a run may take', async () => {
  const job = jobOf(async ({ waitFor }) => {
    try {
      return await waitFor('paid', { timeout: '3d' });
    } catch (error) {
      return error instanceof WaitTimedOut ? 'unpaid' : 'other';
    }
  });
  const run = await harness(job, null);
  await run.advance('3d');
  expect(run).toMatchObject({ state: 'succeeded', result: 'unpaid' });
  const strict = await harness(
    jobOf(async ({ waitFor }) => await waitFor('paid', { timeout: 1 })),
    null,
  );
  await strict.advance();
  expect(strict).toMatchObject({ state: 'failed', attempt: 2, error: { code: 'wait_timed_out' } });
});

test('children are made once, and their results waited for', async () => {
  const job = jobOf(async ({ submit, result }) => {
    const children = await Promise.all([
      submit('acme.part', { n: 1 }, { name: 'one' }),
      submit({ name: 'acme.part', version: 2 }, { n: 2 }, { name: 'two', delay: '1m', priority: 3 }),
    ]);
    const [one] = children;
    return await Promise.all([...children, one].map(async (child) => await result(child)));
  });
  const run = await harness(job, null, { pauseAt: 'two' });
  await run.crash();
  expect(run.children).toMatchObject([
    { name: 'one', queue: 'acme.part', payload: { n: 1 } },
    { name: 'two', payload: { n: 2 } },
  ]);
  expect(run.waitsFor).toEqual({ kind: 'result', name: 'one.result', child: run.children[0]?.id });
  await run.endChild('two', { result: 20 });
  expect(run.state).toBe('waiting');
  await run.endChild('one', { result: 10 });
  expect(run).toMatchObject({ state: 'succeeded', result: [10, 20, 10] });
  await expect(run.endChild('three', { result: 1 })).rejects.toThrow('got three; there are one, two.');
});

test('error: a child that failed says so, with its failure', async () => {
  const job = jobOf(async ({ submit, result }) => {
    const child = await submit('acme.part', 1, { name: 'part' });
    return await result(child).catch(
      (error: unknown) => error instanceof ChildFailed && [error.child, error.state, error.error, error.message],
    );
  });
  const run = await harness(job, null);
  const error = { code: 'no_image', message: 'There is no image.' };
  await run.endChild('part', { error });
  expect(run.result).toEqual(['job-1.part', 'failed', error, 'The child part failed: There is no image.']);
});

test('the sentence of a child that was cancelled is one', () => {
  const error = { code: 'cancelled', message: 'It was cancelled.' };
  const { message, details } = new ChildFailed('part', 'id-1', 'cancelled', error);
  expect([message, details]).toEqual([
    'The child part was cancelled: It was cancelled.',
    { child: 'id-1', state: 'cancelled', error },
  ]);
  expect(new ChildFailed('part', 'id-1', 'cancelled', null).message).toBe('The child part was cancelled.');
});

test('a wait ends no attempt while steps beside it run; the wait that is due first is waited for', async () => {
  const done: string[] = [];
  const job = jobOf(async ({ step, sleep, waitFor }) => {
    const work = async () => {
      await step('first', async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        done.push('first');
      });
      await step('second', () => void done.push('second'));
    };
    await Promise.all([waitFor('never', { timeout: '9h' }).catch(() => {}), sleep('long', '2h'), work()]);
    return done;
  });
  const run = await harness(job, null);
  expect(done).toEqual(['first', 'second']);
  expect(run.waitsFor).toMatchObject({ name: 'long' });
  await run.advance('20h');
  expect(run).toMatchObject({ state: 'succeeded', result: ['first', 'second'] });
});

test('a run that ends beside a wait has ended', async () => {
  const job = jobOf(
    async ({ sleep, step }) => await Promise.race([sleep('limit', '1h'), step('quick', () => 'quick')]),
  );
  expect(await harness(job, null)).toMatchObject({ state: 'succeeded', result: 'quick', attempt: 1 });
});

test('what a run leaves behind is told by its signal that the attempt has ended', async () => {
  const reasons: unknown[] = [];
  const job = jobOf(async ({ sleep, signal }) => {
    signal.addEventListener('abort', () => reasons.push(signal.reason));
    await sleep('a while', '1h');
  });
  const run = await harness(job, null);
  expect(reasons).toMatchObject([{ name: 'JobStopped', reason: 'ended' }]);
  await run.cancel();
  expect(run.state).toBe('cancelled');
  await expect(run.signal('x')).rejects.toThrow(/got one that has cancelled/);
  await expect(run.advance()).rejects.toThrow(/expected a job for which something is due/);
});

test.each<[said: string, run: Parameters<typeof defineJob>[0]['run']]>([
  [
    `s: expected a length of time such as 500, '30s', '2m' or '1h', got "soon".`,
    ({ sleep }) => sleep('s', 'soon' as '1s'),
  ],
  ['s: expected a date, got one that is none (Invalid Date).', ({ sleep }) => sleep('s', new Date(Number.NaN))],
  [
    's: expected a length of time that ends before the last date there is, got 10000000000000000.',
    ({ sleep }) => sleep('s', 10_000_000_000_000_000),
  ],
  [
    `the timeout of s: expected a length of time such as 500, '30s', '2m' or '1h', got -1.`,
    ({ waitFor }) => waitFor('s', { timeout: -1 }),
  ],
  [
    `the delay of s: expected a length of time such as 500, '30s', '2m' or '1h', got "x".`,
    ({ submit }) => submit('acme.part', null, { name: 's', delay: 'x' as '1s' }),
  ],
])('error: a time that is none fails the job for good: %s', async (said, run) => {
  const ended = await harness(jobOf(run), null);
  expect(ended).toMatchObject({ state: 'failed', attempt: 1 });
  expect(ended.error).toEqual({ code: 'invalid_time', message: said });
});

import { ProoflineError } from '@proofline/client';
import { expect, test } from 'vitest';
import { type AddressedReport, openLane } from '#packages/worker/src/serve/lane.ts';
import { openReporter } from '#packages/worker/src/serve/reporter.ts';
import type { ReportAnswer } from '#packages/worker/src/story/reports.ts';
import { until } from '#test/helpers/processes.ts';

const accepted: ReportAnswer = { status: 'accepted' };

const step = (name: string, value: unknown = null): AddressedReport => ({
  type: 'step',
  name,
  after: 0,
  value,
  job: 'j',
  attempt: 1,
  token: 't',
});

const quiet = { onLost: () => {}, onRetry: () => {} };

/** A place that takes batches: each waits until the test answers it. */
function posting() {
  const batches: {
    names: string[];
    answer: (answers?: readonly ReportAnswer[]) => void;
    fail: (error: Error) => void;
  }[] = [];
  const post = async (texts: readonly string[]) =>
    await new Promise<readonly ReportAnswer[]>((resolve, reject) => {
      const names = texts.map((text) => (JSON.parse(text) as { name?: string; message?: string }).name ?? text);
      batches.push({ names, answer: (answers = names.map(() => accepted)) => resolve(answers), fail: reject });
    });
  return { batches, post };
}

test('while one request is under way reports gather for the next, in their order', async () => {
  const { batches, post } = posting();
  const lane = openLane({ post, ...quiet });
  const first = ['a', 'b'].map(async (name) => await lane.push(step(name)));
  await until(() => batches.length === 1);
  const later = ['c', 'd', 'e'].map(async (name) => await lane.push(step(name)));
  expect([batches.map(({ names }) => names), lane.waiting()]).toEqual([[['a', 'b']], 3]);
  batches[0]!.answer([accepted, { status: 'stale', message: 'gone' }]);
  expect(await Promise.all(first)).toEqual([accepted, { status: 'stale', message: 'gone' }]);
  await until(() => batches.length === 2);
  expect(batches[1]!.names).toEqual(['c', 'd', 'e']);
  batches[1]!.answer();
  expect(await Promise.all(later)).toEqual([accepted, accepted, accepted]);
});

test('a request carries at most 1,000 reports and about a mebibyte, and one that is larger goes alone', async () => {
  const { batches, post } = posting();
  const lane = openLane({ post, ...quiet });
  const all = [
    ...Array.from({ length: 1_500 }, (_, n) => step(`${n}`)),
    step('large', 'x'.repeat(2 << 20)),
    step('last'),
  ].map(async (report) => await lane.push(report));
  for (let answered = 0; answered < 4; answered += 1) {
    await until(() => batches.length > answered);
    batches[answered]!.answer();
  }
  await Promise.all(all);
  expect(batches.map(({ names }) => names.length)).toEqual([1_000, 500, 1, 1]);
});

test('error: one report that the server always fails on is refused in the end, and holds up no other', async () => {
  const taken: string[] = [];
  let tries = 0;
  const lane = openLane({
    ...quiet,
    post: async (texts) => {
      tries += 1;
      if (texts.some((text) => text.includes('poison')))
        throw new ProoflineError('Something failed on our side', {
          code: 'internal',
          status: 500,
          retryable: true,
          retryAfterMs: 0,
        });
      taken.push(...texts);
      return texts.map(() => accepted);
    },
  });
  const answers = await Promise.all(['a', 'poison', 'c'].map(async (name) => await lane.push(step(name))));
  expect(answers.map(({ status }) => status)).toEqual(['accepted', 'refused', 'accepted']);
  expect(taken).toHaveLength(2);
  expect(tries).toBeGreaterThan(6);
});

test('error: an answer that lacks some of its parts refuses the reports without one', async () => {
  const lane = openLane({ post: async () => [accepted], ...quiet });
  const answers = await Promise.all(['a', 'b'].map(async (name) => await lane.push(step(name))));
  expect(answers).toMatchObject([accepted, { status: 'refused', code: 'unanswered' }]);
});

test('a closed lane rejects what was not answered, and gives the outcomes of effects to whom reports them now', async () => {
  const { batches, post } = posting();
  const orphans: AddressedReport[] = [];
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const reporter = openReporter({ post, ...quiet, log, onOrphan: (outcome) => void orphans.push(outcome) });
  const fence = { job: 'j', attempt: 1, token: 't' };
  const done = (name: string): AddressedReport => ({ type: 'effect_done', name, outcome: 1, ...fence });
  const sent = [reporter.send(step('a')), reporter.send(done('charge'))];
  await until(() => batches.length === 1);
  sent.push(reporter.send(step('b')));
  reporter.close();
  sent.push(reporter.send(done('late')), reporter.send(step('c')));
  const results = await Promise.allSettled(sent);
  expect(results.map((one) => one.status === 'rejected' && (one.reason as { reason: string }).reason)).toEqual(
    Array.from({ length: 5 }, () => 'lost'),
  );
  expect(orphans).toMatchObject([{ name: 'charge' }, { name: 'late' }]);
});

test('lines beyond what can be sent are dropped, and that is said once', async () => {
  const { batches, post } = posting();
  const warnings: string[] = [];
  const log = {
    debug: () => {},
    info: () => {},
    warn: (message: string) => void warnings.push(message),
    error: () => {},
  };
  const reporter = openReporter({ post, ...quiet, log, onOrphan: () => {} });
  const line = (message: string): AddressedReport => ({
    type: 'log',
    level: 'info',
    message,
    job: 'j',
    attempt: 1,
    token: 't',
  });
  const first = reporter.send(line('first'));
  await until(() => batches.length === 1);
  const sent = Array.from({ length: 10_002 }, async (_, n) => await reporter.send(line(`${n}`)).catch(() => null));
  // what stories wait for goes beside it
  const kept = reporter.send(step('a'));
  await until(() => batches.length === 2);
  batches[1]!.answer();
  expect(await kept).toEqual(accepted);
  batches[0]!.answer();
  await first;
  reporter.close();
  const answers = await Promise.all(sent);
  expect(answers.filter((answer) => answer?.status === 'refused')).toHaveLength(2);
  expect(warnings).toEqual(['jobs say more than can be sent: lines are dropped']);
});

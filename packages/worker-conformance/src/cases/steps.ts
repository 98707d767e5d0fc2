import { holds, same } from '../program/mismatch.ts';
import type { Subject } from '../program/subject.ts';
import type { Report, Step } from '../protocol/messages.ts';
import type { JobOptions } from '../server/job.ts';
import type { Case } from './case.ts';

const step = (name: string, after: number, value: unknown): Omit<Step, 'n'> => ({ name, kind: 'step', after, value });

/** Steps as they were reported, each as name, place and value. */
const said = (reports: readonly Report[]) =>
  reports.filter(({ type }) => type === 'step').map(({ name, after, value }) => [name, after, value]);

/** Holds that a job of steps fails for good with a code, and gives the sentence. */
async function failsWith({ world, end }: Subject, code: string, names: readonly string[], options: JobOptions) {
  const job = world.submit({ do: 'step', names }, options);
  const report = await end(job);
  const error = (report['error'] ?? {}) as { code?: string; message?: string };
  same([report.type, error.code, report['retryable'] ?? true], ['failed', code, false], 'end, code, retryable');
  return { message: error.message ?? '', job };
}

export const steps: readonly Case[] = [
  {
    name: 'keeps each step with its place before it goes on',
    run: async ({ world, end }) => {
      const job = world.submit({ do: 'step', names: ['one', 'two', 'three'] });
      same((await end(job))['result'], { value: ['one of 1', 'two of 1', 'three of 1'] }, 'result');
      same(
        said(job.reports),
        [
          ['one', 0, 'one of 1'],
          ['two', 1, 'two of 1'],
          ['three', 2, 'three of 1'],
        ],
        'steps',
      );
    },
  },
  {
    name: 'steps that an earlier attempt has done are not run again',
    run: async ({ world, end }) => {
      const done = [step('one', 0, 'kept'), step('two', 1, null)];
      const job = world.submit({ do: 'step', names: ['one', 'two', 'three'] }, { steps: done });
      same((await end(job))['result'], { value: ['kept', null, 'three of 2'] }, 'result');
      same(said(job.reports), [['three', 2, 'three of 2']], 'steps');
    },
  },
  {
    name: 'goes on with the value that the server has kept, which may be another',
    run: async ({ world, end }) => {
      const job = world.submit(
        { do: 'step', names: ['one'] },
        { answer: ({ type }) => (type === 'step' ? { status: 'accepted', value: { kept: 'first' } } : undefined) },
      );
      same((await end(job))['result'], { value: [{ kept: 'first' }] }, 'result');
    },
  },
  {
    name: 'a step of an earlier release that is not asked for fails the job, and is named',
    run: async (subject) => {
      const options = { steps: [step('measure', 0, 1)] };
      const { message, job } = await failsWith(subject, 'steps_diverged', ['one'], options);
      holds(message.includes('measure'), `expected a message that names the step measure, got: ${message}`);
      same(said(job.reports), [], 'steps');
    },
  },
  {
    name: 'a run that ends without a step of an earlier release fails, and names it',
    run: async (subject) => {
      const options = { steps: [step('one', 0, 1), step('gone', 1, 2)] };
      const { message } = await failsWith(subject, 'steps_diverged', ['one'], options);
      holds(message.includes('gone'), `expected a message that names the step gone, got: ${message}`);
    },
  },
  {
    name: 'a later step that a release has added is done, and the job goes on',
    run: async ({ world, end }) => {
      const job = world.submit({ do: 'step', names: ['one', 'added'] }, { steps: [step('one', 0, 1)] });
      same((await end(job))['result'], { value: [1, 'added of 2'] }, 'result');
    },
  },
  {
    name: 'a name that is asked for twice fails the job',
    run: async (subject) => void (await failsWith(subject, 'step_repeated', ['one', 'one'], {})),
  },
  {
    name: 'a step that the server refuses fails the job with its reason',
    run: async (subject) => {
      const refused = { status: 'refused', code: 'step_too_large', message: 'The step is too large.' } as const;
      const answer = ({ type }: Report) => (type === 'step' ? refused : undefined);
      await failsWith(subject, 'step_too_large', ['one'], { answer });
    },
  },
];

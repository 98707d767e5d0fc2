import { same } from '../program/mismatch.ts';
import type { Subject } from '../program/subject.ts';
import type { Job, JobOptions } from '../server/job.ts';
import type { Case } from './case.ts';

/** Runs a job that makes one effect; gives its end and the reports about the effect. */
async function make({ world, end }: Subject, payload: object, options?: JobOptions) {
  const job = world.submit({ do: 'effect', value: 5, ...payload }, options);
  const report = await end(job);
  const { code } = (report['error'] ?? {}) as { code?: string };
  return { job, report, code, said: saidOf(job) };
}

const saidOf = ({ reports }: Job) => reports.map(({ type }) => type).filter((type) => type.startsWith('effect_'));

/** Result of a job whose effect was made under its key. */
const made = ({ id }: Job) => ({ value: { sent: 5, key: `${id}.send` } });
const intended = { effects: { send: { by: 1, state: 'intended' } } } as const;

export const effects: readonly Case[] = [
  {
    name: 'an effect is meant before it is made, under the key of the server, and told after',
    run: async (subject) => {
      const { job, report, said } = await make(subject, {});
      same(report['result'], made(job), 'result');
      same(said, ['effect_intended', 'effect_done'], 'reports');
      same(
        job.reports.slice(0, 2).map(({ request, outcome }) => request ?? outcome),
        [{ value: 5 }, made(job).value],
        'request, outcome',
      );
    },
  },
  {
    name: 'an effect whose outcome is known is not made again',
    run: async (subject) => {
      const done = { by: 1, state: 'done', outcome: { sent: 5, key: 'earlier' } } as const;
      const { report, said } = await make(subject, {}, { effects: { send: done } });
      same(report['result'], { value: { sent: 5, key: 'earlier' } }, 'result');
      same(said, ['effect_intended'], 'reports');
    },
  },
  {
    name: 'an effect that may have happened, and cannot be repeated, is not made again: the outcome is unknown',
    run: async (subject) => {
      const { report, code, said } = await make(subject, { kind: 'neither' }, intended);
      same([report.type, code, report['retryable'] ?? true], ['failed', 'outcome_unknown', false], 'end');
      same(said, ['effect_intended', 'effect_unknown'], 'reports');
    },
  },
  {
    name: 'an effect that may have happened, and is idempotent, is made again under the same key',
    run: async (subject) => {
      const { job, report, said } = await make(subject, { kind: 'idempotent' }, intended);
      same(report['result'], made(job), 'result');
      same(said, ['effect_intended', 'effect_done'], 'reports');
    },
  },
  {
    name: 'an effect whose outcome another attempt has told first goes on with that one',
    run: async (subject) => {
      const outcome = { sent: 5, key: 'first' };
      const { report, said } = await make(
        subject,
        { kind: 'idempotent' },
        {
          ...intended,
          answer: ({ type }) =>
            type === 'effect_done'
              ? { status: 'accepted', effect: { state: 'done', key: 'send', outcome } }
              : undefined,
        },
      );
      same(report['result'], { value: outcome }, 'result');
      same(said, ['effect_intended', 'effect_done'], 'reports');
    },
  },
  {
    name: 'an effect that was given up as unknown fails the job, also an idempotent one',
    run: async (subject) => {
      const given = { effects: { send: { by: 1, state: 'unknown' } } } as const;
      const { report, code, said } = await make(subject, { kind: 'idempotent' }, given);
      same([report.type, code, report['retryable'] ?? true], ['failed', 'outcome_unknown', false], 'end');
      same(said, ['effect_intended'], 'reports');
    },
  },
  {
    name: 'an effect that was certainly not made is told as such, and fails the attempt',
    run: async (subject) => {
      const { report, said } = await make(subject, { refuse: true });
      same([report.type, report['retryable'] ?? true], ['failed', true], 'end');
      same(said, ['effect_intended', 'effect_failed'], 'reports');
    },
  },
];

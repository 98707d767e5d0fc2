import { holds, same } from '../program/mismatch.ts';
import type { Subject } from '../program/subject.ts';
import { agreed, type Report, type Step } from '../protocol/messages.ts';
import type { Job } from '../server/job.ts';
import type { Case } from './case.ts';

interface Suspension {
  readonly job: Job;
  readonly on: Readonly<Record<string, unknown>>;
  readonly after: number;
}

/** Runs a job until it waits; nothing behind the wait may run. */
async function suspended({ world, end, idle }: Subject, payload: object): Promise<Suspension> {
  const job = world.submit(payload);
  const report = await end(job);
  same(report.type, 'suspended', 'end');
  await idle();
  same(job.reports.at(-1)?.type, 'suspended', 'last report of the attempt');
  return { job, on: report['on'] as Suspension['on'], after: Number(report['after']) };
}

/** Ends the wait of a job with a value; gives the end of the attempt that follows. */
async function goOn({ world, end }: Subject, { job, on, after }: Suspension, value: unknown): Promise<Report> {
  world.requeue(job, { kind: on['kind'] as Step['kind'], name: String(on['name']), after, value });
  return await end(job);
}

const codeOf = ({ error }: Report) => (error as { code?: string } | undefined)?.code;
const isLater = (until: unknown) => Date.parse(String(until)) > Date.now() + 3_000_000;

export const waits: readonly Case[] = [
  {
    name: 'a sleep suspends the job until its time, and the next attempt goes on behind it',
    run: async (subject) => {
      const wait = await suspended(subject, { do: 'sleep', ms: 3_600_000 });
      same([wait.on['kind'], wait.on['name'], wait.after], ['sleep', 'nap', 1], 'kind, name, place');
      holds(isLater(wait.on['until']), `expected an hour from now, got until ${String(wait.on['until'])}.`);
      const report = await goOn(subject, wait, null);
      same(report['result'], { value: 'slept' }, 'result');
      same(
        wait.job.reports.filter(({ type }) => type === 'step').map(({ name }) => name),
        ['before', 'behind'],
        'steps',
      );
    },
  },
  {
    name: 'a wait for a signal suspends the job, and gives its payload to the next attempt',
    run: async (subject) => {
      const wait = await suspended(subject, { do: 'signal', timeout_ms: 5_000 });
      // what is left of the timeout when the worker reports: its own work before the report has cost some of it
      const { timeout_ms: left, ...on } = wait.on as { readonly timeout_ms?: number };
      same(on, { kind: 'signal', name: 'go' }, 'wait');
      holds(left !== undefined && left > 0 && left <= 5_000, `expected a timeout_ms of at most 5000, got ${left}.`);
      same((await goOn(subject, wait, { payload: { by: 'Ada' } }))['result'], { value: { by: 'Ada' } }, 'result');
    },
  },
  {
    name: 'a signal that did not come in time fails a job that does not expect that',
    run: async (subject) => {
      const wait = await suspended(subject, { do: 'signal', timeout_ms: 1 });
      const report = await goOn(subject, wait, { timed_out: true });
      same([report.type, codeOf(report)], ['failed', 'wait_timed_out'], 'end');
    },
  },
  {
    name: 'a child is submitted once and waited for, and its result goes to the parent',
    run: async (subject) => {
      const wait = await suspended(subject, { do: 'child', value: 8 });
      const [submit] = wait.job.reports;
      same(
        [submit?.type, submit?.['name'], submit?.['after'], submit?.['queue'], submit?.['payload']],
        ['submit', 'child', 0, agreed.queue, { do: 'echo', value: 8 }],
        'submission',
      );
      same([wait.on['kind'], wait.on['child'], wait.after], ['result', wait.job.children.get('child'), 1], 'wait');
      const report = await goOn(subject, wait, { state: 'succeeded', result: { value: 8 }, error: null });
      same(report['result'], { value: { value: 8 } }, 'result');
      same(wait.job.reports.filter(({ type }) => type === 'submit').length, 1, 'submissions');
    },
  },
  ...(['failed', 'cancelled'] as const).map(
    (state): Case => ({
      name: `a child that ended ${state} fails a parent that does not expect that`,
      run: async (subject) => {
        const wait = await suspended(subject, { do: 'child', value: 8 });
        const error = state === 'failed' ? { code: 'no_image', message: 'There is no image.' } : null;
        const report = await goOn(subject, wait, { state, result: null, error });
        same([report.type, codeOf(report)], ['failed', 'child_failed'], 'end');
      },
    }),
  ),
];

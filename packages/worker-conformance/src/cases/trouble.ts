import { setTimeout as sleep } from 'node:timers/promises';
import { holds, same } from '../program/mismatch.ts';
import type { Subject } from '../program/subject.ts';
import { type Answer, problem } from '../protocol/messages.ts';
import type { Call } from '../server/call.ts';
import type { Fault } from '../server/http.ts';
import { type Job, stale } from '../server/job.ts';
import type { Case } from './case.ts';

/** Fails the first requests of a kind, one by one, from now on. */
function failNext(
  { server }: Subject,
  kind: Call['kind'],
  ...faults: readonly Fault[]
): { readonly left: () => number } {
  const left = [...faults];
  server.fault = (call) => (call.kind === kind ? left.shift() : undefined);
  return { left: () => left.length };
}

const busy: Fault = problem(503, 'unavailable', 'try again', { 'retry-after': '0' });
const limited: Fault = problem(429, 'rate_limited', 'too much', { 'retry-after': '0' });

/** A job whose steps were reported and answered as usual, each once. */
async function isDoneOnce({ world, end }: Subject, names: readonly string[] = ['one', 'two', 'three']): Promise<void> {
  const job = world.submit({ do: 'step', names });
  const { result } = await end(job);
  same(result, { value: names.map((name) => `${name} of 1`) }, 'result');
  same(
    job.reports.filter(({ type }) => type === 'step').map(({ name }) => name),
    names,
    'steps',
  );
}

/** A worker whose lease is lost while it has a job in hand. */
function lostLease(name: string, lose: (subject: Subject) => void): Case {
  return {
    name,
    run: async (subject) => {
      const { world, server, inHand, called, end, works } = subject;
      const job = world.submit({ do: 'slow-once', value: 7 });
      await inHand(job);
      const { token } = job;
      lose(subject);
      await called('register', 2);
      server.fault = () => undefined;
      same((await end(job))['result'], { value: 7 }, 'result of the second attempt');
      holds(job.attempt >= 2, 'expected another attempt of the job, got the first.');
      holds(
        !job.reports.some((report) => report.token === token && report.type !== 'progress'),
        'expected nothing of the attempt that was lost, got a report of it.',
      );
      await works();
    },
  };
}

export const trouble: readonly Case[] = [
  {
    name: 'a stale answer stops the attempt, and nothing else is said of it',
    run: async ({ world, server, until, idle, works }) => {
      const job = world.submit(
        { do: 'step', names: ['one', 'two'] },
        { answer: ({ type }) => (type === 'step' ? stale : undefined) },
      );
      await until(() => job.answered.size > 0, 'the report of a step');
      // its lease is with another worker by now
      Object.assign(job, { worker: null });
      await idle();
      const said = server.calls.flatMap(
        ({ body }) => (body['reports'] as { job: string; type: string }[] | undefined) ?? [],
      );
      same(
        said.filter((report) => report.job === job.id).map(({ type }) => type),
        ['step'],
        'reports',
      );
      await works();
    },
  },
  {
    name: 'a refused line fails neither its job nor the reports beside it',
    run: async ({ world, end, works }) => {
      const refused: Answer = { status: 'refused', code: 'invalid_request', message: 'report: expected another line.' };
      const answer: Job['answer'] = ({ type }) => (type === 'log' ? refused : undefined);
      const jobs = [world.submit({ do: 'talk' }, { answer }), world.submit({ do: 'step', names: ['one', 'two'] })];
      for (const job of jobs) same((await end(job)).type, 'succeeded', 'end');
      same(
        jobs.map(({ attempt }) => attempt),
        [1, 1],
        'attempts',
      );
      await works();
    },
  },
  {
    name: 'a report whose answer was lost with the connection is repeated as it was, and counts once',
    run: async (subject) => {
      const fault = failNext(subject, 'report', 'lose', 'cut', 'lose');
      await isDoneOnce(subject);
      same(fault.left(), 0, 'requests that were still to be cut');
    },
  },
  {
    name: 'reports and polls that a busy server does not take are sent again',
    run: async (subject) => {
      const polls = failNext(subject, 'poll', busy, limited, 'cut');
      await subject.until(() => polls.left() === 0, 'polls after answers of a busy server');
      const reports = failNext(subject, 'report', busy, limited, busy);
      await isDoneOnce(subject);
      same(reports.left(), 0, 'requests that were still to be refused');
    },
  },
  {
    name: 'a server that is gone for two seconds finds the worker and its job again',
    settings: { leaseMs: 30_000 },
    run: async ({ world, server, inHand, end, works }) => {
      const job = world.submit({ do: 'hold', ms: 800, value: 5 });
      await inHand(job);
      world.holdLeases(true);
      await server.down();
      await sleep(2_000);
      await server.up();
      world.holdLeases(false);
      same((await end(job))['result'], { value: 5 }, 'result of the job that ended meanwhile');
      same(
        [job.attempt, server.calls.filter(({ kind }) => kind === 'register').length],
        [1, 1],
        'attempts, registrations',
      );
      await works();
    },
  },
  lostLease('a lost lease, told by a poll: what runs is stopped, and the worker registers again', ({ world }) =>
    world.forget(),
  ),
  lostLease('a lease that is gone (410) is a lost one', ({ world, server }) => {
    server.fault = ({ kind }) => {
      if (kind === 'register') world.forget();
      return kind === 'poll' || kind === 'report' ? problem(410, 'gone', 'no lease') : undefined;
    };
  }),
  {
    name: 'a lost lease, told by a report: the job is done by its next attempt',
    run: async ({ world, server, inHand, end, called }) => {
      const job = world.submit({ do: 'hold', ms: 300, value: 3 });
      await inHand(job);
      server.fault = ({ kind }) => {
        if (kind !== 'report') return undefined;
        server.fault = () => undefined;
        world.forget();
        return problem(404, 'not_found', 'no lease');
      };
      await called('register', 2);
      same((await end(job))['result'], { value: 3 }, 'result');
      same([job.attempt, job.reports.length], [2, 1], 'attempt, reports that were taken');
    },
  },
  {
    name: 'an attempt that is handed out twice is run once',
    run: async ({ world, inHand, end, until }) => {
      const job = world.submit({ do: 'hold-step', ms: 600 });
      await inHand(job);
      world.handAgain(job);
      await until(() => job.reports.some(({ type }) => type === 'step'), 'the step of the job');
      await end(job);
      same(
        job.reports.map(({ type }) => type),
        ['step', 'succeeded'],
        'reports',
      );
    },
  },
  {
    name: 'a job whose hand-out was lost with the connection is done when it is handed out again',
    run: async (subject) => {
      const { world, server, until, called, end } = subject;
      server.fault = ({ kind }) => (kind === 'poll' ? 'lose' : undefined);
      const polls = server.calls.filter(({ kind }) => kind === 'poll').length;
      await called('poll', polls + 2);
      const job = world.submit({ do: 'echo', value: 4 });
      await until(() => job.attempt === 1, 'a poll');
      server.fault = () => undefined;
      world.requeue(job);
      same((await end(job))['result'], { value: 4 }, 'result');
    },
  },
  {
    name: 'a cancelled job is stopped by the answer to the next poll, and nothing else is said of it',
    run: async ({ world, inHand, idle, works }) => {
      const job = world.submit({ do: 'slow' });
      await inHand(job);
      const before = job.reports.length;
      world.cancel(job);
      await idle();
      same(job.reports.length, before, 'number of reports');
      same(job.end, null, 'end');
      await works();
    },
  },
  ...[1, -1].map(
    (hours): Case => ({
      name: `a server whose clock is one hour ${hours > 0 ? 'ahead' : 'behind'} changes nothing`,
      settings: { clockMs: hours * 3_600_000 },
      run: async (subject) => {
        await isDoneOnce(subject);
        await subject.works();
      },
    }),
  ),
];

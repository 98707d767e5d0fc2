import { holds, same } from '../program/mismatch.ts';
import { agreed } from '../protocol/messages.ts';
import type { Case } from './case.ts';

const texts = [
  'grün',
  '日本語 ok',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  'e\u0301 \u202eabc\u202c',
  'a\u2028b\u2029c',
  '"\\/\b\f\n\r\t\u0001\u007f',
  '',
];
const values = { texts, 'a.b c ü': [0.1, -1.5, 9_007_199_254_740_991, true, false, null, [], {}], '': { '': [[]] } };

export const basics: readonly Case[] = [
  {
    name: 'registers its contract, then itself with its versions and its capacity',
    run: async ({ server }) => {
      const kinds = server.calls.map(({ kind }) => kind);
      same(kinds.slice(0, 2), ['contract', 'register'], 'first requests');
      const [contract, registration] = server.calls;
      same(contract?.of, agreed.queue, 'queue of the contract');
      const { version = 1, contract: said } = (contract?.body ?? {}) as {
        version?: number;
        contract?: { payload?: unknown };
      };
      same(version, agreed.version, 'version of the contract');
      holds(typeof said?.payload === 'object', 'expected a contract with the schema of its payload, got none.');
      const { queues, capacity } = registration?.body ?? {};
      same(queues, [{ name: agreed.queue, versions: [agreed.version] }], 'queues of the worker');
      same(capacity, agreed.capacity, 'capacity of the worker');
    },
  },
  {
    name: 'answers a payload with a result, in Unicode and in every type of JSON',
    run: async ({ world, end }) => {
      for (const value of [values, null, 'x']) {
        const report = await end(world.submit({ do: 'echo', value }));
        same(report['result'], { value }, 'result');
      }
    },
  },
  {
    name: 'takes a payload of 3 MB, and reports a result of 3 MB',
    run: async ({ world, end }) => {
      const value = 'größer '.repeat(430_000);
      const { type, result } = await end(world.submit({ do: 'echo', value }));
      same(type, 'succeeded', 'end');
      holds(
        (result as { value?: unknown }).value === value,
        'expected the large payload back as the result, got another.',
      );
    },
  },
  {
    name: 'fails with code, message, details, and whether another attempt may help',
    run: async ({ world, end }) => {
      for (const retryable of [true, false]) {
        const report = await end(world.submit({ do: 'fail', retryable }));
        const {
          type,
          error,
          retryable: said = true,
        } = report as { type: string; error?: unknown; retryable?: boolean };
        same(type, 'failed', 'end');
        same(error, { code: 'told_to_fail', message: 'It was told to fail.', details: { n: 1 } }, 'error');
        same(said, retryable, 'retryable');
      }
    },
  },
  {
    name: 'an unexpected exception is a failure that may be retried',
    run: async ({ world, end, works }) => {
      const report = await end(world.submit({ do: 'throw' }));
      same([report.type, report['retryable'] ?? true], ['failed', true], 'end');
      await works();
    },
  },
  {
    name: 'a result that is refused ends the attempt, and the worker goes on',
    run: async ({ world, until, idle, works }) => {
      const refused = {
        status: 'refused',
        code: 'invalid_result',
        message: 'It does not fit.',
        path: '/value',
      } as const;
      const job = world.submit(
        { do: 'echo', value: 1 },
        { answer: ({ type }) => (type === 'succeeded' ? refused : undefined) },
      );
      await until(() => job.reports.some(({ type }) => type === 'succeeded'), 'a result');
      await idle();
      const ends = job.reports.map(({ type }) => type).filter((type) => type === 'succeeded');
      same(ends, ['succeeded'], 'results');
      await works();
    },
  },
  {
    name: 'shows progress and writes lines, in their order, and the end behind them',
    run: async ({ world, end }) => {
      const job = world.submit({ do: 'talk' });
      await end(job);
      const lines = job.reports.filter(({ type }) => type === 'log');
      same(
        lines.map(({ level, message, data }) => [level, message, data]),
        [1, 2, 3].map((n) => ['info', `line ${n}`, { n }]),
        'lines',
      );
      const progress = job.reports.filter(({ type }) => type === 'progress');
      // the newest wins: an older one may be left out
      same(progress.at(-1)?.['data'], { percent: 100 }, 'last progress');
      same(job.reports.at(-1)?.type, 'succeeded', 'last report');
    },
  },
  {
    name: 'a report that is refused alone stops nothing else of its job',
    run: async ({ world, end }) => {
      const refused = {
        status: 'refused',
        code: 'invalid_request',
        message: 'report.data: expected an object, got 7.',
        path: '/data',
      } as const;
      const job = world.submit({ do: 'talk' }, { answer: ({ type }) => (type === 'progress' ? refused : undefined) });
      same((await end(job)).type, 'succeeded', 'end');
      same(job.reports.filter(({ type }) => type === 'log').length, 3, 'lines');
      same(job.attempt, 1, 'attempts');
    },
  },
  {
    name: 'runs two jobs at once, and takes no more than it has hands for',
    run: async ({ world, inHand, idle, end }) => {
      const [one, two, three] = [1, 2, 3].map(() => world.submit({ do: 'slow' }));
      await inHand(one!);
      await inHand(two!);
      same(three!.state, 'queued', 'state of the third job');
      world.cancel(one!);
      await inHand(three!);
      for (const job of [two!, three!]) world.cancel(job);
      await idle();
      same((await end(world.submit({ do: 'echo', value: 1 })))['result'], { value: 1 }, 'result of a later job');
    },
  },
  {
    name: 'beats with its hands full as with them free',
    settings: { leaseMs: 4_000 },
    run: async ({ world, inHand, server, called, idle }) => {
      const jobs = [1, 2].map(() => world.submit({ do: 'slow' }));
      for (const job of jobs) await inHand(job);
      const polls = server.calls.filter(({ kind }) => kind === 'poll').length;
      // the server ends the lease of a worker that is silent for long, and the case with it
      await called('poll', polls + 8);
      for (const job of jobs) world.cancel(job);
      await idle();
    },
  },
  {
    name: 'a job of a version that it does not take goes back without being run',
    run: async ({ world, end, works }) => {
      const job = world.submit({ do: 'echo', value: 1 }, { version: 9 });
      await works();
      same(job.state, 'queued', 'state of a job that it should not ask for');
      // a server that hands it out all the same
      const forced = world.submit({ do: 'echo', value: 1 }, { version: 9, isForced: true });
      same((await end(forced)).type, 'released', 'end');
    },
  },
];

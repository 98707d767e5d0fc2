import { type Helper, startHelper } from '#bench/lib/calls.ts';
import { type Claim, interleaved } from '#bench/lib/claim.ts';
import { atMost, figure, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import { percentile } from '#bench/lib/statistics.ts';
import type { Times } from '#bench/load/open-jobs.ts';
import { startOpenApi, startRemote } from './open-api.ts';

interface Case {
  readonly name: string;
  readonly peer: 'proofline' | 'bullmq';
  /** Way of our worker to the API. */
  readonly by?: 'sdk' | 'socket';
  /** Stories that run beside each other. */
  readonly stories: number;
}

const oneStory = { name: 'proofline step over HTTP, one story', peer: 'proofline', stories: 1 } as const;
const bySocket = {
  name: 'proofline step over WebSocket, one story',
  peer: 'proofline',
  by: 'socket',
  stories: 1,
} as const;
const ofBullmq = { name: 'bullmq updateData, one job', peer: 'bullmq', stories: 1 } as const;
const cases: readonly Case[] = [
  oneStory,
  bySocket,
  { name: 'proofline step over HTTP, 20 stories', peer: 'proofline', stories: 20 },
  ofBullmq,
];

const STEPS = 20;
const MOST_MS = 1.5;

/** Time that a story rests while one of its steps is kept, in a worker elsewhere. */
export const stepCost: Claim = async (servers, { quick, say }) => {
  const results = await interleaved(cases, quick ? 1 : 3, say, (one) => measure(servers, one, quick ? 10 : 100));
  const rowsOf = (one: Case) => {
    const all = (results.get(one) ?? []).flat();
    const rows: [string, number[]][] = [[one.name, all.map(({ step }) => step)]];
    if (one !== oneStory) return rows;
    rows.push(['of these, a bare commit right after each', all.map(({ commit }) => commit)]);
    rows.push(['of these, a bare request right after each', all.map(({ request }) => request)]);
    return rows;
  };
  const [steps, commits, requests] = rowsOf(oneStory).map(([, times]) => percentile(times, 0.5));
  const [p50, floor] = [steps ?? Number.NaN, (commits ?? Number.NaN) + (requests ?? Number.NaN)];
  return {
    title: 'A step',
    body: [
      `Each story keeps ${STEPS} steps that do nothing, one after the other; the time of each is from its call until the story goes on. A step is a request over HTTP, or a message over a WebSocket, and a commit on disk; the nearest thing of BullMQ, \`job.updateData\`, is a write to the memory of Redis from the worker's own process.`,
      table(
        ['case', 'steps', 'p50 ms', 'p95 ms', 'p99 ms'],
        cases
          .flatMap(rowsOf)
          .map(([name, times]) => [
            name,
            figure(times.length),
            ...[0.5, 0.95, 0.99].map((share) => figure(percentile(times, share))),
          ]),
      ),
      `The bare commit is one row into a table without an index, by a prepared statement; the bare request is \`GET /livez\` by the worker's own \`fetch\`. The worker makes both after each step, so whatever else the machine does meets all three alike. A step takes **${figure(p50 / floor)} times** the two together.`,
    ].join('\n\n'),
    compared: [
      {
        what: 'a step, p50 (theirs: in the memory of Redis)',
        unit: 'ms',
        ours: p50,
        peers: { bullmq: percentile(rowsOf(ofBullmq)[0]?.[1] ?? [], 0.5) },
      },
    ],
    verdicts: [
      {
        promise: `a step over HTTP at most ${MOST_MS} ms at p50`,
        measured: `${figure(p50)} ms; a bare commit and a bare request ${figure(floor)} ms`,
        held: p50 <= MOST_MS,
      },
      atMost('a step over WebSocket, at p50,', MOST_MS, percentile(rowsOf(bySocket)[0]?.[1] ?? [], 0.5), 'ms'),
    ],
  };
};

async function measure(servers: Servers, { peer, by = 'sdk', stories }: Case, jobs: number): Promise<readonly Times[]> {
  await using stack = new AsyncDisposableStack();
  if (peer === 'bullmq') {
    const env = await servers.fresh('empty');
    const program = new URL('../../children/bullmq-steps.ts', import.meta.url);
    const helper = stack.use(await startHelper(program, env));
    await helper.call('run', { jobs: jobs / 5, steps: STEPS });
    const times = await helper.call<number[]>('run', { jobs, steps: STEPS });
    return times.map((step) => ({ step, commit: 0, request: 0 }));
  }
  const { api, address, env } = await startOpenApi(servers);
  stack.use(api);
  const worker = stack.use(await startRemote(by, stories, address));
  const caller = stack.use(await startHelper(new URL('../../children/http-load.ts', import.meta.url), {}));
  const floors = stories === 1 && { floors: { database: env['DATABASE_URL'], api: address.url } };
  const run = async (count: number): Promise<Times[]> => {
    const times = collect(worker, count);
    const path = '/v1/queues/bench.keep-steps/jobs';
    const body = { payload: { steps: STEPS, ...floors } };
    await caller.call('post', { ...address, count, connections: 1, path, body });
    return await times;
  };
  await run(jobs / 5);
  return await run(jobs);
}

/** The times of all steps of the next `jobs` stories. */
async function collect(worker: Helper, jobs: number): Promise<Times[]> {
  const { promise, resolve } = Promise.withResolvers<Times[]>();
  const all: Times[] = [];
  let left = jobs;
  worker.onEvent((message) => {
    all.push(...(message as { readonly times: readonly Times[] }).times);
    if (--left === 0) resolve(all);
  });
  return await promise;
}

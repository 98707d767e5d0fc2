import { type Helper, startHelper } from '#bench/lib/calls.ts';
import { type Claim, interleaved } from '#bench/lib/claim.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import { percentile } from '#bench/lib/statistics.ts';
import { startOpenApi, startRemote } from './open-api.ts';

interface Case {
  readonly name: string;
  readonly peer: 'proofline' | 'bullmq';
  /** Stories that run beside each other. */
  readonly stories: number;
}

const cases: readonly Case[] = [
  { name: 'proofline step, one story', peer: 'proofline', stories: 1 },
  { name: 'proofline step, 20 stories', peer: 'proofline', stories: 20 },
  { name: 'bullmq updateData, one job', peer: 'bullmq', stories: 1 },
];

const STEPS = 20;
const MOST_MS = 1.5;

/** Time that a story rests while one of its steps is kept, in a worker elsewhere. */
export const stepCost: Claim = async (servers, { quick, say }) => {
  const results = await interleaved(cases, quick ? 1 : 3, say, (one) => measure(servers, one, quick ? 10 : 100));
  const of = (name: string) => [...results].filter(([one]) => one.name === name).flatMap(([, list]) => list.flat());
  const p50 = percentile(of('proofline step, one story'), 0.5);
  return {
    title: 'A step',
    body: [
      `Each story keeps ${STEPS} steps that do nothing, one after the other; the time of each is from its call until the story goes on. A step is a request over HTTP and a commit on disk; the nearest thing of BullMQ, \`job.updateData\`, is a write to the memory of Redis from the worker's own process.`,
      table(
        ['case', 'steps', 'p50 ms', 'p95 ms', 'p99 ms'],
        [...results].map(([{ name }]) => {
          const times = of(name);
          return [name, figure(times.length), ...[0.5, 0.95, 0.99].map((share) => figure(percentile(times, share)))];
        }),
      ),
    ].join('\n\n'),
    verdicts: [{ promise: `a step at most ${MOST_MS} ms at p50`, measured: `${figure(p50)} ms`, held: p50 <= MOST_MS }],
  };
};

async function measure(servers: Servers, { peer, stories }: Case, jobs: number): Promise<readonly number[]> {
  await using stack = new AsyncDisposableStack();
  if (peer === 'bullmq') {
    const env = await servers.fresh('empty');
    const program = new URL('../../children/bullmq-steps.ts', import.meta.url);
    const helper = stack.use(await startHelper(program, env));
    await helper.call('run', { jobs: jobs / 5, steps: STEPS });
    return await helper.call<number[]>('run', { jobs, steps: STEPS });
  }
  const { api, address } = await startOpenApi(servers);
  stack.use(api);
  const worker = stack.use(await startRemote('sdk', stories, address));
  const caller = stack.use(await startHelper(new URL('../../children/http-load.ts', import.meta.url), {}));
  const run = async (count: number): Promise<number[]> => {
    const times = collect(worker, count);
    const path = '/v1/queues/bench.keep-steps/jobs';
    await caller.call('post', { ...address, count, connections: 1, path, body: { payload: { steps: STEPS } } });
    return await times;
  };
  await run(jobs / 5);
  return await run(jobs);
}

/** The times of all steps of the next `jobs` stories. */
async function collect(worker: Helper, jobs: number): Promise<number[]> {
  const { promise, resolve } = Promise.withResolvers<number[]>();
  const all: number[] = [];
  let left = jobs;
  worker.onEvent((message) => {
    all.push(...(message as { readonly times: readonly number[] }).times);
    if (--left === 0) resolve(all);
  });
  return await promise;
}

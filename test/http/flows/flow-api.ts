import { expect } from 'vitest';
import { startFlows } from '#src/jobs/flows/start-flows.ts';
import { fence, type Handed, type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';

/** Does the work of a queue; throws what the job is to fail with. */
export type Work = (payload: any) => unknown;

export interface FlowApi extends RemoteApi {
  /** Submits a flow that is to be taken; answers its id. */
  readonly flow: (nodes: readonly object[], more?: object) => Promise<string>;
  readonly read: (id: string) => Promise<any>;
  /** The flow once it has ended. */
  readonly over: (id: string) => Promise<any>;
  readonly states: (id: string) => Promise<Readonly<Record<string, string>>>;
  /** Takes jobs of these queues until it is disposed. */
  readonly work: (works: Readonly<Record<string, Work>>) => Promise<AsyncDisposable>;
}

const integer = { type: 'integer' };
const object = (properties: object) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** Contracts of the queues that tests of flows use. */
export const contracts = {
  'acme.count-up': { payload: object({ to: integer }), result: object({ list: { type: 'array', items: integer } }) },
  'acme.double-number': { payload: object({ n: integer }), result: object({ n: integer }) },
  'acme.sum-up': { payload: object({ all: { type: 'array' } }), result: object({ sum: integer }) },
  'acme.take-any': { payload: true, result: true },
};

/** What the queues do where a test says nothing else. */
export const usual: Readonly<Record<string, Work>> = {
  'acme.count-up': ({ to }) => ({ list: Array.from({ length: to }, (_, n) => n) }),
  'acme.double-number': ({ n }) => ({ n: 2 * n }),
  'acme.sum-up': ({ all }) => ({ sum: all.reduce((sum: number, one: { n: number } | null) => sum + (one?.n ?? 0), 0) }),
  'acme.take-any': (payload) => payload,
};

/** Nodes of a flow that counts up, doubles each number, and sums them up. */
export const count = { name: 'count', queue: 'acme.count-up', payload: { to: 5 } };
export const double = {
  name: 'double',
  queue: 'acme.double-number',
  for_each: { $from: 'count', path: '/list' },
  payload: { n: { $item: '' } },
};
export const sum = { name: 'sum', queue: 'acme.sum-up', payload: { all: { $from: 'double' } } };

/** An API whose flows move, with the queues of {@link contracts}. */
export async function flowApi(moving = true): Promise<FlowApi> {
  const api = await remoteApi();
  for (const [name, contract] of Object.entries(contracts)) {
    const put = await api.call('PUT', `/v1/queues/${name}`, { contract: { title: name, attempts: 1, ...contract } });
    expect([put.statusCode, put.body]).toEqual([201, put.body]);
  }
  if (moving) startFlows(api.context);
  const read = async (id: string) => (await api.call('GET', `/v1/flows/${id}`)).json();
  return {
    ...api,
    read,
    flow: async (nodes, more = {}) => {
      const answer = await api.call('POST', '/v1/flows', { nodes, ...more });
      expect([answer.statusCode, answer.body]).toEqual([202, answer.body]);
      return answer.json().id;
    },
    over: async (id) => {
      await expect.poll(async () => (await read(id)).finished_at, { timeout: 20_000 }).not.toBeNull();
      return await read(id);
    },
    states: async (id) =>
      Object.fromEntries(
        (await read(id)).nodes.map(({ name, state }: { name: string; state: string }) => [name, state]),
      ),
    work: async (works) => {
      const worker = await api.worker(
        Object.keys(works).map((name) => ({ name })),
        20,
      );
      let isOver = false;
      const running = (async () => {
        while (!isOver) {
          const { jobs } = await worker.poll(20, [], { wait_ms: 200 });
          if (jobs.length > 0) await worker.report(...jobs.map((job) => reportOf(job, works)));
        }
        await worker.leave();
      })();
      return {
        [Symbol.asyncDispose]: async () => {
          isOver = true;
          await running;
        },
      };
    },
  };
}

function reportOf(job: Handed, works: Readonly<Record<string, Work>>): object {
  try {
    return { ...fence(job), type: 'succeeded', result: works[job.queue]?.(job.payload) };
  } catch (error) {
    return { ...fence(job), type: 'failed', error: { message: String(error), code: 'told_to' }, retryable: false };
  }
}

import { expect } from 'vitest';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { startWaker } from '#src/jobs/wake/waker.ts';
import { type TestApi, testApi } from '#test/http/api.ts';

/** A contract of somebody else. */
export const contract = {
  title: 'Resize an image',
  payload: {
    type: 'object',
    properties: { width: { type: 'integer', minimum: 1 } },
    required: ['width'],
    additionalProperties: false,
  },
  result: { type: 'object', properties: { bytes: { type: 'integer' } }, required: ['bytes'] },
  attempts: 2,
  backoff_ms: 0,
};

export interface Handed {
  readonly id: string;
  readonly queue: string;
  readonly version: number;
  readonly attempt: number;
  readonly token: string;
  readonly payload: unknown;
}

/** One worker elsewhere, as a program of somebody else would be one. */
export interface TestWorker {
  readonly worker: string;
  readonly poll: (
    credits: number,
    inHand?: readonly Handed[],
    more?: object,
  ) => Promise<{ jobs: Handed[]; stop: { id: string; reason: string }[] }>;
  /** Polls until it was handed something. */
  readonly take: (credits?: number, inHand?: readonly Handed[]) => Promise<Handed[]>;
  readonly report: (...reports: readonly object[]) => Promise<{ status: string; code?: string; path?: string }[]>;
  readonly leave: () => Promise<number>;
}

/** Everything that names the attempt of a handed job in a report. */
export const fence = ({ id, attempt, token }: Handed) => ({ job: id, attempt, token });

export interface RemoteApi extends TestApi {
  readonly call: (
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    url: string,
    payload?: unknown,
    more?: object,
  ) => Promise<{
    readonly statusCode: number;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body: string;
    readonly json: () => any;
  }>;
  readonly worker: (queues?: readonly object[], capacity?: number) => Promise<TestWorker>;
  readonly submit: (width: number, more?: object) => Promise<string>;
  readonly job: (id: string) => Promise<any>;
}

/** An API with sweep and relay, the queue `acme.resize-image` of owner-1, and a key that may do all of its jobs. */
export async function remoteApi(settings: Readonly<Record<string, string>> = {}): Promise<RemoteApi> {
  await using stack = new AsyncDisposableStack();
  const api = stack.use(
    await testApi({ LEASE_MS: '1500', BEAT_MS: '300', SWEEP_MS: '200', AUDIT_MS: '500', ...settings }),
  );
  stack.use(startRelay(api.context));
  stack.use(startSweep(api.context));
  stack.use(startWaker(api.context));
  const { headers } = await api.key({ scopes: ['jobs.submit', 'jobs.work', 'jobs.manage'] });
  const call: RemoteApi['call'] = async (method, url, payload, more = {}) =>
    await api.app.inject({
      method,
      url,
      headers: { ...headers, ...more },
      ...(payload !== undefined && { payload: payload as object }),
    });
  expect((await call('PUT', '/v1/queues/acme.resize-image', { contract })).statusCode).toBe(201);
  const ok = async (method: 'GET' | 'POST', url: string, payload?: unknown) => {
    const answer = await call(method, url, payload);
    expect([answer.statusCode < 300, answer.body]).toEqual([true, answer.body]);
    return answer.json();
  };

  const worker: RemoteApi['worker'] = async (queues = [{ name: 'acme.resize-image' }], capacity = 10) => {
    const { worker: id } = await ok('POST', '/v1/workers', { queues, capacity });
    const poll: TestWorker['poll'] = async (credits, inHand = [], more = {}) =>
      await ok('POST', `/v1/workers/${id}/poll`, {
        credits,
        jobs: inHand.map(({ id: job, attempt }) => ({ id: job, attempt })),
        ...more,
      });
    return {
      worker: id,
      poll,
      take: async (credits = 1, inHand = []) => {
        for (;;) {
          const { jobs } = await poll(credits, inHand);
          if (jobs.length > 0) return jobs;
        }
      },
      report: async (...reports) => (await ok('POST', `/v1/workers/${id}/report`, { reports })).answers,
      leave: async () => (await call('DELETE', `/v1/workers/${id}`)).statusCode,
    };
  };
  const all = stack.move();
  return {
    ...api,
    call,
    worker,
    submit: async (width, more = {}) =>
      (
        await call(
          'POST',
          '/v1/queues/acme.resize-image/jobs',
          { payload: { width }, ...more },
          { prefer: 'respond-async' },
        )
      ).json().id,
    job: async (id) => await ok('GET', `/v1/jobs/${id}`),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

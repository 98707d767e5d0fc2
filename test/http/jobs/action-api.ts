import { sql } from 'slonik';
import { expect } from 'vitest';
import { type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';
import { startActingFleet } from './acting-fleet.ts';

type Headers = Readonly<Record<string, string>>;

/** An API with a queue of owner-1, an operator, and a fleet that acts on many jobs. */
export interface ActionApi extends RemoteApi {
  /** Posts to /v1/jobs/actions; as owner-1 without headers. */
  readonly post: (body: object, headers?: Headers) => ReturnType<RemoteApi['call']>;
  readonly operator: Headers;
  /** Starts the fleet, which drains at the end. */
  readonly fleet: () => Promise<void>;
  /** Waits for the end of a job, and answers it. */
  readonly ended: (id: string) => Promise<any>;
  /** Submits so many jobs at once, and answers their ids in order. */
  readonly many: (count: number, more?: object) => Promise<string[]>;
  /** Fails queued jobs as their workers would have. */
  readonly fail: (ids: readonly string[], code?: string) => Promise<void>;
}

export async function actionApi(settings: Readonly<Record<string, string>> = {}): Promise<ActionApi> {
  await using stack = new AsyncDisposableStack();
  const api = stack.use(await remoteApi({ LEASE_MS: '60000', ...settings }));
  const { headers: operator } = await api.key({ owner: 'op', operator: true });
  const fleet = async () => {
    const started = await startActingFleet(api.context, 2);
    stackOf.defer(async () => await started.drain());
  };
  const stackOf = stack.move();
  return {
    ...api,
    operator,
    fleet,
    post: async (body, headers) =>
      headers === undefined
        ? await api.call('POST', '/v1/jobs/actions', body)
        : await api.app.inject({ method: 'POST', url: '/v1/jobs/actions', headers, payload: body }),
    ended: async (id) => {
      const read = async () => (await api.app.inject({ url: `/v1/jobs/${id}`, headers: operator })).json();
      await expect.poll(async () => (await read()).state, { timeout: 30_000 }).toMatch(/succeeded|failed|cancelled/);
      return await read();
    },
    many: async (count, more = {}) => {
      const body = Array.from({ length: count }, (_, n) => ({
        queue: 'acme.resize-image',
        payload: { width: n + 1 },
        ...more,
      }));
      const { body: lines } = await api.call('POST', '/v1/jobs/bulk', body);
      return lines
        .trim()
        .split('\n')
        .map((line) => String(JSON.parse(line).id))
        .toSorted();
    },
    fail: async (ids, code = 'timeout') => {
      const error = JSON.stringify({ code, message: 'it took too long' });
      await api.context.db.query(sql.unsafe`
        update jobs set state = 'failed', finished_at = now(), error = ${error}::jsonb where id = any(${sql.array([...ids], 'uuid')})`);
    },
    [Symbol.asyncDispose]: async () => await stackOf.disposeAsync(),
  };
}

import { type Client, createClient } from '@proofline/client';
import type { AnyJob, ServeOptions } from '@proofline/worker';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { type Serving, serving } from './worker/serving.ts';

/** A whole API that listens, with what moves jobs, and our packages at it. */
export interface OpenApi extends AsyncDisposable {
  readonly api: TestApi;
  readonly url: string;
  readonly key: string;
  readonly client: Client;
  /** A worker of these jobs, registered by then; it stops at the end. @throws what it is refused with */
  readonly serve: (jobs: readonly AnyJob[], options?: ServeOptions) => Promise<Serving>;
}

export async function openApi(settings: Readonly<Record<string, string>> = {}): Promise<OpenApi> {
  await using stack = new AsyncDisposableStack();
  const quick = { LEASE_MS: '1500', BEAT_MS: '300', SWEEP_MS: '200', AUDIT_MS: '500' };
  const api = stack.use(await testApi({ ...quick, ...settings }));
  stack.use(startRelay(api.context));
  stack.use(startSweep(api.context));
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { secret: key } = await api.key();
  const all = stack.move();
  return {
    api,
    url,
    key,
    client: createClient({ url, key, backoff: 20 }),
    serve: async (jobs, options) => {
      const worker = all.use(serving({ url }, jobs, { key, ...options }));
      await worker.registered();
      return worker;
    },
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  };
}

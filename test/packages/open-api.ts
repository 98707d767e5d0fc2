import { once } from 'node:events';
import { type Client, createClient } from '@proofline/client';
import type { AnyJob, ServeOptions } from '@proofline/worker';
import { createKey } from '#src/access/keys/keys.ts';
import { serve } from '#src/api/serve.ts';
import { scopes } from '#src/lib/principal.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { testConfig } from '#test/helpers/config.ts';
import { type Serving, serving } from './worker/serving.ts';

/** A whole API process that listens, with every loop that moves jobs, and our packages at it. */
export interface OpenApi extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
  readonly client: Client;
  readonly context: Context;
  /** Its settings, for processes beside it. */
  readonly env: Readonly<Record<string, string>>;
  /** A worker of these jobs, registered by then; it stops at the end. @throws what it is refused with */
  readonly serve: (jobs: readonly AnyJob[], options?: ServeOptions) => Promise<Serving>;
}

export async function openApi(settings: Readonly<Record<string, string>> = {}): Promise<OpenApi> {
  await using stack = new AsyncDisposableStack();
  // a lease that a busy machine does not lose
  const quick = { LEASE_MS: '15000', BEAT_MS: '300', SWEEP_MS: '200', AUDIT_MS: '500', DRAIN_DEADLINE_MS: '300' };
  const { config, env } = stack.use(await testConfig({ ...quick, SURFACES: 'missions', ...settings }));
  const context = stack.use(await openContext(config, 'api'));
  if (context.redis.status !== 'ready') await once(context.redis, 'ready');
  const { url } = stack.use(await serve(context));
  const { secret: key } = await createKey(context, { owner: 'owner-1', name: 'test', scopes });
  const all = stack.move();
  return {
    url,
    key,
    client: createClient({ url, key, backoff: 20 }),
    context,
    env,
    serve: async (jobs, options) => {
      const worker = all.use(serving({ url }, jobs, { key, ...options }));
      await worker.registered();
      return worker;
    },
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  };
}

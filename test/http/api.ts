import { once } from 'node:events';
import type { FastifyInstance } from 'fastify';
import { createKey, type KeyRequest } from '#src/access/keys/keys.ts';
import { buildApp } from '#src/api/app.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { openStreams } from '#src/http/streams/open-streams.ts';
import { scopes } from '#src/lib/principal.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { testConfig } from '#test/helpers/config.ts';

/** A whole API for one test: database, Redis prefix, hub and routes of its own. */
export interface TestApi extends AsyncDisposable {
  readonly context: Context;
  readonly hub: Hub;
  readonly app: FastifyInstance;
  readonly env: Readonly<Record<string, string>>;
  /** A new key, as headers. */
  readonly key: (
    request?: Partial<KeyRequest>,
  ) => Promise<{ id: string; secret: string; headers: { 'x-api-key': string } }>;
}

export async function testApi(
  settings: Readonly<Record<string, string>> = {},
  addRoutes: (app: FastifyInstance, edge: { context: Context; hub: Hub }) => void = () => {},
): Promise<TestApi> {
  await using stack = new AsyncDisposableStack();
  const { config, env } = stack.use(await testConfig(settings));
  const context = stack.use(await openContext(config, 'api'));
  if (context.redis.status !== 'ready') await once(context.redis, 'ready');
  const hub = openStreams(context);
  const app = await buildApp(context, { hub });
  stack.defer(() => app.close());
  addRoutes(app, { context, hub });
  await app.ready();
  const all = stack.move();
  return {
    context,
    hub,
    app,
    env,
    key: async (request = {}) => {
      const { key, secret } = await createKey(context, { owner: 'owner-1', name: 'test', scopes, ...request });
      return { id: key.id, secret, headers: { 'x-api-key': secret } };
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

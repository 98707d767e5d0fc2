import OpenAI from 'openai';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { startWebhooks } from '#src/platform/webhooks/start-webhooks.ts';
import { testApi } from '#test/http/api.ts';
import { handlers } from '#workers/handlers.ts';
import { startFleet } from '#workers/run/fleet.ts';

/** The platform on real servers: an API that listens, the sweep, a fleet, and the official client of OpenAI with a key. */
export async function mediaWorld(settings: Readonly<Record<string, string>> = {}) {
  await using stack = new AsyncDisposableStack();
  const api = stack.use(await testApi(settings));
  const { context } = api;
  startRelay(context);
  startSweep(context);
  startWebhooks(context);
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const module = new URL('../../workers/handlers.ts', import.meta.url);
  const fleet = await startFleet(context, { name: 'platform', handlers, module });
  stack.defer(() => fleet.drain());
  const { headers, secret } = await api.key({ owner: 'ada' });
  const all = stack.move();
  const post = async (path: string, body: object, more: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${url}/api/v2${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };
  return {
    ...api,
    url,
    headers,
    post,
    /** As anybody has it, without a line that is ours. */
    client: new OpenAI({ apiKey: secret, baseURL: `${url}/api/v2`, maxRetries: 0 }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

import OpenAI from 'openai';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { startChild } from '#test/helpers/child.ts';
import { startOpenaiLike } from '#test/helpers/vendors/openai-like.ts';
import { testApi } from '#test/http/api.ts';
import { offer, provider } from '#test/providers/offers.ts';
import { catalogueFile } from '#test/studio/catalogue-file.ts';
import { startFleet } from '#workers/run/fleet.ts';
import { handlers } from './respond-handlers.ts';

const KEY_NAME = 'RESPONSES_TEST_KEY';

/** The platform on real servers, with one provider of text beside it. */
export async function responsesWorld(settings: Readonly<Record<string, string>> = {}, { fleet: hasFleet = true } = {}) {
  await using stack = new AsyncDisposableStack();
  // never taken away again: a world may stand within another
  process.env[KEY_NAME] = 'vendor-key-0123456789';
  const upstream = stack.use(await startOpenaiLike());
  const { path } = stack.use(
    catalogueFile([
      provider({
        id: 'atlas',
        style: 'openai-compatible',
        url: upstream.url,
        credential: KEY_NAME,
        capabilities: {
          'text.generate': offer({ model: 'atlas-2', price: { perMillionInput: 1, perMillionOutput: 10 } }),
        },
      }),
    ]),
  );
  const api = stack.use(
    await testApi({
      PROVIDERS_FILE: path,
      LEASE_MS: '1500',
      BEAT_MS: '200',
      SWEEP_MS: '100',
      AUDIT_MS: '200',
      DRAIN_DEADLINE_MS: '300',
      ...settings,
    }),
  );
  const { context } = api;
  startRelay(context);
  startSweep(context);
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  if (hasFleet) {
    const module = new URL('./respond-handlers.ts', import.meta.url);
    const fleet = await startFleet(context, { name: 'platform', handlers, module });
    stack.defer(() => fleet.drain());
  }
  const all = stack.move();
  return {
    ...api,
    url,
    upstream,
    /** A fleet in a process of its own, to be killed. */
    fleetProcess: async () => all.use(await startChild(new URL('./respond-fleet.ts', import.meta.url), api.env)),
    /** The official client with a new key. */
    client: async (owner = 'ada') => {
      const key = await api.key({ owner });
      return Object.assign(new OpenAI({ baseURL: `${url}/api/v2`, apiKey: key.secret, maxRetries: 0 }), { key });
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

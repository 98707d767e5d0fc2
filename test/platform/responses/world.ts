import OpenAI from 'openai';
import { startChild } from '#test/helpers/child.ts';
import { lively } from '#test/helpers/run-jobs.ts';
import { testWorld } from '#test/helpers/test-world.ts';
import { startOpenaiLike } from '#test/helpers/vendors/openai-like.ts';
import { offer, provider } from '#test/providers/offers.ts';
import { catalogueFile } from '#test/studio/catalogue-file.ts';
import { handlers } from './respond-handlers.ts';

const KEY_NAME = 'RESPONSES_TEST_KEY';

/** The platform on real servers, with one provider of text beside it. */
export async function responsesWorld(settings: Readonly<Record<string, string>> = {}, { fleet = true } = {}) {
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
  const module = new URL('./respond-handlers.ts', import.meta.url);
  const world = stack.use(
    await testWorld({ PROVIDERS_FILE: path, ...lively, ...settings }, { name: 'platform', handlers, module, fleet }),
  );
  const { url } = world;
  const all = stack.move();
  return {
    ...world,
    upstream,
    /** A fleet in a process of its own, to be killed. */
    fleetProcess: async () => all.use(await startChild(new URL('./respond-fleet.ts', import.meta.url), world.env)),
    /** The official client with a new key. */
    client: async (owner = 'ada') => {
      const key = await world.key({ owner });
      return Object.assign(new OpenAI({ baseURL: `${url}/api/v2`, apiKey: key.secret, maxRetries: 0 }), { key });
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

import type { AddressInfo } from 'node:net';
import OpenAI from 'openai';
import { type TestApi, testApi } from '#test/http/api.ts';
import { testHome } from '#test/providers/asset-world.ts';

export interface PlatformWorld extends AsyncDisposable {
  readonly api: TestApi;
  readonly home: string;
  /** Where the platform is. */
  readonly url: string;
  /** OpenAI's own client, unmodified, for a new key of `owner`. */
  readonly client: (owner?: string) => Promise<OpenAI>;
}

/** An API that listens, with an artefact storage of its own. */
export async function platformWorld(settings: Readonly<Record<string, string>> = {}): Promise<PlatformWorld> {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await testHome());
  const api = stack.use(await testApi({ PROOFLINE_HOME: home.path, ...settings }));
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = api.app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/api/v2`;
  const all = stack.move();
  return {
    api,
    home: home.path,
    url,
    client: async (owner = 'owner-1') =>
      new OpenAI({ baseURL: url, apiKey: (await api.key({ owner })).secret, maxRetries: 0 }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

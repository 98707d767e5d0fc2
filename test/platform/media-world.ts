import OpenAI from 'openai';
import { startWebhooks } from '#src/platform/webhooks/start-webhooks.ts';
import { testWorld } from '#test/helpers/test-world.ts';

/** The platform on real servers: an API that listens, the sweep, a fleet, and the official client of OpenAI with a key. */
export async function mediaWorld(settings: Readonly<Record<string, string>> = {}) {
  const world = await testWorld(settings, { name: 'platform', starts: [startWebhooks] });
  const { url } = world;
  const { headers, secret } = await world.key({ owner: 'ada' });
  const post = async (path: string, body: object, more: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${url}/api/v2${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };
  return {
    ...world,
    headers,
    post,
    /** As anybody has it, without a line that is ours. */
    client: new OpenAI({ apiKey: secret, baseURL: `${url}/api/v2`, maxRetries: 0 }),
  };
}

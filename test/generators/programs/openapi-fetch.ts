import { readFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import type { paths as MissionPaths } from './missions';
import type { paths as PlatformPaths } from './platform';
import type { paths as StudioPaths } from './studio';
import type { components, paths as Paths } from './whole';

/** A documented call of each surface, with openapi-fetch over the types that openapi-typescript writes. */
const { PROOFLINE_KEY, PROOFLINE_CHAIN, PROOFLINE_URL } = process.env as Record<string, string>;
const at = { baseUrl: PROOFLINE_URL!, headers: { 'x-api-key': PROOFLINE_KEY! } };

const main = async () => {
  const brief = await createClient<StudioPaths>(at).POST('/api/studio/v1/brief', {
    body: { mode: 'video', prompt: 'a lighthouse at dusk' },
  });
  const mission = await createClient<MissionPaths>(at).POST('/api/v1/missions', {
    body: { goal: 'Compute the dealer positioning of SPX.' },
  });
  const turn = await createClient<PlatformPaths>(at).POST('/api/v2/chat/completions', {
    body: { messages: [{ role: 'user', content: 'Hello' }] },
  });
  const whole = createClient<Paths>(at);
  await whole.POST('/v1/snapshot', { body: { symbol: 'SPX', chain: readFileSync(PROOFLINE_CHAIN!, 'utf8') } });
  const gex = await whole.GET('/v1/gex/{symbol}', { params: { path: { symbol: 'SPX' } } });
  const answer = gex.data as components['schemas']['GexAnswer'];
  const flip: components['schemas']['GammaFlip'] | null | undefined = answer.data?.flips.primary;
  return {
    brief: brief.data?.status,
    mission: mission.data?.state,
    request: brief.response.headers.get('x-request-id') !== null,
    turn: turn.data?.object,
    gex: answer.status,
    flip: flip === null || typeof flip?.level === 'number',
  };
};

main().then(
  (said) => process.stdout.write(JSON.stringify(said)),
  (error) => process.stdout.write(JSON.stringify({ error: error instanceof Error ? error.message : error })),
);

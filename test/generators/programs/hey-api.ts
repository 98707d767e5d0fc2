import { readFileSync } from 'node:fs';
import * as missions from './missions';
import { client as missionsClient } from './missions/client.gen';
import * as platform from './platform';
import { client as platformClient } from './platform/client.gen';
import * as studio from './studio';
import { client as studioClient } from './studio/client.gen';
import type { GammaFlip, GexAnswer } from './whole';
import * as whole from './whole';
import { client as wholeClient } from './whole/client.gen';

/** A documented call of each surface, through what @hey-api/openapi-ts writes. */
const { PROOFLINE_KEY, PROOFLINE_CHAIN } = process.env as Record<string, string>;
for (const client of [missionsClient, platformClient, studioClient, wholeClient])
  client.setConfig({ auth: PROOFLINE_KEY, throwOnError: true });

const main = async () => {
  const brief = await studio.createBrief({ body: { mode: 'video', prompt: 'a lighthouse at dusk' } });
  const mission = await missions.createMission({ body: { goal: 'Compute the dealer positioning of SPX.' } });
  const job: string | null = brief.response?.headers.get('x-request-id') ?? null;
  const turn = await platform.createChatCompletion({ body: { messages: [{ role: 'user', content: 'Hello' }] } });
  await whole.createSnapshot({ body: { symbol: 'SPX', chain: readFileSync(PROOFLINE_CHAIN!, 'utf8') } });
  const answer = (await whole.readGex({ path: { symbol: 'SPX' } })).data as GexAnswer;
  const flip: GammaFlip | null | undefined = answer.data?.flips.primary;
  return {
    brief: brief.data?.status,
    mission: mission.data?.state,
    request: job !== null,
    turn: turn.data && 'object' in turn.data ? turn.data.object : null,
    gex: answer.status,
    flip: flip === null || typeof flip?.level === 'number',
  };
};

main().then(
  (said) => process.stdout.write(JSON.stringify(said)),
  (error) => process.stdout.write(JSON.stringify({ error: error instanceof Error ? error.message : error })),
);

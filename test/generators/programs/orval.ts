import { readFileSync } from 'node:fs';
import { createMission } from './missions';
import { createChatCompletion } from './platform';
import { createBrief } from './studio';
import { createSnapshot, type GammaFlip, readGex } from './whole';

/** A documented call of each surface, through what orval writes; the key is sent with each request. */
const { PROOFLINE_KEY, PROOFLINE_CHAIN } = process.env as Record<string, string>;
const keyed = { headers: { authorization: `Bearer ${PROOFLINE_KEY}` } };

const main = async () => {
  const brief = await createBrief({ mode: 'video', prompt: 'a lighthouse at dusk' }, keyed);
  const mission = await createMission({ goal: 'Compute the dealer positioning of SPX.' }, keyed);
  const turn = await createChatCompletion({ messages: [{ role: 'user', content: 'Hello' }] }, keyed);
  await createSnapshot({ symbol: 'SPX', chain: readFileSync(PROOFLINE_CHAIN!, 'utf8') }, undefined, keyed);
  const answer = await readGex('SPX', undefined, keyed);
  const gex = answer.status === 200 ? answer.data : null;
  const flip: GammaFlip | null | undefined = gex?.data?.flips.primary;
  return {
    brief: brief.status === 201 && brief.data.status,
    mission: mission.status === 201 && mission.data.state,
    request: brief.headers.get('x-request-id') !== null,
    turn: turn.status === 200 && typeof turn.data === 'object' ? turn.data.object : null,
    gex: gex?.status,
    flip: flip === null || typeof flip?.level === 'number',
  };
};

main().then(
  (said) => process.stdout.write(JSON.stringify(said)),
  (error) => process.stdout.write(JSON.stringify({ error: error instanceof Error ? error.message : error })),
);

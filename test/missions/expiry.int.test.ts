import { expect, test } from 'vitest';
import { missionWorld } from './world.ts';

test('a challenge that has expired is replaced by a fresh one when the mission is executed again', async () => {
  await using world = await missionWorld(
    { WEBHOOK_ORIGINS: 'https://example.com', STEP_CHALLENGE_MS: '1000' },
    { chain: false },
  );
  const headers = await world.humanKey();
  const steps = [{ id: 'tell', capability: 'notify.webhook', input: { url: 'https://example.com/', body: 1 } }];
  const { missionId } = (await world.call('POST', '/api/v1/missions', headers, { goal: 'tell', steps })).body;
  const execute = async () =>
    (await world.call('POST', `/api/v1/missions/${missionId}/execute`, headers, {})).body.steps[0];
  const first = await execute();
  const left = Date.parse(first.challenge.expiresAt) - Date.now();
  await new Promise((resolve) => setTimeout(resolve, left + 50));
  const second = await execute();
  expect(second.challenge.id).not.toBe(first.challenge.id);
  expect(second.effectSha256).toBe(first.effectSha256);
  const { body: mission } = await world.call('GET', `/api/v1/missions/${missionId}`, headers);
  expect(mission.steps[0].challenge).toEqual(second.challenge);
});

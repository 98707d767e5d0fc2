import { expect, test } from 'vitest';
import { challengeShown } from '#src/mcp/tools/challenge-shown.ts';

test('an agent reads a challenge without what joins the missions of one human', () => {
  const shown = {
    id: 'b7e0ad0a-6c3f-4a1c-9a3e-0f6d5f1b2c3d',
    body: { missionId: 'm', humanId: null, worldIdNonce: '0x1' },
    sha256: 'ab'.repeat(32),
    expiresAt: '2026-11-22T00:00:00.000Z',
  };
  const rpContext = { rp_id: 'rp_1', nonce: '0x1', created_at: 1, expires_at: 2, signature: '0x' };
  const worldId = {
    rpId: 'rp_1',
    environment: 'production',
    signal: '0x',
    sessionId: 'session_1',
    requireUserPresence: true,
    rpContext,
  } as const;
  expect(challengeShown({ ...shown, body: { ...shown.body, humanId: 'ada' }, worldId })).toEqual(shown);
  expect(challengeShown(null)).toBeNull();
});

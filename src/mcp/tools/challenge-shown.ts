import type { StepChallenge } from '#src/governance/missions/mission-row.ts';

/**
 * A challenge as an agent may read it: without the human's name and World ID session, which join all missions of one
 * person, as what a model reads may be kept anywhere. The human reads the whole of it over the API.
 */
export function challengeShown(challenge: StepChallenge | null): StepChallenge | null {
  if (!challenge) return null;
  const { id, body, sha256, expiresAt } = challenge;
  return { id, body: { ...body, humanId: null }, sha256, expiresAt };
}

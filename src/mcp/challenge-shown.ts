import type { StepChallenge } from '#src/governance/mission-row.ts';

/**
 * A challenge as an agent may read it: without the human's name, which joins all missions of one person, as what a model
 * reads may be kept anywhere. The human reads the whole of it over the API.
 */
export function challengeShown(challenge: StepChallenge | null): StepChallenge | null {
  return challenge && { ...challenge, body: { ...challenge.body, humanId: null } };
}

import type { MissionContracts } from '#src/governance/missions/orchestration.ts';
import { catalogue } from '#src/missions/plan/catalogue.ts';
import { MissionRequest } from './mission-bodies.ts';

/** What missions can be asked for, and what they can do: for whoever describes them. */
export const missionContracts: MissionContracts = {
  request: MissionRequest,
  capabilities: catalogue.map(({ name, title, sensitivity, input }) => ({ name, title, sensitivity, input })),
};

import type { MissionContracts } from '#src/governance/missions/orchestration.ts';
import { catalogue } from '#src/missions/plan/catalogue.ts';
import { MissionRequest } from './mission-bodies.ts';

/** Request and capabilities of missions, for descriptions of the API. */
export const missionContracts: MissionContracts = {
  request: MissionRequest,
  capabilities: catalogue.map(({ name, title, sensitivity, input }) => ({ name, title, sensitivity, input })),
};

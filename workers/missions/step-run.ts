import type { missionExecute } from '#queues/missions.ts';
import type { Run } from '#workers/run/processor.ts';

/** Function that carries out a capability: its output goes to later steps and to the mission's owner. */
export type StepRun = (run: Run<typeof missionExecute>) => Promise<unknown>;

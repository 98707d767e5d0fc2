import Type from 'typebox';
import { defineQueue } from './define.ts';

const strict = { additionalProperties: false };
const Id = Type.String({ format: 'uuid' });

/** Runs one step of a mission's plan. */
export const missionExecute = defineQueue({
  name: 'missions.execute',
  title: 'Run one step of a mission',
  payload: Type.Object({ missionId: Id, step: Type.String() }, strict),
  result: Type.Object({ missionId: Id, step: Type.String(), output: Type.Unknown() }, strict),
  progress: Type.Object({ stage: Type.String() }, strict),
  timeoutMs: 10 * 60_000,
});

/** Anchors a batch of sealed receipts on the chain. */
export const anchor = defineQueue({
  name: 'missions.anchor',
  title: 'Anchor sealed receipts on the chain',
  payload: Type.Object({ batchId: Id }, strict),
  result: Type.Object({ batchId: Id, transaction: Type.String() }, strict),
  progress: Type.Object({ stage: Type.String() }, strict),
  // a chain that is away for an hour must not lose an anchor
  attempts: 20,
  backoffMs: 1_000,
  backoffCapMs: 10 * 60_000,
  timeoutMs: 5 * 60_000,
});

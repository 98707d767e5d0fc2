import Type from 'typebox';
import { defineQueue } from './define.ts';

const strict = { additionalProperties: false };
const Id = Type.String({ format: 'uuid' });

/** Capabilities of missions themselves; analyses are jobs of the analytics queues. */
export const ownCapabilities = [
  'job.status',
  'receipt.verify',
  'http.fetch',
  'content.digest',
  'notify.webhook',
  'human.confirm',
] as const;

/** Runs one step of a mission's plan. */
export const missionExecute = defineQueue({
  name: 'missions.execute',
  title: 'Run one step of a mission',
  payload: Type.Object(
    {
      missionId: Id,
      step: Type.String({ maxLength: 40 }),
      capability: Type.Enum([...ownCapabilities], { type: 'string' }),
      input: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }),
    },
    strict,
  ),
  result: Type.Object({ output: Type.Unknown() }, strict),
  progress: Type.Object({ stage: Type.String() }, strict),
  timeoutMs: 2 * 60_000,
});

/** Looks at one batch of sealed receipts on the chain, and does the next thing about it: never waits. */
export const anchor = defineQueue({
  name: 'missions.anchor',
  title: 'Anchor sealed receipts on the chain',
  payload: Type.Object({ batchId: Id }, strict),
  result: Type.Object(
    {
      batchId: Id,
      status: Type.Enum(['new', 'signed', 'included', 'safe', 'finalized', 'void']),
      transaction: Type.Union([Type.String(), Type.Null()]),
    },
    strict,
  ),
  progress: Type.Object({ stage: Type.String() }, strict),
  // a chain that is away: again soon, and when the attempts are used up the batch gets another job
  attempts: 20,
  backoffMs: 500,
  backoffCapMs: 30_000,
  timeoutMs: 2 * 60_000,
});

import { setTimeout as sleep } from 'node:timers/promises';
import Type from 'typebox';
import { defineQueue } from '#queues/define.ts';
import { handler } from '#workers/run/processor.ts';
import { observed } from './observer-client.ts';

export const LimitedPayload = Type.Object({
  /** All that a limit may count it by: `kind name`. */
  scopes: Type.Array(Type.String()),
  workMs: Type.Integer(),
});

/** A queue whose jobs tell an observer when they begin and when they end. */
export const limited = defineQueue({
  name: 'chaos.limited',
  title: 'Tells an observer of its begin and its end',
  payload: LimitedPayload,
  result: Type.Object({ attempt: Type.Integer() }),
  progress: Type.Object({}),
  attempts: 6,
  backoffMs: 20,
  backoffCapMs: 200,
  timeoutMs: 60_000,
});

export const handlers = [
  handler(limited, async ({ payload: { scopes, workMs }, attempt }) => {
    const observer = observed(Number(process.env['CHAOS_OBSERVER']));
    const end = await observer(scopes);
    await sleep(workMs);
    await end();
    return { attempt };
  }),
];

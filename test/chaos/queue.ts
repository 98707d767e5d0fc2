import { setTimeout as sleep } from 'node:timers/promises';
import Type from 'typebox';
import { defineQueue } from '#queues/define.ts';
import { runEffect } from '#src/jobs/effects/effects.ts';
import { AppError } from '#src/lib/errors.ts';
import { handler } from '#workers/run/processor.ts';
import { kinds } from './plan.ts';
import { adapters } from './provider-client.ts';

export const ChaosPayload = Type.Object({
  index: Type.Integer(),
  kind: Type.Union(kinds.map((kind) => Type.Literal(kind))),
  workMs: Type.Integer(),
});

/** A queue that exists only in the chaos test. */
export const chaos = defineQueue({
  name: 'chaos.run',
  title: 'Works a little, fails, waits, or makes an effect outside',
  payload: ChaosPayload,
  /** The attempt that did it: only the last one may settle. */
  result: Type.Object({ attempt: Type.Integer() }),
  progress: Type.Object({ at: Type.Number() }),
  attempts: 6,
  backoffMs: 50,
  backoffCapMs: 1_000,
  timeoutMs: 150_000,
});

export const handlers = [
  handler(chaos, async ({ payload: { index, kind, workMs }, attempt, signal, emit, job, context }) => {
    emit({ at: Date.now() });
    await sleep(workMs, undefined, { signal });
    if (kind === 'refuse') throw new AppError('unavailable', 'instructed to fail every time');
    if (kind === 'fail_once' && attempt === 1) throw new AppError('unavailable', 'instructed to fail once');
    if (kind === 'wait') await sleep(120_000, undefined, { signal });
    if (kind === 'idempotent' || kind === 'queryable' || kind === 'neither') {
      await runEffect(context, job, kind, { index }, adapters[kind], signal);
      await sleep(workMs / 2, undefined, { signal });
    }
    return { attempt };
  }),
];

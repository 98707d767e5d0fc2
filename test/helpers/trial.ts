import { setTimeout as sleep } from 'node:timers/promises';
import Type from 'typebox';
import { defineQueue } from '#queues/define.ts';
import { runEffect } from '#src/jobs/effects/effects.ts';
import { AppError } from '#src/lib/errors.ts';
import { handler } from '#workers/run/processor.ts';

const verbs = [
  'succeed',
  'fail',
  'refuse',
  'wait',
  'die',
  'effect',
  'bad_result',
  'ignore',
  'sleep',
  'spin',
  'say',
] as const;
type Verb = (typeof verbs)[number];

/** Instructions for a trial job. */
const Payload = Type.Object({
  do: Type.Unsafe<Verb>({ enum: [...verbs] }),
  text: Type.Optional(Type.String()),
  /** Fails or dies at attempts up to this one. */
  until: Type.Optional(Type.Integer()),
  /** Number of times that it says its text. */
  times: Type.Optional(Type.Integer()),
  /** Time that it sleeps, whatever signals it gets meanwhile. */
  ms: Type.Optional(Type.Integer()),
});

/** A queue that exists only in tests: its jobs do what their payload says. */
export const trial = defineQueue({
  name: 'trial.run',
  title: 'Does what it is told',
  payload: Payload,
  result: Type.Unknown(),
  progress: Type.Unknown(),
  attempts: 3,
  backoffMs: 10,
  backoffCapMs: 50,
  timeoutMs: Number(process.env['TRIAL_TIMEOUT_MS'] ?? 20_000),
});

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

export const handlers = [
  handler(trial, async ({ payload, attempt, signal, emit, log, job, context }) => {
    const again = attempt <= (payload.until ?? Number.POSITIVE_INFINITY);
    switch (payload.do) {
      case 'fail':
        if (again) throw new AppError('unavailable', 'told to fail');
        break;
      case 'refuse':
        throw new AppError('invalid_request', 'told to refuse');
      case 'wait':
        emit({ waiting: true });
        await untilAborted(signal);
        break;
      case 'ignore':
        await new Promise(() => {});
        break;
      case 'die':
        if (again) process.kill(process.pid, 'SIGKILL');
        break;
      case 'sleep':
        await sleep(payload.ms);
        break;
      case 'spin':
        // the event loop hears nothing any more
        while (again);
        break;
      case 'say':
        for (let n = 1; n <= (payload.times ?? 1); n++) log.info(payload.text ?? '', { n });
        break;
      case 'bad_result':
        return { text: 'a\u0000b' };
      case 'effect':
        return await runEffect(
          context,
          job,
          'count',
          {},
          {
            kind: 'idempotent',
            send: async (_request, key) => {
              await context.redis.rpush(`${context.config.REDIS_PREFIX}:sent`, key);
              return { externalId: key, outcome: 'sent' };
            },
          },
          signal,
        );
      case 'succeed':
        break;
    }
    return { attempt, text: payload.text ?? null };
  }),
];

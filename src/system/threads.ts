import { SpanKind } from '@opentelemetry/api';
import { Piscina } from 'piscina';
import { whenUsed } from '#src/lib/async/when-used.ts';
import { AppError, knownDetails } from '#src/lib/errors.ts';
import { inSpan } from '#src/system/logging/trace.ts';
import type { Context } from './context.ts';
import { perContext } from './per-context.ts';

/**
 * Runs the default export of a `*.thread.ts` file in the thread pool. Aborting the signal ends the thread, however busy
 * it is, and rejects with the signal's reason.
 *
 * @throws whatever the task threw (AppErrors keep their code), AppError `thread_failed` when the thread died, or `unavailable`
 *   when `THREAD_QUEUE_LIMIT` tasks wait already.
 */
export type RunThread = <T>(file: URL, task: unknown, signal?: AbortSignal) => Promise<T>;

export interface Threads {
  readonly run: RunThread;
  /**
   * The same in one thread beside the pool, one task after the other: for long work that no caller waits for, and that
   * must not hold up what the pool does. What it keeps between tasks is kept once.
   */
  readonly runAside: RunThread;
}

/** Errors cross a thread as plain data: their class does not survive, their code does. */
export interface ThreadFailure {
  readonly failure: { readonly code: string; readonly message: string; readonly details: Record<string, unknown> };
}

function isFailure(value: unknown): value is ThreadFailure {
  return typeof value === 'object' && value !== null && 'failure' in value;
}

/**
 * The pool, with between `THREADS_MIN` and `THREADS_MAX` threads, and the thread beside it; closed with the context. Each is
 * there from its first task on.
 */
export function openThreads(context: Context): Threads {
  const { THREADS_MIN, THREADS_MAX } = context.config;
  const opened: Piscina[] = [];
  const open = (size: Size) =>
    whenUsed(() => {
      const pool = openPool(context, size);
      opened.push(pool);
      return pool;
    });
  const pool = open({ minThreads: THREADS_MIN, maxThreads: Math.max(THREADS_MIN, THREADS_MAX) });
  // one stays: Piscina starts none for what waits behind a task whose thread was ended
  const aside = open({ minThreads: 1, maxThreads: 1 });
  observe(opened, context);
  // in the order of what uses them, and not of their first task
  context.onClose(async () => await Promise.all(opened.map(async (one) => await one.destroy())));
  return { run: runIn(pool, context), runAside: runIn(aside, context) };
}

type Size = Pick<Piscina['options'], 'minThreads' | 'maxThreads'>;

function openPool(context: Context, size: Size): Piscina {
  const pool = new Piscina({
    ...size,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: context.config.THREAD_MEMORY_MB },
  });
  // the error of a thread between tasks; the task's own error reaches its caller
  pool.on('error', (error) => context.log.error({ err: error }, 'a thread failed'));
  return pool;
}

function runIn(poolOf: () => Piscina, { config, metrics, log }: Context): RunThread {
  return async <T>(file: URL, task: unknown, signal?: AbortSignal): Promise<T> => {
    const pool = poolOf();
    const name = file.pathname.replace(/^.*\/|\.thread\.[jt]s$/g, '');
    const count = (outcome: string) => metrics.proofline_thread_tasks_total.inc({ task: name, outcome });
    if (pool.queueSize >= config.THREAD_QUEUE_LIMIT) {
      count('refused');
      throw full(config.THREAD_QUEUE_LIMIT);
    }
    const running = async (): Promise<unknown> =>
      await pool.run(task, { filename: file.href, ...(signal && { signal }) });
    const result = await inSpan(`thread ${name}`, null, {}, running, SpanKind.INTERNAL).catch((error: unknown) => {
      count(signal?.aborted ? 'aborted' : 'failed');
      if (signal?.aborted) throw signal.reason;
      // the caller is told what failed, not how; who mends it finds that here alone
      log.error({ err: error, task: name }, 'a thread task failed');
      throw new AppError('thread_failed', `The thread task ${name} ended without a result.`, { task: name }, error);
    });
    if (isFailure(result)) {
      count('failed');
      const { code, message, details } = result.failure;
      throw new AppError(code as AppError['code'], message, knownDetails(details));
    }
    count('done');
    return result as T;
  };
}

/** The one pool of an API process, opened when it is first needed. */
export const sharedThreads = perContext(openThreads);

/** Not Piscina's own `maxQueue`: what waits for a thread lies in a second queue that it does not count, and never fills. */
function full(limit: number): AppError {
  return new AppError(
    'unavailable',
    `expected fewer than ${limit} tasks that wait for a thread of this process, got as many already; try again in a second.`,
    { limit, retry_after_seconds: 1 },
  );
}

/** Not Piscina's own figure, which divides by a thousand once too often: its run times are in ms already. */
function utilization(pools: readonly Piscina[]): number {
  const busyMs = sum(pools, ({ histogram, completed }) => (histogram?.runTime.mean ?? 0) * completed);
  return Math.min(
    1,
    busyMs /
      Math.max(
        1,
        sum(pools, ({ duration, options }) => duration * options.maxThreads),
      ),
  );
}

function observe(pools: readonly Piscina[], { metrics }: Context): void {
  const gauges = [
    [metrics.proofline_thread_pool_threads, () => sum(pools, ({ threads }) => threads.length)],
    [metrics.proofline_thread_pool_queue, () => sum(pools, ({ queueSize }) => queueSize)],
    [metrics.proofline_thread_pool_utilization_ratio, () => utilization(pools)],
  ] as const;
  for (const [gauge, read] of gauges) Object.assign(gauge, { collect: () => gauge.set(read()) });
}

function sum(pools: readonly Piscina[], read: (pool: Piscina) => number): number {
  return pools.reduce((total, pool) => total + read(pool), 0);
}

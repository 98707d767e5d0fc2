import { setTimeout as sleep } from 'node:timers/promises';
import { type AnyJob, queuesOf } from '@proofline/worker/runner';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { openContext } from '#src/system/context.ts';
import { whyUnready } from '#src/system/health/readiness.ts';
import { gaugeSchema, untilMigrated } from '#src/system/health/schema-state.ts';
import { serveMetrics } from '#src/system/metrics-server.ts';
import { assertServersAnswer } from '#src/system/servers-answer.ts';
import { startFleet } from '#workers/run/fleet.ts';
import { runIsolated } from '#workers/run/isolated.ts';
import { definitionHandlers } from './beside/definition-handlers.ts';
import { isolatedFleet, programOf } from './beside/isolation-of-program.ts';
import { noThreads } from './beside/no-threads.ts';
import { ownConfig } from './beside/own-config.ts';
import { registerDefinitions } from './beside/register-definitions.ts';

export interface ServeOptions {
  /** Number of jobs that run at once, of all queues and versions together; `WORKER_CONCURRENCY` by default. */
  readonly concurrency?: number;
  /** Ends the worker, gracefully. */
  readonly signal?: AbortSignal;
  /** Signals of the operating system that end it; SIGTERM and SIGINT by default. */
  readonly stopOn?: readonly NodeJS.Signals[];
  /**
   * File that calls `serve` with these jobs: it is started again, as a process of its own, for a job whose process died.
   * The program that runs by default; another one where that must not be started twice, because it listens on a port.
   */
  readonly program?: string | URL;
}

/** A worker that serves jobs: resolves once it has ended. */
export interface Serving extends Promise<void> {
  /** Ends the worker as SIGTERM does. */
  readonly close: () => Promise<void>;
}

const FLEET = 'beside';
/** For what the runner has left behind to notice its stop, and to record what it did outside. */
const NOTICE_MS = 2_000;
/** For connections to close. */
const CLOSE_MS = 3_000;

let isServing = false;

/**
 * Registers the contracts of these jobs and runs them beside the database, as a fleet of ours: with `DATABASE_URL`,
 * `REDIS_URL` and the other settings that our processes have, or with the servers of a running `proofline up`. Until a
 * signal ends it: then it takes no more, lets what runs end until `DRAIN_DEADLINE_MS`, gives back the rest, and resolves.
 *
 * Rejects with a TypeError for options that are wrong, and with AppError `invalid_configuration` for a setting that is
 * wrong or a server that does not answer; `incompatible_contract` with the place and the version to register instead;
 * `forbidden` for a namespace that has no owner.
 */
export function serve(jobs: readonly AnyJob[], options: ServeOptions = {}): Serving {
  const closing = new AbortController();
  const serving = isolatedFleet === undefined ? serveUntil(jobs, options, closing) : serveSuspects(isolatedFleet, jobs);
  const close = async () => {
    closing.abort();
    await serving;
  };
  return Object.assign(serving, { close });
}

async function serveUntil(jobs: readonly AnyJob[], options: ServeOptions, closing: AbortController): Promise<void> {
  const { signal, stopOn = ['SIGTERM', 'SIGINT'] } = options;
  assertFits(jobs, options);
  const stop = () => closing.abort();
  for (const name of stopOn) process.on(name, stop);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  isServing = true;
  try {
    await run(jobs, options, closing.signal);
  } catch (error) {
    // stopped while it waited for a server: there is nothing to give back
    if (error !== closing.signal.reason) throw error;
  } finally {
    isServing = false;
    for (const name of stopOn) process.off(name, stop);
    signal?.removeEventListener('abort', stop);
  }
}

function assertFits(jobs: readonly AnyJob[], { concurrency }: ServeOptions): void {
  queuesOf(jobs);
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency > 0 && concurrency <= 10_000))
    throw new TypeError(`concurrency: expected a whole number from 1 to 10,000, got ${concurrency}.`);
  if (isServing) throw new TypeError('expected one call of serve in a process, got a second: give the first all jobs.');
}

async function run(
  jobs: readonly AnyJob[],
  { concurrency, program }: ServeOptions,
  closing: AbortSignal,
): Promise<void> {
  const module = programOf(FLEET, program);
  const config = await ownConfig();
  await assertServersAnswer(config, closing);
  await using opened = new AsyncDisposableStack();
  const context = await openContext(config, 'worker');
  opened.defer(async () => await bounded(context[Symbol.asyncDispose](), CLOSE_MS));
  opened.use(await serveMetrics(context, async () => (closing.aborted ? 'draining' : await whyUnready(context))));
  gaugeSchema(context);
  await untilMigrated(context, closing);
  await registerDefinitions(context, jobs);
  const left = new Set<Promise<unknown>>();
  const handlers = await definitionHandlers(context, jobs, (work) => {
    const done = work.catch(() => {}).finally(() => left.delete(done));
    left.add(done);
  });
  const fleet = await startFleet(context, {
    name: FLEET,
    handlers,
    module,
    concurrency,
    together: concurrency ?? config.WORKER_CONCURRENCY,
    threads: noThreads,
  });
  await aborted(closing);
  await fleet.drain();
  await bounded(Promise.all(left), NOTICE_MS);
}

/** Runs suspects for the process that has started this program again; ends this process itself. */
async function serveSuspects(fleet: string, jobs: readonly AnyJob[]): Promise<void> {
  await runIsolated(fleet, async () => {
    const context = await openContext(await ownConfig(), 'lane');
    await registryOf(context).refresh();
    return { context, handlers: await definitionHandlers(context, jobs), threads: noThreads };
  });
  await new Promise<never>(() => {});
}

/** Waits for work, at most so long: of a server that is away nothing may come. */
async function bounded(work: PromiseLike<unknown>, ms: number): Promise<void> {
  await Promise.race([work, sleep(ms, undefined, { ref: false })]);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

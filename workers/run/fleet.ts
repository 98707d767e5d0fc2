import { setTimeout as sleep } from 'node:timers/promises';
import { isBackground } from '#src/jobs/broker/broker-rank.ts';
import { presetCounters } from '#src/jobs/figures/preset-counters.ts';
import { StopReason } from '#src/jobs/model/stop-reason.ts';
import type { Takes } from '#src/jobs/model/takes.ts';
import { expectSuspects } from '#src/jobs/run/expect-suspects.ts';
import { hearCancels } from '#src/jobs/run/hold-jobs.ts';
import type { Context } from '#src/system/context.ts';
import type { Threads } from '#src/system/threads.ts';
import { openBackgroundGate } from './background-gate.ts';
import { consume } from './consumer.ts';
import { openHands } from './hands.ts';
import type { IsolatedProgram } from './isolated-process.ts';
import { type Isolation, openIsolation } from './isolation.ts';
import type { Handler } from './processor.ts';
import { runDelivery } from './run-job.ts';
import { openWorkerContext, type WorkerContext } from './worker-context.ts';

/** For what was stopped to be settled, and for connections to close, once a drain's deadline has passed. */
const SETTLE_MS = 1_500;
/** Consumers with nothing in hand that do not close by then wait for a Redis that is away. */
const QUIET_MS = 1_000;

export interface FleetOptions {
  readonly name: string;
  readonly handlers: readonly Handler[];
  /** The way to these handlers in a process of their own, in which suspects run. */
  readonly module: IsolatedProgram;
  /** Jobs of one queue at once. */
  readonly concurrency?: number | undefined;
  /** Jobs of all its queues together at once; without it no fewer than of each. */
  readonly together?: number;
  /** Threads for its processors; a pool that is opened at once without it. */
  readonly threads?: Threads;
}

export interface Fleet {
  /**
   * Takes no more jobs and lets those in hand finish until `DRAIN_DEADLINE_MS`; what is left then goes back to its
   * queue without losing an attempt. Resolves within a few seconds of the deadline, whatever is away.
   */
  readonly drain: () => Promise<void>;
}

/** Consumes queues in this process until it is drained. */
export async function startFleet(
  context: Context,
  { name, handlers, module, concurrency, together = Number.POSITIVE_INFINITY, threads }: FleetOptions,
): Promise<Fleet> {
  const { config, log } = context;
  const atOnce = concurrency ?? config.WORKER_CONCURRENCY;
  const takes = takesOf(handlers);
  const names = takes.map((one) => one.name);
  presetCounters(context.metrics, names);
  const worker = await openWorkerContext(context, name, false, { takes, capacity: atOnce, threads });
  const control = hearCancels(context, worker.running);
  const isolation = openIsolation(context, name, module);
  void warmForSuspects(context, isolation, names);
  const inHand = new Set<Promise<void>>();
  let over = false;
  const gate = openBackgroundGate(context, names);
  const hands = openHands(together);
  const hold = async (rank: number, handle: () => Promise<void>) => {
    // the audit gives it to another fleet: this one ends
    if (isBackground(rank) && !(await gate.pass())) return;
    if (over) return;
    const done = handle().finally(() => inHand.delete(done));
    inHand.add(done);
    await done;
  };
  const consumers = handlers.flatMap((work) => [
    consume(context, work, { suspects: false, concurrency: atOnce, hands }, ({ delivery, rank, isAhead, onTaken }) =>
      hold(rank, () => runDelivery(worker, work, delivery, { isAhead, onTaken })),
    ),
    consume(context, work, { suspects: true, concurrency: isolation.room, hands }, ({ delivery, rank }) =>
      hold(rank, () => isolation.run(work.queue, delivery, rank)),
    ),
  ]);
  log.info({ fleet: name, queues: names, worker: worker.lease.id() }, 'the fleet is ready');

  return {
    drain: async () => {
      const deadline = performance.now() + config.DRAIN_DEADLINE_MS;
      gate.close();
      hands.close();
      // stops fetching at once; fulfilled when what was fetched, claims in flight included, has been handled
      const closed = Promise.all(consumers.map((consumer) => consumer.close())).then(() => true);
      const isolated = isolation.close(config.DRAIN_DEADLINE_MS);
      await untilQuiet(closed, inHand, deadline);
      over = true;
      await stopAll(worker, inHand, performance.now() + SETTLE_MS);
      if (inHand.size > 0) log.error({ jobs: [...worker.running.keys()] }, 'jobs could not be handed back in time');
      await bounded(Promise.all([isolated, closed]), QUIET_MS);
      // last: without it, what still runs would look like the work of a dead process
      await bounded(worker.lease[Symbol.asyncDispose](), SETTLE_MS);
      control.disconnect();
    },
  };
}

/** The queues that are consumed, each with its versions. */
function takesOf(handlers: readonly Handler[]): readonly Takes[] {
  const byName = Map.groupBy(handlers, ({ queue }) => queue.name);
  return [...byName].map(([name, own]) => ({ name, versions: own.map(({ queue }) => queue.version) }));
}

/** After a crash the sweep waits for a lease: long enough to start what its suspects will run in. */
async function warmForSuspects(context: Context, isolation: Isolation, queues: readonly string[]): Promise<void> {
  // not known: they start it themselves
  const expected = await expectSuspects(context, queues).catch(() => false);
  if (expected) await isolation.warm();
}

/** Waits until all that was fetched has been handled, at most until `deadline` (performance.now()). */
async function untilQuiet(closed: Promise<boolean>, inHand: ReadonlySet<unknown>, deadline: number): Promise<void> {
  let busyAt = performance.now();
  for (let now = busyAt; now < deadline && now - busyAt < QUIET_MS; now = performance.now()) {
    if (inHand.size > 0) busyAt = now;
    if (await Promise.race([closed, sleep(Math.min(20, deadline - now), false)])) return;
  }
}

/** Stops what runs, also what a claim in flight starts meanwhile, and waits until it is settled. */
async function stopAll({ running }: WorkerContext, inHand: ReadonlySet<unknown>, deadline: number): Promise<void> {
  while (inHand.size > 0 && performance.now() < deadline) {
    for (const { stop } of running.values()) stop.abort(new StopReason('drain'));
    await sleep(10);
  }
}

async function bounded(work: PromiseLike<unknown>, ms: number): Promise<void> {
  await Promise.race([Promise.resolve(work).catch(() => {}), sleep(ms, undefined, { ref: false })]);
}

import { Queue } from 'bullmq';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { lanes } from '#src/lib/async/lanes.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { addCarriers, roomInWindow } from './add-carriers.ts';
import { type BrokerLine, brokerName, brokerPrefix, type Dispatched, type Versioned } from './broker-names.ts';
import { type Carrier, load } from './carriers.ts';
import { openTries } from './quiet-lane.ts';
import { sendToLine } from './send-to-line.ts';

/**
 * Reads which of these queues are paused in the broker, with all their versions, suspects included: none, all, or some
 * after a half-done change.
 */
export async function readPausedInBroker(
  context: Context,
  queues: readonly string[],
): Promise<ReadonlyMap<string, 'no' | 'yes' | 'half'>> {
  const { redis, config } = context;
  const registry = registryOf(context);
  const isPaused = async (versioned: Versioned, suspect: boolean) =>
    await redis.hexists(`${brokerPrefix(config, versioned.queue)}:${brokerName(versioned, suspect)}:meta`, 'paused');
  const states = queues.map(async (queue) => {
    const versions = registry.versions(queue);
    // not as one pipeline: queues may lie on several nodes of a cluster
    const answers = await Promise.all(
      versions.flatMap((version) => [isPaused({ queue, version }, false), isPaused({ queue, version }, true)]),
    );
    const paused = answers.filter((answer) => answer === 1).length;
    return [queue, paused === 0 ? 'no' : paused === answers.length ? 'yes' : 'half'] as const;
  });
  return new Map(await Promise.all(states));
}

/** Parts of a job that comes, by which its way is decided. */
interface Arriving extends Versioned {
  readonly owner: string;
  readonly group: string | null;
}

export interface Broker {
  /**
   * Adds a job after its commit, with what else is added meanwhile. Where its queue's window is full it stands in line,
   * and the feeder adds it; but for the few of a group that has next to nothing there. Never throws: what is lost here, the audit finds.
   */
  readonly add: (job: Dispatched) => void;
  /** Adds many in the same way. Never throws either. */
  readonly addLater: (jobs: readonly Dispatched[]) => void;
  /** Adds many in the same way, and waits for Redis. @throws what Redis answers; some are added then. */
  readonly addAll: (jobs: readonly Dispatched[]) => Promise<void>;
  /** Adds what the feeder has chosen, in this order, behind what is there of the same rank. @throws what Redis answers. */
  readonly feed: (jobs: readonly Dispatched[], isNext: boolean) => Promise<void>;
  /**
   * Checks whether a job that comes now goes to the broker at once; false where others stand in line before it. As far
   * as this process knows: nothing is asked for it.
   */
  readonly goesAtOnce: (job: Arriving) => boolean;
  /** From now on hands out nothing of a queue, suspects included, or everything again. @throws what Redis answers. */
  readonly setPaused: (queue: string, paused: boolean) => Promise<void>;
}

/** Carriers that one command adds: it keeps Redis from everybody else for some milliseconds. */
const TOGETHER = 100;
/** Jobs that go into the carriers of one round of adds. */
const GATHERED = 1_000;
/** Time between two looks at a window that was full, ms. */
const LOOK_MS = 20;

/** The queues of BullMQ, opened once per process over the context's one Redis connection. */
export const openBroker = perContext((context: Context): Broker => {
  const { redis, config, log, metrics } = context;
  const queues = new Map<string, Queue>();
  const pending = new Set<Promise<unknown>>();
  /** Queues whose windows were full, with the time of the next look at them (performance.now()). */
  const full = new Map<string, number>();
  const tries = openTries();
  context.onClose(() => Promise.allSettled([...pending, ...[...queues.values()].map((queue) => queue.close())]));

  const queueOf = (versioned: Versioned, suspect: boolean): Queue => {
    const name = brokerName(versioned, suspect);
    const known = queues.get(name);
    if (known) return known;
    const queue = new Queue(name, {
      connection: redis,
      prefix: brokerPrefix(config, versioned.queue),
      skipMetasUpdate: true,
      skipWaitingForReady: true,
    });
    queue.on('error', (error) => log.debug({ err: error, queue: name }, 'broker'));
    queues.set(name, queue);
    // one that was opened while Redis was away never works: the next use opens another
    queue.waitUntilReady().catch(() => {
      if (queues.get(name) === queue) queues.delete(name);
    });
    return queue;
  };

  const keysOf = (line: BrokerLine) => ({
    prefix: brokerPrefix(config, line.queue),
    name: brokerName(line, line.suspect),
  });

  /** Adds carriers of one queue; answers those that found no room. */
  const addTo = async (line: BrokerLine, carriers: readonly Carrier[], isBounded: boolean) => {
    const refused: Carrier[] = [];
    // one slice after the other: all at once would keep Redis from everybody else, and outlast the command timeout
    for (let at = 0; at < carriers.length; at += TOGETHER)
      refused.push(...(await addCarriers(redis, keysOf(line), carriers.slice(at, at + TOGETHER), isBounded)));
    return refused;
  };

  /** Adds jobs as far as there is room; the others stand in line, but for a few of groups that have next to nothing there. */
  const sendBounded = async (line: BrokerLine, carriers: readonly Carrier[]) => {
    const name = brokerName(line, false);
    // where there is a line, the first try would be in vain
    const left = full.has(name) ? carriers : await addTo(line, carriers, true);
    if (left.length === 0) return;
    full.set(name, performance.now() + LOOK_MS);
    const jobs = left.flatMap((carrier) => carrier.jobs);
    const byGroup = [...load(jobs, { isNext: true, byGroup: true }).values()].flat();
    const refused = await addTo(line, byGroup, true);
    for (const { group } of refused) tries.refused(name, group);
    const waiting = refused.flatMap((carrier) => carrier.jobs);
    if (waiting.length > 0) await sendToLine(context, waiting);
  };

  const send = async (jobs: readonly Dispatched[], isNext: boolean, isBounded: boolean) => {
    const fed = jobs.filter(({ feed }) => feed === 'fed');
    await Promise.all(
      [...load(fed, { isNext })].map(async ([line, carriers]) => {
        if (isBounded && !line.suspect) await sendBounded(line, carriers);
        else await addTo(line, carriers, false);
      }),
    );
  };

  // what is added while a command is under way goes into the next
  const addNow = lanes<Dispatched, void>(
    async (jobs) => {
      await send(jobs, true, true);
      return jobs.map(() => ({ status: 'fulfilled', value: undefined }));
    },
    { size: GATHERED },
  );

  const inBackground = (work: Promise<unknown>, queue: string) => {
    const kept: Promise<unknown> = work.then(
      () => pending.delete(kept),
      (error: unknown) => {
        pending.delete(kept);
        metrics.proofline_broker_errors_total.inc({ queue });
        log.debug({ err: error, queue }, 'what was added to the broker was lost; the audit will find it');
      },
    );
    pending.add(kept);
  };

  /** Looks whether a window that was full has room again: half of what goes into it at once. */
  const look = async (line: Versioned, name: string) => {
    const jobs = await roomInWindow(redis, keysOf({ ...line, suspect: false })).catch(() => 0);
    if (jobs > 0) full.delete(name);
  };

  return {
    addAll: async (jobs) => await send(jobs, true, true),
    feed: async (jobs, isNext) => await send(jobs, isNext, false),
    goesAtOnce: (job) => {
      if (full.size === 0) return true;
      const name = brokerName(job, false);
      const lookAt = full.get(name);
      if (lookAt === undefined) return true;
      if (performance.now() >= lookAt) {
        full.set(name, performance.now() + LOOK_MS);
        void look(job, name);
      }
      return tries.isWorthATry(name, job.group ?? job.owner);
    },
    setPaused: async (queue, paused) => {
      for (const version of registryOf(context).versions(queue))
        for (const suspect of [false, true]) {
          const broker = queueOf({ queue, version }, suspect);
          await (paused ? broker.pause() : broker.resume());
        }
    },
    addLater: (jobs) => {
      for (const [queue, own] of Map.groupBy(jobs, (job) => job.queue)) inBackground(send(own, true, true), queue);
    },
    add: (job) => {
      if (job.feed === 'fed') inBackground(addNow(job), job.queue);
    },
  };
});

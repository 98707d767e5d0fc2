import { Queue } from 'bullmq';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { lanes } from '#src/lib/async/lanes.ts';
import type { Config } from '#src/system/config/config-type.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { addEntries, type NewEntry } from './add-entries.ts';
import { brokerRank } from './broker-rank.ts';

/** Content of a broker entry: ids, never payloads. */
export interface Delivery {
  readonly id: string;
  readonly dispatch: number;
}

export interface Dispatched extends Delivery {
  readonly queue: string;
  /** Version of the contract that it was accepted under. */
  readonly version: number;
  readonly owner: string;
  readonly suspect: boolean;
  readonly priority: number;
  /**
   * Earliest time of its run, and with it the database's clock when it was read: this machine's clock may be another.
   */
  readonly runAt: Date;
  readonly queuedAt?: Date;
}

/** A version of a queue: a worker is handed no others than those it takes, so that each is a queue of the broker. */
export interface Versioned {
  readonly queue: string;
  readonly version: number;
}

/** The BullMQ queue of a contract; suspects have one of their own, consumed one at a time by a process of their own. */
export function brokerName({ queue, version }: Versioned, suspect: boolean): string {
  // the first version has the name that its queue had before there were versions
  const name = version === 1 ? queue : `${queue}@${version}`;
  return suspect ? `${name}.suspects` : name;
}

/** Hash tag per queue, so that a queue's keys share one slot of a Redis Cluster. */
export function brokerPrefix(config: Config, queue: string): string {
  return `{${config.REDIS_PREFIX}-${queue}}`;
}

/** Never the bare job id: BullMQ swallows a re-add while an old entry of that id is still active or kept. */
export function brokerId({ id, dispatch }: Delivery): string {
  return `${id}-${dispatch}`;
}

/** Names one entry. */
export type Entry = Pick<Dispatched, 'id' | 'dispatch' | 'queue' | 'version' | 'suspect'>;

export function brokerKey(config: Config, entry: Entry): string {
  return `${brokerPrefix(config, entry.queue)}:${brokerName(entry, entry.suspect)}:${brokerId(entry)}`;
}

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

export interface Broker {
  /** Adds an entry after its commit. Never throws: what is lost here, the audit adds again. */
  readonly add: (entry: Dispatched) => void;
  /** Adds and waits for Redis. @throws what Redis answers. */
  readonly addNow: (entry: Dispatched) => Promise<void>;
  /** Adds many and waits for Redis. @throws what Redis answers; some are added then. */
  readonly addAll: (entries: readonly Dispatched[]) => Promise<void>;
  /** Adds many after their commit, without a wait. Never throws: what is lost here, the audit adds again. */
  readonly addLater: (entries: readonly Dispatched[]) => void;
  /** Takes a waiting entry out again; best effort, since a claim refuses it anyway. */
  readonly remove: (entry: Entry) => void;
  /** From now on hands out nothing of a queue, suspects included, or everything again. @throws what Redis answers. */
  readonly setPaused: (queue: string, paused: boolean) => Promise<void>;
}

/** Entries that one command adds: it keeps Redis from everybody else for some milliseconds. */
const TOGETHER = 250;

function newEntry(entry: Dispatched): NewEntry {
  const { id, dispatch, runAt, queuedAt } = entry;
  const delay = Math.max(0, runAt.getTime() - (queuedAt?.getTime() ?? Date.now()));
  const data: Delivery = { id, dispatch };
  return { id: brokerId(entry), data: JSON.stringify(data), priority: brokerRank(entry), delay };
}

/** The queues of BullMQ, opened once per process over the context's one Redis connection. */
export const openBroker = perContext((context: Context): Broker => {
  const queues = new Map<string, Queue>();
  const pending = new Set<Promise<unknown>>();
  context.onClose(() => Promise.allSettled([...pending, ...[...queues.values()].map((queue) => queue.close())]));

  const queueOf = (versioned: Versioned, suspect: boolean): Queue => {
    const full = brokerName(versioned, suspect);
    const known = queues.get(full);
    if (known) return known;
    const queue = new Queue(full, {
      connection: context.redis,
      prefix: brokerPrefix(context.config, versioned.queue),
      skipMetasUpdate: true,
      skipWaitingForReady: true,
    });
    queue.on('error', (error) => context.log.debug({ err: error, queue: full }, 'broker'));
    queues.set(full, queue);
    // one that was opened while Redis was away never works: the next add opens another
    queue.waitUntilReady().catch(() => {
      if (queues.get(full) === queue) queues.delete(full);
    });
    return queue;
  };

  const send = async (entries: readonly Dispatched[]) => {
    await Promise.all(
      [...Map.groupBy(entries, (entry) => brokerName(entry, entry.suspect))].map(async ([name, [first, ...more]]) => {
        const { queue } = first!;
        const prefix = brokerPrefix(context.config, queue);
        await addEntries(context.redis, { prefix, name }, [first!, ...more].map(newEntry));
      }),
    );
  };

  // what is added while a command is under way goes into the next
  const addNow = lanes<Dispatched, void>(
    async (entries) => {
      await send(entries);
      return entries.map(() => ({ status: 'fulfilled', value: undefined }));
    },
    { size: TOGETHER },
  );

  const addAll = async (entries: readonly Dispatched[]) => {
    // one slice after the other: all at once would keep Redis from everybody else, and outlast the command timeout
    for (let at = 0; at < entries.length; at += TOGETHER) await send(entries.slice(at, at + TOGETHER));
  };

  const inBackground = (work: Promise<unknown>, message: string, queue: string) => {
    const kept: Promise<unknown> = work.then(
      () => pending.delete(kept),
      (error: unknown) => {
        pending.delete(kept);
        context.metrics.proofline_broker_errors_total.inc({ queue });
        context.log.debug({ err: error, queue }, message);
      },
    );
    pending.add(kept);
  };

  return {
    addNow,
    addAll,
    setPaused: async (queue, paused) => {
      for (const version of registryOf(context).versions(queue))
        for (const suspect of [false, true]) {
          const broker = queueOf({ queue, version }, suspect);
          await (paused ? broker.pause() : broker.resume());
        }
    },
    addLater: (entries) => {
      for (const [queue, own] of Map.groupBy(entries, (entry) => entry.queue))
        inBackground(addAll(own), 'broker adds were lost; the audit will repeat them', queue);
    },
    add: (entry) => inBackground(addNow(entry), 'a broker add was lost; the audit will repeat it', entry.queue),
    remove: (entry) =>
      inBackground(
        queueOf(entry, entry.suspect).remove(brokerId(entry)),
        'a broker entry was not removed',
        entry.queue,
      ),
  };
});

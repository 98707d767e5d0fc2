import type { Feed } from '#src/jobs/model/feed.ts';
import type { Config } from '#src/system/config/config-type.ts';

/** A job as an entry of the broker carries it: ids, never payloads. */
export interface Delivery {
  readonly id: string;
  readonly dispatch: number;
}

export interface Dispatched extends Delivery {
  readonly queue: string;
  /** Version of the contract that it was accepted under. */
  readonly version: number;
  readonly owner: string;
  /** Group whose share it counts for, its owner's where null; not said by what does not bring new jobs. */
  readonly group?: string | null;
  readonly suspect: boolean;
  readonly priority: number;
  /** Only what is `fed` goes to the broker. */
  readonly feed: Feed;
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

/** A queue of the broker. */
export interface BrokerLine extends Versioned {
  readonly suspect: boolean;
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

/** Names a delivery: another dispatch of the job is another. */
export function brokerId({ id, dispatch }: Delivery): string {
  return `${id}-${dispatch}`;
}

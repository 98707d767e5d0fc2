import { randomUUID } from 'node:crypto';
import { type BrokerLine, brokerId, brokerName, type Delivery, type Dispatched } from './broker-names.ts';
import { brokerRank } from './broker-rank.ts';

/** Jobs that one entry of the broker carries: a job more costs the broker next to nothing. */
export const MOST_CARRIED = 128;

/** An entry of the broker, as it is added: jobs of one queue, one rank and one time. */
export interface Carrier {
  readonly id: string;
  readonly jobs: readonly Dispatched[];
  /** Place among the entries of its queue, the lowest first. */
  readonly priority: number;
  /** Milliseconds until it is due. */
  readonly delay: number;
  /** Group of all its jobs, where they may go before a line; '' for any. */
  readonly group: string;
}

/** Rank of the jobs that an entry of this priority carries, and whether they go before those of the feeder. */
export function placeOf(priority: number): { readonly rank: number; readonly isNext: boolean } {
  return { rank: priority >> 1, isNext: priority % 2 === 0 };
}

/** Text of a delivery in an entry: half of what JSON of its members takes in Redis. */
export function carriedText(delivery: Delivery): string {
  return brokerId(delivery);
}

/** The delivery of such a text. Anyone on the same Redis can write one: what is none names no job. */
export function carriedDelivery(text: string): Delivery {
  const at = text.lastIndexOf('-');
  return { id: text.slice(0, at), dispatch: Number(text.slice(at + 1)) };
}

/** Way of loading jobs into carriers. */
interface Loading {
  /** True for jobs that go before others of their rank which the feeder has added. */
  readonly isNext: boolean;
  /** True where no carrier has jobs of two groups. */
  readonly byGroup?: boolean;
}

/** Loads jobs into carriers, in their order, for each queue of the broker. */
export function load(jobs: readonly Dispatched[], loading: Loading): ReadonlyMap<BrokerLine, readonly Carrier[]> {
  const queues = new Map<string, { readonly queue: BrokerLine; readonly jobs: Dispatched[] }>();
  for (const job of jobs) {
    const name = brokerName(job, job.suspect);
    const known = queues.get(name);
    if (known) known.jobs.push(job);
    else queues.set(name, { queue: { queue: job.queue, version: job.version, suspect: job.suspect }, jobs: [job] });
  }
  return new Map([...queues.values()].map(({ queue, jobs: own }) => [queue, loadOne(own, loading)]));
}

/** Name of a job's group; '' where nothing was said of it. */
export function groupName({ group, owner }: Dispatched): string {
  return group === undefined ? '' : (group ?? owner);
}

function loadOne(jobs: readonly Dispatched[], { isNext, byGroup = false }: Loading): Carrier[] {
  const groupOf = (job: Dispatched) => (byGroup ? groupName(job) : '');
  const carriers: Carrier[] = [];
  for (const same of Map.groupBy(jobs, (job) => `${brokerRank(job)} ${delayOf(job)} ${groupOf(job)}`).values()) {
    const first = same[0]!;
    const priority = 2 * brokerRank(first) + Number(!isNext);
    // a suspect runs alone, and is delivered alone
    const most = first.suspect ? 1 : MOST_CARRIED;
    for (let at = 0; at < same.length; at += most)
      carriers.push({
        id: randomUUID(),
        jobs: same.slice(at, at + most),
        priority,
        delay: delayOf(first),
        group: groupOf(first),
      });
  }
  return carriers;
}

function delayOf({ runAt, queuedAt }: Dispatched): number {
  return Math.max(0, runAt.getTime() - (queuedAt?.getTime() ?? Date.now()));
}

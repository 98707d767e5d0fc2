import { type BrokerLine, brokerId, type Delivery } from '#src/jobs/broker/broker-names.ts';
import { type Carried, readCarried } from '#src/jobs/broker/read-carried.ts';
import type { Context } from '#src/system/context.ts';
import { trial } from '#test/helpers/trial.ts';

type Known = Pick<Context, 'config' | 'redis'>;

/** The queue of the broker that most tests use. */
export const trialLine: BrokerLine = { queue: trial.name, version: 1, suspect: false };

/** The entry of the broker that carries a job; undefined where none does. */
export async function entryOf(
  context: Known,
  job: Delivery,
  line: BrokerLine = trialLine,
): Promise<Carried | undefined> {
  return (await readCarried(context, line)).find(({ jobs }) => jobs.includes(brokerId(job)));
}

/** The deliveries that the broker has of a queue, with the entry of each. */
export async function carriedIn(context: Known, line: BrokerLine = trialLine): Promise<ReadonlyMap<string, Carried>> {
  const carried = await readCarried(context, line);
  return new Map(carried.flatMap((entry) => entry.jobs.map((job) => [job, entry])));
}

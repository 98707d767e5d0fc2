import { sql } from 'slonik';
import Type from 'typebox';
import { fillHistory } from '#src/jobs/history/fill-history.ts';
import { addFigures, Figures, type PastFigures } from '#src/jobs/history/read-history.ts';
import { countOf } from '#src/jobs/history/sketch.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { openStory, type Story } from '#test/jobs/steps/story.ts';

export interface HistoryWorld extends Story {
  /** Counts what is new, over a connection of its own. */
  readonly fill: () => Promise<void>;
  /** Figures of a queue and a group, '' for all: the same in each resolution, or this throws. */
  readonly sum: (queue: string, group?: string) => Promise<Counted>;
  /** Submits a job, begins it and ends it. */
  readonly did: (how: 'succeeded' | 'failed') => Promise<string>;
}

export type Counted = Omit<PastFigures, 'waits' | 'runs'> & { readonly waits: number; readonly runs: number };

const countedRow = row(Type.Interface([Figures], { resolution: Type.Integer() }));

/** A system on which nothing runs, whose history has begun. */
export async function historyWorld(settings: Readonly<Record<string, string>> = {}): Promise<HistoryWorld> {
  const story = await openStory(settings);
  const client = await story.connect();
  const fill = async () => await fillHistory(story.context, client);
  await fill();
  return {
    ...story,
    fill,
    sum: async (queue, group = '') => {
      const rows = await story.context.db.any(sql.type(countedRow)`
        select resolution, submitted, started, succeeded, failed, cancelled, expired, retried, waits, runs
        from queue_history where queue = ${queue} and group_name = ${group}`);
      const sums = [60, 600, 3_600].map((seconds) => {
        const { waits, runs, ...counts } = addFigures(rows.filter(({ resolution }) => resolution === seconds));
        return { ...counts, waits: countOf(waits), runs: countOf(runs) };
      });
      const [first] = sums;
      if (!first || sums.some((one) => JSON.stringify(one) !== JSON.stringify(first)))
        throw new Error(`expected the same in each resolution, got ${JSON.stringify(sums)}`);
      return first;
    },
    did: async (how) => {
      const fence = await story.running();
      await story.settled(fence, how);
      return fence.job;
    },
  };
}

/** Nothing but these. */
export function only(some: Partial<Counted>): Counted {
  return {
    submitted: 0,
    started: 0,
    succeeded: 0,
    failed: 0,
    cancelled: 0,
    expired: 0,
    retried: 0,
    waits: 0,
    runs: 0,
    ...some,
  };
}

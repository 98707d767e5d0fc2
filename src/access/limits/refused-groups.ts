import { type GroupFigures, MOST_SHOWN } from '#src/jobs/figures/group-figures.ts';
import type { Context } from '#src/system/context.ts';
import { type Refusals, refusalsOf } from './refusals.ts';

/** Figures of a group, with its jobs that limits refused in this hour and the one before. */
export interface RefusedGroupFigures extends GroupFigures {
  readonly refused: number;
}

/** Sums refusals of jobs by queue and group, the most refused groups first. */
export function refusedByGroup(refusals: readonly Refusals[]): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const queues = new Map<string, Map<string, number>>();
  for (const { queue, group, refused } of refusals) {
    if (queue === null || group === null) continue;
    const groups = queues.get(queue) ?? new Map<string, number>();
    queues.set(queue, groups.set(group, (groups.get(group) ?? 0) + refused));
  }
  return new Map([...queues].map(([queue, groups]) => [queue, new Map([...groups].toSorted(([, a], [, b]) => b - a))]));
}

/** Adds to the figures of a queue's groups how many of their jobs were refused; groups that have nothing else come last. */
export function withRefused(
  figures: readonly GroupFigures[],
  refused: ReadonlyMap<string, number> = new Map(),
): readonly RefusedGroupFigures[] {
  const known = new Set(figures.map(({ group }) => group));
  const others = [...refused].filter(([group]) => !known.has(group));
  return [
    ...figures.map((one) => ({ ...one, refused: refused.get(one.group) ?? 0 })),
    ...others.map(([group, many]) => ({ group, waiting: 0, running: 0, oldest: 0, refused: many })),
  ];
}

/** Reads how many jobs of each group of a queue were refused; none while Redis is away, as the other figures do without it. */
export async function readRefused(context: Context, queue: string): Promise<ReadonlyMap<string, number>> {
  const refusals = await refusalsOf(context)
    .read()
    .catch((error: unknown) => {
      context.log.debug({ err: error }, 'the refusals were not read');
      return [];
    });
  return refusedByGroup(refusals).get(queue) ?? new Map();
}

/**
 * Fills the gauge of refused jobs by group at every scrape: of each queue the most refused groups, and the others together,
 * without the label of a group.
 */
export function gaugeRefusedGroups(context: Context): void {
  const gauge = context.metrics.proofline_group_refused;
  const read = async () => {
    const queues = refusedByGroup(await refusalsOf(context).read());
    gauge.reset();
    for (const [queue, groups] of queues) {
      const all = [...groups];
      for (const [group, refused] of all.slice(0, MOST_SHOWN)) gauge.set({ queue, group }, refused);
      const rest = all.slice(MOST_SHOWN).reduce((sum, [, refused]) => sum + refused, 0);
      if (rest > 0) gauge.set({ queue }, rest);
    }
  };
  // a scrape while Redis is away must still show everything else
  const collect = async () =>
    await read().catch((error: unknown) => context.log.debug({ err: error }, 'the refusals were not read'));
  Object.assign(gauge, { collect });
}

import { systemOwner } from '#src/lib/system-owner.ts';

/** Above every priority of a job. */
const BACKGROUND = 10_000;

/**
 * Place of a suspect among the others, over all queues; the lowest runs first. Suspects run a few at a time, after an
 * outage perhaps all of them are some: jobs that a person asked for go before those that the system asked for by itself.
 */
export function suspectRank({ owner, priority }: { readonly owner: string; readonly priority: number }): number {
  return owner === systemOwner ? BACKGROUND + priority : priority;
}

/** Whether a suspect of this rank is one that nobody waits for. */
export function isBackground(rank: number): boolean {
  return rank >= BACKGROUND;
}

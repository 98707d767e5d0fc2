import { systemOwner } from '#src/lib/system-owner.ts';

/** Above every priority of a job. */
const BACKGROUND = 10_000;

/**
 * Place of a job among the others, the lowest first: jobs that a caller submitted go before jobs of the system itself.
 * The broker orders each queue by it; of suspects, the isolated processes order all queues by it.
 */
export function brokerRank({ owner, priority }: { readonly owner: string; readonly priority: number }): number {
  return owner === systemOwner ? BACKGROUND + priority : priority;
}

/** Checks whether a job of this rank is one that no caller waits for. */
export function isBackground(rank: number): boolean {
  return rank >= BACKGROUND;
}

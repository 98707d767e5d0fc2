import { refusalsOf } from '#src/access/limits/refusals.ts';
import type { Context } from '#src/system/context.ts';
import { type Alert, REFUSALS, REFUSES_MS } from './alert.ts';

/** Finds limits that refuse, look by look. */
export interface RefusalWatch {
  /**
   * Answers the limits that have refused more than {@link REFUSALS} requests or jobs of an owner in the five minutes
   * before `now`. It is complete once it has watched for so long: before that, a limit that it does not name may refuse too.
   */
  readonly find: (now: number) => Promise<{ readonly alerts: readonly Alert[]; readonly isComplete: boolean }>;
}

interface Growth {
  readonly at: number;
  readonly by: ReadonlyMap<string, number>;
}

/** Watches the counts of refusals, which only grow within an hour: what they grow by in five minutes is what counts. */
export function watchRefusals(context: Context): RefusalWatch {
  let begun: number | null = null;
  let before: ReadonlyMap<string, number> = new Map();
  let growths: readonly Growth[] = [];
  return {
    find: async (now) => {
      const counts = new Map<string, number>();
      for (const { owner, policy, queue, refused } of await refusalsOf(context).read()) {
        const name = JSON.stringify([owner, policy, queue]);
        counts.set(name, (counts.get(name) ?? 0) + refused);
      }
      // what was counted before the first look may be an hour old
      if (begun !== null) {
        const by = new Map([...counts].map(([name, count]) => [name, Math.max(0, count - (before.get(name) ?? 0))]));
        growths = [...growths, { at: now, by }].filter(({ at }) => at > now - REFUSES_MS);
      }
      begun ??= now;
      before = counts;
      return { alerts: alertsOf(growths), isComplete: now - begun >= REFUSES_MS };
    },
  };
}

function alertsOf(growths: readonly Growth[]): readonly Alert[] {
  const sums = new Map<string, number>();
  for (const { by } of growths) for (const [name, n] of by) sums.set(name, (sums.get(name) ?? 0) + n);
  return [...sums].flatMap(([name, refused]) => {
    if (refused <= REFUSALS) return [];
    const [owner, policy, queue] = JSON.parse(name) as [owner: string, policy: string, queue: string | null];
    const data = { policy, queue, refused, within_s: REFUSES_MS / 1_000 };
    return [{ kind: 'limit_refuses', owner, subject: [policy, queue], data, begins: true }];
  });
}

import { missionChannel } from '#src/governance/missions/change-mission.ts';
import type { Mission } from '#src/governance/missions/mission-row.ts';
import { readMission } from '#src/governance/missions/mission-store.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import type { Context } from '#src/system/context.ts';

/** Milliseconds between reads of the row regardless of messages: a lost one must not cost the whole wait. */
const DOUBT_MS = 1_000;

/**
 * The mission once `until` says so, or as it is after `ms` milliseconds, or when `signal` is aborted. Hears of changes
 * from the mission's channel; the row has the last word.
 */
export async function waitForMission(
  context: Context,
  { bus }: Pick<Hub, 'bus'>,
  id: string,
  until: (mission: Mission) => boolean,
  ms: number,
  signal: AbortSignal,
): Promise<Mission | null> {
  let wake = () => {};
  let news = true;
  const look = () => {
    news = true;
    wake();
  };
  const subscription = bus.subscribe(missionChannel(context.config, id), { message: look, resubscribed: look });
  const doubt = setInterval(look, DOUBT_MS);
  const end = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  end.addEventListener('abort', look);
  try {
    await Promise.race([subscription.ready, new Promise<void>((resolve) => (wake = resolve))]);
    for (;;) {
      news = false;
      const mission = await readMission(context, id);
      if (!mission || end.aborted || until(mission)) return mission;
      if (!news) await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    clearInterval(doubt);
    end.removeEventListener('abort', look);
    subscription.close();
  }
}

/**
 * Nothing more comes by waiting: anchored, waiting for a human, or ended otherwise with its receipt sealed, since a
 * caller that hears of a failure is sent to the receipt.
 */
export function isOver({ state, closedAt, sealedAt }: Mission): boolean {
  if (closedAt !== null || state === 'awaiting_human') return true;
  return sealedAt !== null && (state === 'failed' || state === 'cancelled');
}

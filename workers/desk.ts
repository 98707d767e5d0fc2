import { type Claimed, openClaims } from '#src/jobs/claim-jobs.ts';
import { holdLease, type Lease } from '#src/jobs/lease.ts';
import { openSettlements } from '#src/jobs/settle-jobs.ts';
import type { Context } from '#src/system/context.ts';
import { openThreads, type Threads } from '#src/system/threads.ts';
import { StopReason } from './stop-reason.ts';

export interface Running {
  readonly stop: AbortController;
  /** performance.now() */
  readonly claimedAt: number;
  readonly done: PromiseWithResolvers<void>;
}

/** What one worker process works with: its lease, what it runs now, and its claims and settlements. */
export interface Desk {
  readonly context: Context;
  readonly threads: Threads;
  readonly lease: Lease;
  readonly running: Map<string, Running>;
  readonly claim: ReturnType<typeof openClaims>;
  readonly settle: ReturnType<typeof openSettlements>;
  readonly onClaim: (claimed: Claimed) => void;
}

/** Opens the desk of a process that takes ordinary jobs, or suspects. The lease is given back by the caller. */
export async function openDesk(
  context: Context,
  fleet: string,
  suspects: boolean,
  onClaim: Desk['onClaim'] = () => {},
): Promise<Desk> {
  const running = new Map<string, Running>();
  const strangers = new Map<string, number>();
  const lease = await holdLease(context, fleet, {
    suspects,
    onBeat: (known, at) => {
      // cancelled while its message was lost, or taken over: stop what the database does not know as ours
      for (const [id, { stop, claimedAt }] of running)
        if (claimedAt < at && !known.has(id)) stop.abort(new StopReason('cancelled'));
      return longUnknown(known, running, strangers);
    },
    onLost: () => {
      const ids = [...running.keys()];
      for (const { stop } of running.values()) stop.abort(new StopReason('lease_lost'));
      return ids;
    },
  });
  const claim = openClaims(context, lease.id, suspects);
  return {
    context,
    threads: openThreads(context),
    lease,
    running,
    claim: async (delivery) => {
      const claimed = await claim(delivery);
      if (!claimed || claimed.worker === lease.id()) return claimed;
      // the lease was lost while the claim was under way: unclaimed by us, it would pass for the work of a dead process
      lease.giveUp(claimed.worker, claimed.id);
      return null;
    },
    settle: openSettlements(context),
    onClaim,
  };
}

/** Jobs the database counts as ours and we do not run, seen at three beats in a row: at one, a claim or settlement may be under way. */
function longUnknown(
  known: ReadonlySet<string>,
  running: ReadonlyMap<string, Running>,
  strangers: Map<string, number>,
): string[] {
  for (const id of strangers.keys()) if (!known.has(id) || running.has(id)) strangers.delete(id);
  for (const id of known) if (!running.has(id)) strangers.set(id, (strangers.get(id) ?? 0) + 1);
  return [...strangers].filter(([, beats]) => beats > 2).map(([id]) => id);
}

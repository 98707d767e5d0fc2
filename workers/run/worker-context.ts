import type { Takes } from '#src/jobs/model/takes.ts';
import { type Claim, type Claimed, openClaims } from '#src/jobs/run/claim-jobs.ts';
import { holdJobs, type Running } from '#src/jobs/run/hold-jobs.ts';
import type { Lease } from '#src/jobs/run/lease.ts';
import { openSettlements } from '#src/jobs/run/settle-jobs.ts';
import type { Context } from '#src/system/context.ts';
import { openThreads, type Threads } from '#src/system/threads.ts';

/** Everything a worker process runs jobs with: its lease, what it runs now, and its claims and settlements. */
export interface WorkerContext {
  readonly context: Context;
  readonly threads: Threads;
  readonly lease: Lease;
  readonly running: Map<string, Running>;
  readonly claim: ClaimDelivery;
  /** The same for what went before a line: it waits for no batch of those that stand in it. */
  readonly claimAhead: ClaimDelivery;
  readonly settle: ReturnType<typeof openSettlements>;
  readonly onClaim: (claimed: Claimed) => void;
}

type ClaimDelivery = (delivery: Omit<Claim, 'worker'>) => Promise<Claimed | null>;

interface WorkerContextOptions {
  readonly onClaim?: WorkerContext['onClaim'];
  /** Queues and versions of which jobs are delivered to the process; not said of one for suspects. */
  readonly takes?: readonly Takes[];
  /** Jobs of each of them at once. */
  readonly capacity?: number;
  /** Threads for its processors; a pool that is opened now without it. */
  readonly threads?: Threads | undefined;
}

/** Opens the context of a process that takes ordinary jobs, or suspects. The caller releases the lease. */
export async function openWorkerContext(
  context: Context,
  fleet: string,
  suspects: boolean,
  { onClaim = () => {}, takes, capacity, threads = openThreads(context) }: WorkerContextOptions = {},
): Promise<WorkerContext> {
  const running = new Map<string, Running>();
  const lease = await holdJobs(
    context,
    fleet,
    { suspects, ...(takes && { takes }), ...(capacity !== undefined && { capacity }) },
    running,
  );
  const openClaim = (): ClaimDelivery => {
    const claim = openClaims(context, suspects);
    return async (delivery) => {
      const claimed = await claim({ ...delivery, worker: lease.id() });
      if (!claimed || claimed.worker === lease.id()) return claimed;
      // the lease was lost while the claim was under way: unclaimed by us, it would pass for the work of a dead process
      lease.giveUp(claimed.worker, claimed.id);
      return null;
    };
  };
  return {
    context,
    threads,
    lease,
    running,
    claim: openClaim(),
    claimAhead: openClaim(),
    settle: openSettlements(context),
    onClaim,
  };
}

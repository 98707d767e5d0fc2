import { setTimeout as sleep } from 'node:timers/promises';
import { type DoneFault, perform } from './faults.ts';
import { type Followed, follow } from './follow.ts';
import { type Findings, judge } from './judge.ts';
import { type Submission, submitPlanned } from './load.ts';
import { watchOverdue } from './overdue.ts';
import { type Plan, planOf } from './plan.ts';
import { seeded } from './random.ts';
import { type ChaosSystem, leaseMs, startChaosSystem } from './system.ts';

export interface ChaosOptions {
  readonly seed: number;
  readonly jobs: number;
  /** Time in which jobs come and faults happen, ms; the wait for the last job comes on top. */
  readonly lengthMs: number;
  readonly faultEveryMs: number;
  /** Longest wait for every job to end once all is healed, ms. */
  readonly patienceMs: number;
  readonly say: (line: string) => void;
}

export interface ChaosRun extends Findings {
  readonly plan: Plan;
  readonly submissions: readonly Submission[];
  readonly followed: readonly Followed[];
  readonly faults: readonly DoneFault[];
  /** From the last healed fault until every job had ended, ms. */
  readonly settledMs: number;
}

/** One run: load and faults as the seed says, then everything healed, then the reckoning. */
export async function runChaos(options: ChaosOptions): Promise<ChaosRun> {
  const { seed, say, patienceMs } = options;
  const plan = planOf(seed, { ...options, leaseMs });
  say(`seed ${seed}: ${plan.jobs.length} jobs and ${plan.faults.length} faults in ${plan.lengthMs / 1_000} s`);
  await using system = await startChaosSystem(seed);
  const random = seeded(seed);
  const stop = new AbortController();
  const submissions: Submission[] = plan.jobs.map((job) => ({
    job,
    id: null,
    acceptedAt: 0,
    contradictions: [],
    cancelled: null,
  }));
  const followed: Followed[] = [];
  const following: Promise<void>[] = [];
  const startFollowing = ({ job, id }: Submission) => {
    if (job.followed === null || id === null) return;
    const one: Followed = {
      id,
      transport: job.followed,
      seen: [],
      resets: [],
      connections: 0,
      ended: false,
      endedAt: 0,
    };
    followed.push(one);
    following.push(follow(system, random.fork(`follow ${job.index}`), one, stop.signal));
  };

  say(`the load begins at ${new Date().toISOString()}`);
  const loading = submissions.map((one) =>
    submitPlanned(system, random.fork(`load ${one.job.index}`), one, startFollowing),
  );
  const failing = plan.faults.map(async (fault) => {
    await sleep(fault.at);
    say(`  ${(fault.at / 1_000).toFixed(1)} s ${fault.kind} (${fault.forMs} ms)`);
    return await perform(system, fault);
  });
  const watching = watchOverdue(system, say, stop.signal);
  const faults = await Promise.all(failing);
  await Promise.all(loading);
  const healedAt = performance.now();
  say('all submitted, all healed; waiting for every job to end');
  await untilAllEnded(system, patienceMs);
  const settledMs = performance.now() - healedAt;
  say('waiting for the subscribers');
  await Promise.race([Promise.all(following), sleep(patienceMs, undefined, { ref: false })]);
  stop.abort();
  await watching;
  return { plan, submissions, followed, faults, settledMs, ...(await judge(system, submissions, followed, faults)) };
}

/** Waits until no job is left that has not ended, or gives up: the check then names those. */
async function untilAllEnded({ query }: ChaosSystem, patienceMs: number): Promise<void> {
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await sleep(100)) {
    const rows = await query<{ left: number }>(
      `select count(*)::int as left from jobs where state in ('queued', 'running', 'awaiting_approval')`,
    ).catch(() => []);
    if (rows[0]?.left === 0) return;
  }
}

import { startRelay } from '#src/jobs/ledger/relay.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { startWaker } from '#src/jobs/wake/waker.ts';
import type { Context } from '#src/system/context.ts';
import { handlers as allHandlers } from '#workers/handlers.ts';
import { type Fleet, type FleetOptions, startFleet } from '#workers/run/fleet.ts';

/** Settings under which a death or a crash is noticed within two seconds. */
export const lively = {
  LEASE_MS: '1500',
  BEAT_MS: '200',
  SWEEP_MS: '100',
  AUDIT_MS: '200',
  DRAIN_DEADLINE_MS: '300',
};

export interface RunOptions extends Partial<Pick<FleetOptions, 'name' | 'handlers' | 'module' | 'concurrency'>> {
  /** Queues that the sweep looks after; every queue without it. */
  readonly swept?: readonly string[];
  /** Background work beside relay, sweep and waker, such as `startStudio`. */
  readonly starts?: readonly ((context: Context) => unknown)[];
  /** Without a fleet nothing is carried out until one is started. */
  readonly fleet?: boolean;
}

export interface RunningJobs extends AsyncDisposable {
  /** Starts one more fleet, which drains with the rest. */
  readonly startFleet: () => Promise<Fleet>;
}

/** Runs the jobs of a context in this process: relay, sweep, waker and, unless it is to stay away, a fleet. */
export async function runJobs(context: Context, options: RunOptions = {}): Promise<RunningJobs> {
  const { name = 'test', handlers = allHandlers, concurrency, swept, starts = [], fleet: hasFleet = true } = options;
  const module = options.module ?? new URL(import.meta.resolve('#workers/handlers.ts'));
  startRelay(context);
  startSweep(context, swept);
  startWaker(context);
  for (const start of starts) start(context);
  const fleets = new Set<Fleet>();
  const start = async () => {
    const fleet = await startFleet(context, {
      name,
      handlers,
      module,
      ...(concurrency !== undefined && { concurrency }),
    });
    fleets.add(fleet);
    return {
      drain: async () => {
        fleets.delete(fleet);
        await fleet.drain();
      },
    };
  };
  if (hasFleet) await start();
  return {
    startFleet: start,
    [Symbol.asyncDispose]: async () => void (await Promise.all([...fleets].map((fleet) => fleet.drain()))),
  };
}

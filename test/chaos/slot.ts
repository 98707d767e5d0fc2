import { setTimeout as sleep } from 'node:timers/promises';
import { familyOf } from './family.ts';
import type { Random } from './random.ts';

/** A process that can be harmed: whatever runs at this place now. */
export interface Started {
  readonly pid: number;
  readonly exited: Promise<unknown>;
}

export interface Slot {
  readonly name: string;
  readonly pid: () => number;
  /** SIGKILL; started again after `downMs`. Fulfilled when it serves again. */
  readonly kill: (downMs: number) => Promise<void>;
  /** SIGTERM; started again when it has ended. */
  readonly drain: () => Promise<void>;
  /** SIGSTOP, its children included where the slot is for a server with some, and SIGCONT after `forMs`. */
  readonly pause: (forMs: number) => Promise<void>;
  /** Ends it for good, by force. */
  readonly end: () => Promise<void>;
}

/**
 * Holds a place where `start` puts a process. What is done to one place happens one after the other. `forks` says that
 * its children do the work, and stop with it.
 */
export async function openSlot(
  name: string,
  start: (generation: number) => Promise<Started>,
  forks = false,
): Promise<Slot> {
  let generation = 0;
  let here = await start(generation);
  let turn: Promise<void> = Promise.resolve();
  let closed = false;

  const restart = async () => {
    await here.exited;
    if (!closed) here = await startPatiently(start, ++generation);
  };
  const inTurn = (run: () => Promise<void>): Promise<void> => {
    const mine = turn.then(async () => {
      if (!closed) await run();
    });
    turn = mine.catch(() => {});
    return mine;
  };
  const signal = (which: NodeJS.Signals, pid = here.pid) => {
    try {
      process.kill(pid, which);
    } catch {
      // it has ended by itself; the restart notices
    }
  };
  const signalAll = (which: NodeJS.Signals) => {
    for (const pid of forks ? familyOf(here.pid) : [here.pid]) signal(which, pid);
  };
  return {
    name,
    pid: () => here.pid,
    kill: (downMs) =>
      inTurn(async () => {
        signal('SIGKILL');
        await here.exited;
        await sleep(downMs);
        await restart();
      }),
    drain: () =>
      inTurn(async () => {
        signal('SIGTERM');
        await restart();
      }),
    pause: (forMs) =>
      inTurn(async () => {
        // itself first: from then on it has no new children
        signal('SIGSTOP');
        signalAll('SIGSTOP');
        await sleep(forMs);
        signalAll('SIGCONT');
      }),
    end: async () => {
      closed = true;
      signalAll('SIGCONT');
      signal('SIGKILL');
      await here.exited;
    },
  };
}

/** As a supervisor of processes would: one that ends because a server is away is started again. */
async function startPatiently(start: (generation: number) => Promise<Started>, generation: number): Promise<Started> {
  for (let left = 60; ; left--) {
    try {
      return await start(generation);
    } catch (error) {
      if (left === 0) throw error;
      await sleep(250);
    }
  }
}

/** One of several, by a number of the plan. */
export function chosen(slots: readonly [Slot, ...Slot[]], which: number): Slot {
  return slots[which % slots.length] ?? slots[0];
}

/** A number for the chance inside one generation of one process. */
export function seedOf(random: Random, name: string, generation: number): string {
  return String(Math.floor(random.fork(`${name} ${generation}`).next() * 2 ** 31));
}

import { type Duration, isFinal, type JobState, milliseconds } from '@proofline/client';
import type { JobDefinition } from '../job/define-job.ts';
import { jsonCopy } from '../story/json-copy.ts';
import type { ReportedFailure, StoredStep, TalkReport, Wait } from '../story/reports.ts';
import type { StoredChild, StoredEffect } from './stored-job.ts';
import { release, start, stopAttempt, untilQuiet, type World, wake } from './world.ts';

export type { ReportedFailure, StoredStep, TalkReport, Wait } from '../story/reports.ts';
export type { StoredChild, StoredEffect } from './stored-job.ts';

export interface HarnessOptions {
  /** Time at the beginning; now by default. */
  readonly now?: Date;
  /**
   * Steps, effects or children at which an attempt is held, each once: its function has run, and nothing of what it gave
   * is kept. `crash` and `resume` go on from there.
   */
  readonly pauseAt?: string | readonly string[];
  /** Version of the contract that the job was accepted under; the newest by default. */
  readonly version?: number;
  /** Signals that came before the job began, by name. */
  readonly signals?: Readonly<Record<string, unknown>>;
}

/** End of a child, as a test says it. */
export type ChildEnd = { readonly result: unknown } | { readonly error: ReportedFailure };

/** A job in memory, with time in the hands of a test. */
export interface Harness<Result = unknown> {
  readonly id: string;
  readonly state: JobState;
  /** Number of starts so far. */
  readonly attempt: number;
  /** Number of attempts that failed; crashes do not count. */
  readonly failures: number;
  /** The result once it has succeeded; else null. */
  readonly result: Result | null;
  /** Why it failed, or failed last; null when it never did. */
  readonly error: ReportedFailure | null;
  /** Thing that it waits for; null when it waits for nothing. */
  readonly waitsFor: Wait | null;
  readonly steps: readonly StoredStep[];
  readonly effects: readonly StoredEffect[];
  readonly children: readonly StoredChild[];
  /** Every progress message, oldest first. */
  readonly progress: readonly unknown[];
  readonly logs: readonly Extract<TalkReport, { type: 'log' }>[];
  readonly now: Date;
  /** Moves the time; without one to the next thing that is due. Runs everything that comes due on the way. */
  readonly advance: (time?: Duration | Date) => Promise<void>;
  /** Sends a signal, which may come before the job waits for it. */
  readonly signal: (name: string, payload?: unknown) => Promise<void>;
  /** Ends a child, by the name of its step. */
  readonly endChild: (name: string, end: ChildEnd) => Promise<void>;
  /** The process of a held attempt dies, and another attempt begins. A job that waits is in no process. */
  readonly crash: () => Promise<void>;
  /** Lets a held attempt go on. */
  readonly resume: () => Promise<void>;
  readonly cancel: () => Promise<void>;
}

/**
 * Runs a job in memory until it ends, waits, or is held: the same story as in a worker, and a server that keeps its steps
 * and effects. Takes real time only where the job itself does. JSON Schemas are not checked; those of libraries are.
 */
export async function harness<Payload, Taken, Result>(
  job: JobDefinition<Payload, Taken, Result>,
  payload: NoInfer<Payload>,
  { now = new Date(), pauseAt = [], signals = {}, version = job.version }: HarnessOptions = {},
): Promise<Harness<Result>> {
  const world: World = {
    job,
    version,
    payload: jsonCopy(payload, 'the payload'),
    createdAt: now.toISOString(),
    stored: {
      id: 'job-1',
      steps: [],
      stepBytes: 0,
      effects: new Map(),
      children: new Map(),
      signals: new Map(Object.entries(jsonCopy(signals, 'signals'))),
    },
    progress: [],
    logs: [],
    state: 'queued',
    nowMs: now.getTime(),
    dueMs: now.getTime(),
    attempt: 0,
    failures: 0,
    result: null,
    error: null,
    waiting: null,
    holdAt: new Set([pauseAt].flat()),
    held: undefined,
    stop: new AbortController(),
    ended: Promise.resolve(),
    change: Promise.resolve(),
  };
  start(world);
  await untilQuiet(world);
  return view<Result>(world);
}

function view<Result>(world: World): Harness<Result> {
  const { stored, progress, logs } = world;
  const goOn = async () => {
    wake(world);
    await untilQuiet(world);
  };
  return {
    id: stored.id,
    get state() {
      return world.state;
    },
    get attempt() {
      return world.attempt;
    },
    get failures() {
      return world.failures;
    },
    get result() {
      return world.result as Result | null;
    },
    get error() {
      return world.error;
    },
    get waitsFor() {
      return world.waiting?.on ?? null;
    },
    get effects() {
      return [...stored.effects.values()];
    },
    get children() {
      return [...stored.children.values()];
    },
    get now() {
      return new Date(world.nowMs);
    },
    steps: stored.steps,
    progress,
    logs,
    advance: async (time) => await advance(world, time),
    signal: async (name, payload) => {
      assertOpen(world, `the signal ${name}`);
      // the first of each name counts
      if (!stored.signals.has(name)) stored.signals.set(name, jsonCopy(payload, `the signal ${name}`));
      await goOn();
    },
    endChild: async (name, end) => {
      const child = stored.children.get(name);
      if (!child)
        throw new Error(
          `expected the name of a child, got ${name}; there are ${[...stored.children.keys()].join(', ') || 'none'}.`,
        );
      const isGood = 'result' in end;
      const ended = {
        state: isGood ? 'succeeded' : 'failed',
        result: isGood ? end.result : null,
        error: isGood ? null : end.error,
      } as const;
      stored.children.set(name, { ...child, ended: jsonCopy(ended, `the end of ${name}`) });
      await goOn();
    },
    crash: async () => {
      assertOpen(world, 'a crash');
      if (world.state !== 'running') return;
      stopAttempt(world, 'lost');
      start(world);
      await untilQuiet(world);
    },
    resume: async () => {
      release(world);
      await untilQuiet(world);
    },
    cancel: async () => {
      assertOpen(world, 'a cancel');
      world.state = 'cancelled';
      stopAttempt(world, 'cancelled');
    },
  };
}

async function advance(world: World, time: Duration | Date | undefined): Promise<void> {
  const target = targetOf(world, time);
  while ((world.state === 'waiting' || world.state === 'queued') && world.dueMs <= target) {
    world.nowMs = Math.max(world.nowMs, world.dueMs);
    wake(world);
    await untilQuiet(world);
  }
  world.nowMs = Math.max(world.nowMs, target);
}

function targetOf({ nowMs, dueMs, state }: World, time: Duration | Date | undefined): number {
  if (time instanceof Date) return time.getTime();
  if (time !== undefined) return nowMs + milliseconds(time);
  if ((state === 'waiting' || state === 'queued') && Number.isFinite(dueMs)) return dueMs;
  throw new Error(
    `expected a job for which something is due, got one that is ${state} without; give a time, or a signal.`,
  );
}

function assertOpen({ state }: World, what: string): void {
  if (isFinal(state)) throw new Error(`expected a job that has not ended for ${what}, got one that has ${state}.`);
}

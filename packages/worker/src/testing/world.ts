import { type JobState, milliseconds } from '@proofline/client';
import { type Deferred, deferred } from '../async/deferred.ts';
import { JobStopped, type StopReason } from '../errors/job-error.ts';
import { type AttemptPort, type Handed, runAttempt } from '../job/attempt.ts';
import type { AnyJob } from '../job/define-job.ts';
import type { EndReport, ReportAnswer, ReportedFailure, StoryReport, TalkReport, Wait } from '../story/reports.ts';
import { endWait, type StoredJob, takeReport } from './stored-job.ts';

/** One job, the server that keeps it and the worker that runs it, all in memory. */
export interface World {
  readonly job: AnyJob;
  /** Version that the job was accepted under. */
  readonly version: number;
  readonly payload: unknown;
  readonly createdAt: string;
  readonly stored: StoredJob;
  readonly progress: unknown[];
  readonly logs: Extract<TalkReport, { type: 'log' }>[];
  state: JobState;
  nowMs: number;
  /** Time at which it goes on by itself. */
  dueMs: number;
  attempt: number;
  failures: number;
  result: unknown;
  error: ReportedFailure | null;
  waiting: { readonly on: Wait; readonly after: number } | null;
  /** Names of the reports at which an attempt is to be held, each once. */
  readonly holdAt: Set<string>;
  /** Gate of the report that is held. */
  held: Deferred<void> | undefined;
  stop: AbortController;
  /** Resolves when the attempt has ended. */
  ended: Promise<unknown>;
  /** Resolves when the attempt has ended or is held. */
  change: Promise<unknown>;
}

const stale: ReportAnswer = { status: 'stale', message: 'The job is no longer this attempt’s.' };

/** Begins an attempt. */
export function start(world: World): void {
  const { job, stored } = world;
  const stop = new AbortController();
  const paused = deferred<void>();
  Object.assign(world, { state: 'running', attempt: world.attempt + 1, waiting: null, stop, held: undefined });
  const isCurrent = () => world.stop === stop && world.state === 'running';
  const hold = async ({ type, name }: StoryReport): Promise<void> => {
    if (type === 'effect_intended' || !world.holdAt.delete(name)) return;
    // several that are held at once go on together
    const gate = world.held ?? deferred<void>();
    world.held = gate;
    paused.resolve();
    await gate.promise;
  };
  const port: AttemptPort = {
    now: () => world.nowMs,
    graceMs: 50,
    tell: (item) => {
      if (!isCurrent()) return;
      if (item.type === 'log') world.logs.push(item);
      else world.progress.push(item.data);
    },
    report: async (item) => {
      if (isCurrent()) await hold(item);
      return isCurrent() ? takeReport(stored, item) : stale;
    },
  };
  world.ended = runAttempt(job, handedOf(world), port, stop).then((report) => {
    if (report !== null && isCurrent()) settle(world, report);
  });
  world.change = Promise.race([world.ended, paused.promise]);
}

/** Waits until the job has ended, waits, or is held. */
export async function untilQuiet(world: World): Promise<void> {
  while (world.state === 'running' && world.held === undefined) await world.change;
}

/** Lets an attempt go on that is held. @throws where none is. */
export function release(world: World): void {
  const { held, state, ended } = world;
  if (!held) throw new Error(`expected an attempt that is held, got a job that is ${state}; hold one with pauseAt.`);
  Object.assign(world, { held: undefined, change: ended });
  held.resolve();
}

/** Ends the attempt from outside: nothing that it still reports is taken. */
export function stopAttempt({ stop, held }: World, reason: StopReason): void {
  stop.abort(new JobStopped(reason));
  held?.resolve();
}

/** Lets a job go on whose wait has ended, or whose time has come. */
export function wake(world: World): void {
  const { state, waiting, stored } = world;
  if (state === 'queued' && world.nowMs >= world.dueMs) start(world);
  if (state !== 'waiting' || waiting === null) return;
  const value = endOf(world, waiting.on);
  if (value === undefined) return;
  endWait(stored, waiting.on, waiting.after, value);
  start(world);
}

/** Value of the step by which a wait ends; undefined while it goes on. */
function endOf({ nowMs, dueMs, stored }: World, on: Wait): unknown {
  if (on.kind === 'result') return [...stored.children.values()].find(({ id }) => id === on.child)?.ended;
  if (on.kind === 'signal' && stored.signals.has(on.name)) return { payload: stored.signals.get(on.name) };
  if (nowMs < dueMs) return undefined;
  return on.kind === 'sleep' ? null : { timed_out: true };
}

function settle(world: World, end: EndReport): void {
  if (end.type === 'suspended') {
    const { on, after } = end;
    Object.assign(world, { state: 'waiting', waiting: { on, after }, dueMs: dueOf(on, world.nowMs) });
    wake(world);
  } else if (end.type === 'succeeded') Object.assign(world, { state: 'succeeded', result: end.result });
  else if (end.type === 'failed') fail(world, end);
  else requeue(world, 0);
}

function fail(world: World, { error, retryable }: Extract<EndReport, { type: 'failed' }>): void {
  const { attempts = 3, backoff } = world.job.settings;
  const { first = 500, cap = 60_000 } = typeof backoff === 'object' ? backoff : { first: backoff };
  Object.assign(world, { error, failures: world.failures + 1 });
  const pause = Math.min(milliseconds(cap), milliseconds(first) * 2 ** (world.failures - 1));
  if (retryable && world.failures < attempts) requeue(world, pause);
  else world.state = 'failed';
}

function requeue(world: World, pauseMs: number): void {
  Object.assign(world, { state: 'queued', dueMs: world.nowMs + pauseMs });
  wake(world);
}

function dueOf(on: Wait, nowMs: number): number {
  if (on.kind === 'sleep') return Date.parse(on.until);
  return on.kind === 'signal' && on.timeout_ms !== undefined ? nowMs + on.timeout_ms : Number.POSITIVE_INFINITY;
}

function handedOf({ job, version, payload, createdAt, nowMs, attempt, failures, stored }: World): Handed {
  return {
    id: stored.id,
    queue: job.name,
    version,
    attempt,
    token: `token-${attempt}`,
    payload,
    created_at: createdAt,
    deadline: new Date(nowMs + milliseconds(job.settings.timeout ?? '1m')).toISOString(),
    failures,
    steps: structuredClone(stored.steps),
  };
}

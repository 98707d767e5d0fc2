import {
  type Client,
  isFinal,
  type Job,
  type JobFailure,
  type JobState,
  ProoflineError,
  type StreamEvent,
  snapshotOf,
} from '@proofline/client';
import { openStore, type Store } from './store.ts';

/** A job as a component shows it. */
export interface LiveJob<Result = unknown> {
  /** Undefined until its first event has come. */
  readonly state: JobState | undefined;
  /** The newest progress; undefined until there is some. */
  readonly progress: unknown;
  /** The newest progress of each key. */
  readonly progressByKey: Readonly<Record<string, unknown>>;
  /** The result once it has succeeded; else null. */
  readonly result: Result | null;
  /** Why it failed, or why it cannot be followed; null otherwise. */
  readonly error: JobFailure | null;
  /** The whole job once it has ended. */
  readonly job: Job<Result> | null;
  /** True while events come as they happen. */
  readonly isLive: boolean;
}

const nothing: LiveJob<never> = {
  state: undefined,
  progress: undefined,
  progressByKey: {},
  result: null,
  error: null,
  job: null,
  isLive: false,
};

/** States that events lead to. */
const states: Readonly<Record<string, JobState>> = {
  awaiting_approval: 'awaiting_approval',
  queued: 'queued',
  redriven: 'queued',
  started: 'running',
  retrying: 'queued',
  released: 'queued',
  waiting: 'waiting',
};

/** Follows a job while a component shows it; goes on behind its last event when one shows it again. */
export function openJobStore<Result>(client: Client, id: string): Store<LiveJob<Result>> {
  const handle = client.job<Result>(id);
  let after: string | undefined;
  return openStore<LiveJob<Result>>(
    nothing,
    async (set, signal) => {
      const onConnection = (isLive: boolean) => set((live) => ({ ...live, isLive }));
      for await (const event of handle.events({ after, signal, onConnection })) {
        after = event.id ?? after;
        set((live) => take(live, event));
      }
      const job = await handle.job();
      set((live) => ({ ...live, ...endOf(job), isLive: false }));
    },
    (live, error) => ({ ...live, error: failureOf(error), isLive: false }),
  );
}

/** A job that no component follows. */
export const noJob: Store<LiveJob<never>> = { subscribe: () => () => {}, get: () => nothing };

function take<Result>(live: LiveJob<Result>, { type, key = 'progress', data }: StreamEvent): LiveJob<Result> {
  if (type === 'progress') return { ...live, progress: data, progressByKey: { ...live.progressByKey, [key]: data } };
  const snapshot = type === 'reset' ? snapshotOf(data) : undefined;
  if (snapshot) return { ...live, state: snapshot.state, error: snapshot.error };
  // an end is shown with its result, which is read then
  const state = states[type];
  return state === undefined ? live : { ...live, state };
}

function endOf<Result>(job: Job<Result>): Partial<LiveJob<Result>> {
  const { state, result, error } = job;
  return { state, result, error: state === 'failed' ? error : null, ...(isFinal(state) && { job }) };
}

function failureOf(error: unknown): JobFailure {
  if (error instanceof ProoflineError) return { code: error.code, message: error.message };
  return { code: 'unreachable', message: error instanceof Error ? error.message : String(error) };
}

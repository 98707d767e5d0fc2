import {
  type Duration,
  type JobType,
  milliseconds,
  type Terms,
  termsBody,
  type UniqueByPayload,
} from '@proofline/client';
import { type InputOf, jsonSchemaOf, type OutputOf, type Schema } from '../schema/schema.ts';
import type { Steps } from '../story/steps.ts';

/** Lines for the log of the job, which its owner reads. */
export interface JobLog {
  readonly debug: (message: string, data?: Readonly<Record<string, unknown>>) => void;
  readonly info: (message: string, data?: Readonly<Record<string, unknown>>) => void;
  readonly warn: (message: string, data?: Readonly<Record<string, unknown>>) => void;
  readonly error: (message: string, data?: Readonly<Record<string, unknown>>) => void;
}

/** Facts about the job that runs. */
export interface JobFacts {
  readonly id: string;
  readonly queue: string;
  /** Version of the contract that it was accepted under. */
  readonly version: number;
  readonly createdAt: Date;
  /** Time at which this attempt is stopped. */
  readonly deadline: Date;
  /** Number of attempts that have failed so far. */
  readonly failures: number;
  /** `traceparent` of the request that submitted it; null without one. */
  readonly trace: string | null;
}

/** Everything that a run is given. */
export interface RunContext<Payload = unknown, Progress = unknown> extends Steps {
  readonly payload: Payload;
  readonly job: JobFacts;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  /** Shows subscribers how far the job is; the newest of each key counts. Keeps nothing. */
  readonly progress: (data: Progress, key?: string) => void;
  readonly log: JobLog;
  /** Aborted with a `JobStopped` when the job is cancelled, lost or late, or when the worker stops. */
  readonly signal: AbortSignal;
}

/** Way from the payloads of an older version to the next one. */
export interface Upcast {
  readonly from: number;
  readonly upcast: (payload: never) => unknown;
}

interface Settings extends Terms {
  /** Purpose of a job, in one line; the name by default. */
  readonly title?: string;
  /** Number of failures after which a job is given up; 3 by default. */
  readonly attempts?: number;
  /** Pause after the first failure, doubled with each up to `cap`; half a second and a minute by default. */
  readonly backoff?: Duration | { readonly first?: Duration; readonly cap?: Duration };
  /** Longest run of one attempt; a minute by default. */
  readonly timeout?: Duration;
  /** Priority of jobs submitted without one: 0 runs first, 1000 last. */
  readonly priority?: number;
  /** Retention of finished jobs: greatest age, and number of the newest. */
  readonly retention?: { readonly age?: Duration; readonly count?: number };
  /** True where a newer job does what an older one was to do: a job whose worker died is then cancelled, not run again. */
  readonly replaceable?: boolean;
  /** Makes each job the only one of its key in the queue. */
  readonly unique?: UniqueByPayload;
  /** Most bytes of JSON of a payload, a result and one progress message; 16 MiB, 16 MiB and 64 KiB by default. */
  readonly maxBytes?: { readonly payload?: number; readonly result?: number; readonly progress?: number };
}

/** A kind of job: its contract, and the function that does it. */
export interface JobDefinition<Payload = unknown, Taken = Payload, Result = unknown, Name extends string = string>
  extends JobType<Payload, Result, Name> {
  readonly name: Name;
  readonly version: number;
  readonly payload: Schema;
  readonly result: Schema;
  readonly progress: Schema;
  readonly settings: Settings & { readonly groupAt?: string };
  readonly upcasts: readonly Upcast[];
  readonly run: (context: RunContext<Taken, never>) => unknown;
}

/** A definition of whatever types. */
export type AnyJob = JobDefinition<never, never>;

export interface JobOptions<Name extends string, P extends Schema, R extends Schema, G extends Schema>
  extends Settings {
  /** Queue, as `<namespace>.<verb-noun>`. */
  readonly name: Name;
  /** Version of the contract; the next one where payloads of before no longer fit. 1 by default. */
  readonly version?: number;
  readonly payload: P;
  readonly result?: R;
  /** Schema of one progress message. */
  readonly progress?: G;
  /** Payloads of older versions that this worker takes too, made new one version at a time. */
  readonly upcasts?: readonly Upcast[];
  /**
   * Group of a job for fair shares, unless its submit names one. A JSON pointer into the payload, such as `/customer`, is
   * part of the contract and holds for every submitter; a function is asked by clients with this definition.
   */
  readonly group?: string | ((job: { readonly payload: InputOf<P> }) => string);
  /** Does the job, from its start at every attempt; gives the result. */
  readonly run: (context: RunContext<OutputOf<P>, OutputOf<G>>) => InputOf<R> | Promise<InputOf<R>>;
}

/** Defines a kind of job. Sends nothing: `serve` registers and runs it, `client.submit` submits it. */
export function defineJob<
  const Name extends string,
  const P extends Schema,
  const R extends Schema = true,
  const G extends Schema = true,
>({
  name,
  version = 1,
  payload,
  result,
  progress,
  upcasts = [],
  group,
  run,
  ...settings
}: JobOptions<Name, P, R, G>): JobDefinition<InputOf<P>, OutputOf<P>, OutputOf<R>, Name> {
  return {
    name,
    version,
    payload,
    result: result ?? true,
    progress: progress ?? true,
    settings: { ...settings, ...(typeof group === 'string' && { groupAt: group }) },
    upcasts,
    ...(typeof group === 'function' && { group }),
    run: run as never,
  };
}

/** The contract of a definition, as `PUT /v1/queues/{name}` takes it. @throws TypeError for what is no contract. */
export function contractOf({ name, payload, result, progress, settings }: AnyJob): Readonly<Record<string, unknown>> {
  const { title = name, attempts, backoff, timeout, priority, retention, replaceable, unique, ...others } = settings;
  const { groupAt, maxBytes = {}, ...terms } = others;
  const { first, cap } = typeof backoff === 'object' ? backoff : { first: backoff, cap: undefined };
  const { age, count } = retention ?? {};
  return defined({
    title,
    payload: jsonSchemaOf(payload, 'input', `payload of ${name}`),
    result: jsonSchemaOf(result, 'output', `result of ${name}`),
    progress: progress === true ? undefined : jsonSchemaOf(progress, 'input', `progress of ${name}`),
    attempts,
    backoff_ms: first === undefined ? undefined : milliseconds(first),
    backoff_cap_ms: cap === undefined ? undefined : milliseconds(cap),
    timeout_ms: timeout === undefined ? undefined : milliseconds(timeout),
    priority,
    retention: retention && defined({ ms: age === undefined ? undefined : milliseconds(age), count }),
    replaceable,
    unique,
    group: groupAt,
    max_payload_bytes: maxBytes.payload,
    max_result_bytes: maxBytes.result,
    max_progress_bytes: maxBytes.progress,
    ...termsBody(terms),
  });
}

/** An object without the members that are not set. */
function defined(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** Versions that a worker with this definition takes, the newest first. @throws TypeError for a gap among the upcasts. */
export function versionsOf({ name, version, upcasts }: AnyJob): readonly number[] {
  const older = upcasts.map(({ from }) => from).toSorted((a, b) => b - a);
  const expected = older.map((_, index) => version - 1 - index);
  if (older.some((from, index) => from !== expected[index]))
    throw new TypeError(
      `upcasts of ${name}: expected one from each of ${expected.join(', ')}, got ${older.join(', ')}.`,
    );
  return [version, ...older];
}

/** Queues of these definitions, each with the versions that they take. @throws TypeError for none, or a version twice. */
export function queuesOf(
  jobs: readonly AnyJob[],
): readonly { readonly name: string; readonly versions: readonly number[] }[] {
  if (jobs.length === 0) throw new TypeError('expected at least one job to serve, got none.');
  const versions = new Map<string, number[]>();
  for (const job of jobs) versions.set(job.name, [...(versions.get(job.name) ?? []), ...versionsOf(job)]);
  for (const [name, list] of versions)
    if (new Set(list).size < list.length)
      throw new TypeError(`expected each version of ${name} once, got ${list.join(', ')}.`);
  return [...versions].map(([name, list]) => ({ name, versions: list }));
}

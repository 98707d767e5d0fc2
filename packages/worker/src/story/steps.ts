import type { Duration, JobType, Unique } from '@proofline/client';
import type { EffectOptions } from './effect.ts';

export interface ChildOptions {
  /** Name of the step that makes the child. */
  readonly name: string;
  readonly version?: number;
  readonly delay?: Duration;
  readonly priority?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Makes it the only one of its key in its queue; where another job is returned for it, that one is waited for. */
  readonly unique?: Unique;
}

/** A child of a job. */
export interface Child<Result = unknown> {
  readonly id: string;
  /** Name of the step that made it. */
  readonly name: string;
  /** Types alone: there is no such member. */
  readonly '~result'?: Result;
}

/** Durable steps of a job: what they gave is kept, and later attempts read it. Names are unique in a job. */
export interface Steps {
  /** Runs `fn` once, keeps what it gives before going on; a later attempt gets the same without running it. */
  readonly step: <T>(name: string, fn: () => T | Promise<T>) => Promise<T>;
  /**
   * Does something outside, at most once where `kind` is `neither` (the default), or again under the same key after a
   * crash where it is `idempotent`. Its intent is kept before, its outcome after. Throw `EffectRefused` where it certainly
   * was not done.
   *
   * @throws JobError `outcome_unknown`, not retryable, where it may have been done and cannot be repeated
   */
  readonly effect: <Request, Outcome>(
    name: string,
    request: Request,
    fn: (call: { readonly key: string; readonly request: Request }) => Outcome | Promise<Outcome>,
    options?: EffectOptions<Outcome>,
  ) => Promise<Outcome>;
  /** Waits for a length of time, or until a date. The job is in no process meanwhile. */
  readonly sleep: (name: string, time: Duration | Date) => Promise<void>;
  /**
   * Waits for a signal, which may have come before, and gives its payload. The job is in no process meanwhile.
   *
   * @throws WaitTimedOut
   */
  readonly waitFor: <T = unknown>(name: string, options?: { readonly timeout?: Duration }) => Promise<T>;
  /** Submits a child, once. */
  readonly submit: <Payload, Result>(
    job: string | JobType<Payload, Result>,
    payload: NoInfer<Payload>,
    options: ChildOptions,
  ) => Promise<Child<Result>>;
  /** Waits for the result of a child. The job is in no process meanwhile. @throws ChildFailed */
  readonly result: <Result>(child: Child<Result>) => Promise<Result>;
}

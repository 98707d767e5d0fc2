import type { Duration, JobType } from '@proofline/client';
import { deferred, turn } from '../async/deferred.ts';
import { ChildFailed, JobError, JobStopped, WaitTimedOut } from '../errors/job-error.ts';
import { assertName } from './bounds.ts';
import { instantOf, lengthOf } from './due.ts';
import { runEffect } from './effect.ts';
import { jsonCopy } from './json-copy.ts';
import { type Begun, openLedger } from './ledger.ts';
import { openNesting } from './nesting.ts';
import type { Accepted, EndReport, ReportAnswer, StoredStep, StoryReport, Wait } from './reports.ts';
import type { Child, Steps } from './steps.ts';
import { watched } from './watched.ts';

/** The one thing a story needs of the server it runs for. */
export interface StoryPort {
  /** Sends a report and gives its answer; tried again until there is one. Rejects where the job is lost. */
  readonly report: (item: StoryReport) => Promise<ReportAnswer>;
  /** Clock of sleeps, ms since 1970. */
  readonly now?: () => number;
  /**
   * Milliseconds that the other branches of a run have to ask for stored steps, before a new step is taken for a story
   * that has changed; 1,000 by default.
   */
  readonly graceMs?: number;
}

export interface Story {
  readonly steps: Steps;
  /** Resolves with the report that ends the attempt where nothing is left but to wait. */
  readonly suspended: Promise<EndReport>;
  /** Resolves with an error that ends the attempt whatever the run makes of it. */
  readonly broken: Promise<JobError>;
  /** Error for stored steps that a run which has ended never asked for; undefined where there are none. */
  readonly divergence: () => JobError | undefined;
}

/** Opens the story of one attempt. The signal ends every step that has not begun. */
export function openStory(stored: readonly StoredStep[], port: StoryPort, signal: AbortSignal): Story {
  const ledger = openLedger(stored);
  const { now = Date.now, graceMs = 1_000 } = port;
  const suspension = deferred<EndReport>();
  const breach = deferred<JobError>();
  const waits: OpenWait[] = [];
  const nesting = openNesting();
  let busy = 0;
  let isBroken = false;

  const send = async (item: StoryReport): Promise<Accepted> => {
    const answer = await port.report(item);
    if (answer.status === 'accepted') return answer;
    if (answer.status === 'stale') throw new JobStopped('lost');
    const { code, message, path } = answer;
    throw new JobError(code, message, { retryable: false, ...(path !== undefined && { details: { path } }) });
  };

  /** Ends the attempt with an error, whatever the run makes of it. */
  const broken = (error: JobError): JobError => {
    isBroken = true;
    breach.resolve(error);
    return error;
  };

  /** Runs a part of the story that a run has asked for by its name. @throws JobError `step_nested` inside another one */
  const part = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    guarded(() => {
      nesting.assertOutside(name);
      assertName(name);
    });
    return await busily(run);
  };

  /** Runs something during which the attempt is not suspended. */
  const busily = async <T>(run: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    busy += 1;
    try {
      return await run();
    } finally {
      busy -= 1;
      suspendSoon();
    }
  };

  /** Begins a step, and reads what is stored of it. @throws JobError where the story has changed. */
  const begin = async (kind: StoredStep['kind'], name: string): Promise<Begun> => {
    const begun = guarded(() => ledger.begin(kind, name));
    // steps that were begun together are all asked for by then, and none of them counts as ended before
    await turn();
    if (begun.stored) ledger.end();
    else await assertSameStory(begun);
    return begun;
  };

  /** Runs a check. Where it fails the attempt ends, whatever the run makes of the error: no other attempt mends it. */
  const guarded = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      throw error instanceof JobError ? broken(error) : error;
    }
  };

  const assertSameStory = async (begun: Begun): Promise<void> => {
    const until = performance.now() + graceMs;
    for (let error = ledger.divergenceAt(begun); error !== undefined; error = ledger.divergenceAt(begun)) {
      signal.throwIfAborted();
      if (performance.now() > until) throw broken(error);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };

  /** Ends the attempt once waits alone are left; the first due is waited for, else the first begun. */
  const suspendSoon = (): void => {
    if (busy > 0 || waits.length === 0) return;
    setImmediate(() => {
      if (busy > 0) return;
      const [first, ...others] = waits.toSorted((a, b) => a.due - b.due);
      const beside = others.filter(({ isCounted }) => isCounted);
      if (beside.length > 0) keepTimes(beside);
      else if (first) suspension.resolve({ type: 'suspended', on: first.on, after: first.after });
    });
  };

  /** Keeps the times at which waits beside the one of the suspension are due: a later attempt counts no time anew. */
  const keepTimes = (beside: readonly OpenWait[]): void => {
    const keepAll = async () => {
      await Promise.all(
        beside.map(async (wait) => {
          wait.isCounted = false;
          const name = untilOf(wait.on.name);
          guarded(() => ledger.take(name));
          await send({ type: 'step', name, after: wait.after, value: new Date(wait.due).toISOString() });
          ledger.end();
        }),
      );
    };
    // one that is lost is stopped from outside
    busily(keepAll).catch((error: unknown) => error instanceof JobError && broken(error));
  };

  /** @param ms time from now on until it is due, where the job gives it so; `due` says it otherwise */
  const wait = async (
    kind: 'sleep' | 'signal' | 'result',
    name: string,
    time: { readonly ms: number } | { readonly due: number },
    onAt: (due: number) => Wait,
  ): Promise<unknown> => {
    const open = await part(name, async () => {
      const kept = guarded(() => ledger.find('step', untilOf(name)));
      const { stored: found, after } = await begin(kind, name);
      if (kept) ledger.end();
      if (found) return { value: found.value };
      const due = 'due' in time ? time.due : kept ? Date.parse(String(kept.value)) : now() + time.ms;
      waits.push({ on: onAt(due), after, due, isCounted: 'ms' in time && !kept });
      return null;
    });
    // the attempt ends here
    return open === null ? await new Promise<never>(() => {}) : open.value;
  };

  const results = new Map<string, Promise<unknown>>();
  const resultOf = async (child: Child): Promise<unknown> => {
    const name = `${child.name}.result`;
    const value = await wait('result', name, never, () => ({ kind: 'result', name, child: child.id }));
    const { state, result, error } = value as { state: string; result: unknown; error: ChildFailed['error'] };
    if (state !== 'succeeded') throw new ChildFailed(child.name, child.id, state, error ?? null);
    return result;
  };

  const steps: Steps = {
    step: async <T>(name: string, fn: () => T | Promise<T>) =>
      await part(name, async () => {
        const { stored: found, after } = await begin('step', name);
        if (found) return found.value as T;
        const value = jsonCopy(await nesting.within(name, fn), `the step ${name}`);
        // its function swallowed the error: what it gives then is not kept
        if (isBroken) throw await breach.promise;
        const answer = await send({ type: 'step', name, after, value });
        ledger.end();
        return ('value' in answer ? answer.value : value) as T;
      }),

    effect: async (name, request, fn, options) =>
      await part(name, async () => {
        guarded(() => ledger.take(name));
        return await runEffect(send, name, request, (call) => nesting.within(name, () => fn(call)), options);
      }),

    sleep: async (name, time) => {
      const given = guarded(() =>
        time instanceof Date ? { due: instantOf(name, time) } : { ms: lengthOf(name, time) },
      );
      await wait('sleep', name, given, (due) => ({ kind: 'sleep', name, until: new Date(due).toISOString() }));
    },

    waitFor: async <T>(name: string, { timeout }: { readonly timeout?: Duration } = {}) => {
      const given =
        timeout === undefined ? never : guarded(() => ({ ms: lengthOf(`the timeout of ${name}`, timeout) }));
      const value = (await wait('signal', name, given, (due) => ({
        kind: 'signal',
        name,
        ...(Number.isFinite(due) && { timeout_ms: Math.max(0, Math.ceil(due - now())) }),
      }))) as { payload?: T; timed_out?: boolean };
      if (value.timed_out === true) throw new WaitTimedOut(name);
      return value.payload as T;
    },

    submit: async (job, payload, { name, delay, ...options }) =>
      await part(name, async () => {
        const { stored: found, after } = await begin('child', name);
        if (found) return { id: childOf(found.value), name };
        const { name: queue, version }: Pick<JobType, 'name' | 'version'> =
          typeof job === 'string' ? { name: job } : job;
        const { child } = await send({
          type: 'submit',
          name,
          after,
          queue,
          payload: jsonCopy(payload, `the payload of ${name}`),
          ...(version !== undefined && { version }),
          ...(delay !== undefined && { delay_ms: guarded(() => lengthOf(`the delay of ${name}`, delay)) }),
          ...options,
        });
        ledger.end();
        return { id: childOf(child), name };
      }),

    result: async <Result>(child: Child<Result>) => {
      guarded(() => nesting.assertOutside(`${child.name}.result`));
      const result = results.get(child.id) ?? resultOf(child);
      results.set(child.id, result);
      return (await result) as Result;
    },
  };

  return {
    steps: watched(steps),
    suspended: suspension.promise,
    broken: breach.promise,
    divergence: ledger.divergenceAtEnd,
  };
}

/** A wait that the run has begun and whose end is not stored. */
interface OpenWait {
  readonly on: Wait;
  readonly after: number;
  /** Time at which it ends by itself. */
  readonly due: number;
  /** True where that was counted from now, and is not kept. */
  isCounted: boolean;
}

const never = { due: Number.POSITIVE_INFINITY };

/** Name of the step that keeps when a wait is due which another one suspends the job for. */
const untilOf = (name: string): string => `${name}.until`;

/** The id of a child, in the answer to its submit or as its step was kept. */
function childOf(value: unknown): string {
  const id = typeof value === 'object' && value !== null && 'job' in value ? value.job : value;
  if (typeof id === 'string') return id;
  throw new Error(`expected the id of a child, got ${JSON.stringify(value)}`);
}

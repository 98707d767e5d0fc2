import { randomUUID } from 'node:crypto';
import {
  type Answer,
  agreed,
  type InHand,
  type Poll,
  problem,
  type Registration,
  type Reply,
  type Report,
} from '../protocol/messages.ts';
import { reportFault } from '../protocol/misfit.ts';
import { type Job, type JobOptions, newJob, stale, takeOutcome, takeReport } from './job.ts';

/** Times of the server of a case. */
export interface WorldSettings {
  readonly leaseMs: number;
  readonly beatMs: number;
  /** Lead of its clock over that of this machine, ms. */
  readonly clockMs: number;
}

interface Worker {
  readonly capacity: number;
  readonly takes: (job: Job) => boolean;
  /** Attempts that it was told to stop. */
  readonly told: Set<string>;
  /** Attempts that are to be handed out once more as they were. */
  readonly repeats: Job[];
  lease: ReturnType<typeof setTimeout> | undefined;
}

/** Jobs and workers of a case: what the API would know of them. */
export interface World {
  readonly jobs: readonly Job[];
  /** Sentences about what a worker must not do, whatever the case is about. */
  readonly violations: string[];
  readonly register: (body: Registration) => Reply;
  readonly poll: (worker: string, body: Poll, gone: AbortSignal) => Promise<Reply>;
  /** Answers each by itself: one that is none is refused, and fails none beside it. */
  readonly report: (worker: string, reports: readonly unknown[]) => Reply;
  readonly leave: (worker: string) => Reply;
  readonly submit: (payload: unknown, options?: JobOptions) => Job;
  /** Hands a job out again as a new attempt, where a wait has ended with one more step. */
  readonly requeue: (job: Job, step?: Omit<Job['steps'][number], 'n'>) => void;
  /** Hands out the attempt that a worker has in hand as if its answer had been lost. */
  readonly handAgain: (job: Job) => void;
  readonly cancel: (job: Job) => void;
  /** Forgets every worker; their jobs go to others. */
  readonly forget: () => void;
  /** Leases do not run while the server is away. */
  readonly holdLeases: (isHeld: boolean) => void;
  /** Calls the listener after each change. */
  readonly onChange: (listener: () => void) => () => void;
  readonly close: () => void;
}

const noLease = problem(404, 'not_found', 'expected a worker with a lease, got one that has none: register again.');
const nameOf = ({ id, attempt }: InHand): string => `${id} ${attempt}`;

export function openWorld({ leaseMs, beatMs, clockMs }: WorldSettings): World {
  const workers = new Map<string, Worker>();
  const jobs: Job[] = [];
  const violations: string[] = [];
  const listeners = new Set<() => void>();
  let isHeld = false;

  const change = () => {
    for (const listener of listeners) listener();
  };
  const lose = (id: string) => {
    clearTimeout(workers.get(id)?.lease);
    workers.delete(id);
    for (const job of jobs)
      if (job.worker === id && job.state === 'running') Object.assign(job, { worker: null, state: 'queued' });
    change();
  };
  const beat = (id: string, worker: Worker) => {
    clearTimeout(worker.lease);
    if (isHeld) return;
    worker.lease = setTimeout(() => {
      violations.push(`expected a poll every ${beatMs} ms, got none for ${leaseMs} ms: the lease was lost.`);
      lose(id);
    }, leaseMs);
  };

  const handed = ({ id, version, attempt, token, payload, steps }: Job) => ({
    id,
    attempt,
    queue: agreed.queue,
    version,
    token,
    payload,
    failures: 0,
    created_at: new Date(Date.now() + clockMs).toISOString(),
    deadline: new Date(Date.now() + clockMs + 60_000).toISOString(),
    steps,
    trace: null,
  });
  const take = (id: string, worker: Worker, credits: number): Job[] => {
    const taken = jobs.filter((job) => job.state === 'queued' && (job.isForced || worker.takes(job))).slice(0, credits);
    for (const job of taken) {
      job.answered.clear();
      const attempt = job.attempt + 1;
      Object.assign(job, { state: 'running', worker: id, attempt, token: randomUUID(), end: null });
    }
    return [...worker.repeats.splice(0), ...taken];
  };
  /** Attempts that a worker has in hand by its own words and is to stop. */
  const stopsOf = (id: string, inHand: readonly InHand[]) =>
    inHand.flatMap((one) => {
      const job = jobs.find((known) => known.id === one.id);
      if (job?.worker === id && job.attempt === one.attempt && job.state === 'running') return [];
      const isCancelled = job?.state === 'cancelled' && job.attempt === one.attempt;
      return [{ id: one.id, attempt: one.attempt, reason: isCancelled ? 'cancelled' : 'lost' }];
    });
  const look = (worker: Worker, { credits, jobs: inHand }: Poll) => {
    const { capacity, told } = worker;
    if (credits + inHand.length > capacity)
      violations.push(
        `expected at most ${capacity} hands, as registered, got ${credits} free and ${inHand.length} full.`,
      );
    for (const one of inHand) {
      if (told.has(nameOf(one)))
        violations.push('expected an attempt that the worker was told to stop in no poll after that, got it in one.');
      if (!jobs.some(({ id, attempt }) => id === one.id && attempt >= one.attempt))
        violations.push(`expected attempts that were handed out, got ${nameOf(one)} in a poll.`);
    }
  };

  const answerTo = (said: unknown): Answer => {
    const fault = reportFault(said);
    if (fault) {
      violations.push(`report: ${fault.message}.`);
      return { status: 'refused', code: 'invalid_request', message: `${fault.message}.`, path: fault.path };
    }
    const report = said as Report;
    const job = jobs.find((one) => one.id === report.job);
    const isNamed = job !== undefined && job.attempt === report.attempt && job.token === report.token;
    if (!job || !isNamed) {
      if (job && report.type === 'effect_done') takeOutcome(job, report);
      return stale;
    }
    const isRepeated = job.answered.has(JSON.stringify(report));
    if (job.state !== 'running' && !isRepeated) {
      if (job.end)
        violations.push(`expected nothing of an attempt after its end (${job.end.type}), got ${report.type}.`);
      return stale;
    }
    return takeReport(job, report);
  };

  return {
    jobs,
    violations,
    register: ({ queues, capacity }) => {
      const id = randomUUID();
      const takes = ({ version }: Job) =>
        queues.some(({ name, versions }) => name === agreed.queue && (versions?.includes(version) ?? true));
      const worker: Worker = { capacity, takes, told: new Set(), repeats: [], lease: undefined };
      workers.set(id, worker);
      beat(id, worker);
      change();
      const taken = queues.map(({ name, versions }) => ({ name, versions: versions ?? [agreed.version] }));
      const body = { worker: id, lease_ms: leaseMs, beat_ms: beatMs, wait_ms: beatMs, queues: taken };
      return { status: 201, body };
    },
    poll: async (id, body, gone) => {
      const known = workers.get(id);
      if (!known) return noLease;
      beat(id, known);
      look(known, body);
      const until = performance.now() + Math.min(body.wait_ms ?? beatMs, beatMs);
      for (;;) {
        const worker = workers.get(id);
        if (!worker) return noLease;
        const stop = stopsOf(id, body.jobs);
        const taken = gone.aborted || stop.length > 0 ? [] : take(id, worker, body.credits);
        if (stop.length > 0 || taken.length > 0 || performance.now() >= until || gone.aborted) {
          for (const one of stop) worker.told.add(nameOf(one));
          change();
          return { status: 200, body: { jobs: taken.map(handed), stop } };
        }
        await nextChange(listeners, until - performance.now(), gone);
      }
    },
    report: (id, reports) => {
      if (!workers.has(id)) return noLease;
      const answers = reports.map(answerTo);
      change();
      return { status: 200, body: { answers } };
    },
    leave: (id) => {
      if (!workers.has(id)) return noLease;
      lose(id);
      return { status: 204, body: null };
    },
    submit: (payload, options) => {
      const job = newJob(payload, options);
      jobs.push(job);
      change();
      return job;
    },
    requeue: (job, step) => {
      if (step) job.steps.push({ ...step, n: job.steps.length + 1 });
      Object.assign(job, { state: 'queued', worker: null, end: null });
      change();
    },
    handAgain: (job) => {
      workers.get(job.worker ?? '')?.repeats.push(job);
      change();
    },
    cancel: (job) => {
      job.state = 'cancelled';
      change();
    },
    forget: () => {
      for (const id of workers.keys()) lose(id);
    },
    holdLeases: (held) => {
      isHeld = held;
      for (const [id, worker] of workers) beat(id, worker);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      for (const { lease } of workers.values()) clearTimeout(lease);
      workers.clear();
      change();
    },
  };
}

/** Resolves at the next change, after `ms`, or once the caller has gone. */
async function nextChange(listeners: Set<() => void>, ms: number, gone: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      listeners.delete(end);
      gone.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.max(0, ms));
    listeners.add(end);
    gone.addEventListener('abort', end);
  });
}

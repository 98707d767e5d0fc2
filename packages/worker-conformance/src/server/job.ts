import { randomUUID } from 'node:crypto';
import { type Answer, agreed, type Report, type Step } from '../protocol/messages.ts';

/** State of an effect, and the attempt that meant it. */
export interface Effect {
  readonly by: number;
  readonly state: 'intended' | 'done' | 'failed' | 'unknown';
  readonly outcome?: unknown;
}

/** A job of a case, with all that its worker has said of it. */
export interface Job {
  readonly id: string;
  readonly payload: unknown;
  readonly version: number;
  /** True where it is handed out whatever versions the worker takes. */
  readonly isForced: boolean;
  readonly steps: Step[];
  readonly effects: Map<string, Effect>;
  /** Ids of children by the names of their steps. */
  readonly children: Map<string, string>;
  /** Reports that were taken, in their order; one that came twice is there once. */
  readonly reports: Report[];
  state: 'queued' | 'running' | 'waiting' | 'ended' | 'cancelled';
  attempt: number;
  token: string;
  /** Worker that has it in hand. */
  worker: string | null;
  /** Report that ended its last attempt. */
  end: Report | null;
  /** Answers of its last attempt by the reports that they were for. */
  readonly answered: Map<string, Answer>;
  /** An answer that a case gives instead of the usual one. */
  readonly answer: (report: Report) => Answer | undefined;
}

/** Parts of a new job that a case may set. */
export interface JobOptions {
  readonly version?: number;
  readonly isForced?: boolean;
  readonly steps?: readonly Omit<Step, 'n'>[];
  readonly effects?: Readonly<Record<string, Effect>>;
  readonly answer?: (report: Report) => Answer | undefined;
}

/** Dollars that one effect may have cost at most. */
const MOST_USD = 1_000_000;

/** A job that earlier attempts have brought as far as its steps and effects say. */
export function newJob(payload: unknown, options: JobOptions = {}): Job {
  const { version = agreed.version, isForced = false, steps = [], effects = {}, answer = () => undefined } = options;
  const isBegun = steps.length > 0 || Object.keys(effects).length > 0;
  return {
    id: randomUUID(),
    payload,
    version,
    isForced,
    steps: steps.map((step, index) => ({ ...step, n: index + 1 })),
    effects: new Map(Object.entries(effects)),
    children: new Map(),
    reports: [],
    state: 'queued',
    attempt: isBegun ? 1 : 0,
    token: '',
    worker: null,
    end: null,
    answered: new Map(),
    answer,
  };
}

export const stale: Answer = { status: 'stale', message: 'This attempt is no longer yours. Stop it.' };
const accepted: Answer = { status: 'accepted' };

const ends: ReadonlySet<string> = new Set(['succeeded', 'failed', 'released', 'suspended']);

/** Takes a report of the attempt that holds a job, as the API would. */
export function takeReport(job: Job, report: Report): Answer {
  const text = JSON.stringify(report);
  const before = job.answered.get(text);
  // a report whose answer was lost; lines and progress may say the same twice
  if (before && report.type !== 'log' && report.type !== 'progress') return before;
  const answer = job.answer(report) ?? usualAnswer(job, report);
  job.answered.set(text, answer);
  if (answer.status === 'stale') return answer;
  job.reports.push(report);
  if (answer.status === 'accepted' && ends.has(report.type)) {
    job.end = report;
    job.state = report.type === 'suspended' ? 'waiting' : 'ended';
  }
  return answer;
}

/** Takes the outcome of an effect also from an attempt that is over: what happened outside has happened. */
export function takeOutcome(job: Job, { name, attempt, outcome }: Report): void {
  job.effects.set(String(name), { by: attempt, state: 'done', outcome });
}

function usualAnswer(job: Job, report: Report): Answer {
  const name = String(report['name']);
  switch (report.type) {
    case 'step':
      return { ...accepted, value: keep(job, 'step', report, report['value']).value };
    case 'submit': {
      const child = job.children.get(name) ?? randomUUID();
      job.children.set(name, child);
      keep(job, 'child', report, { job: child });
      return { ...accepted, child };
    }
    case 'effect_intended':
      return intend(job, name, report.attempt);
    case 'effect_done':
      if (!isCost(report['cost_usd'])) return wrongCost;
      takeOutcome(job, report);
      return accepted;
    case 'effect_failed':
    case 'effect_unknown':
      job.effects.set(name, { by: report.attempt, state: report.type === 'effect_failed' ? 'failed' : 'unknown' });
      return accepted;
    default:
      return accepted;
  }
}

function isCost(cost: unknown): boolean {
  return cost === undefined || (typeof cost === 'number' && cost >= 0 && cost <= MOST_USD);
}

const wrongCost: Answer = {
  status: 'refused',
  code: 'invalid_request',
  message: `cost_usd: expected a number of dollars from 0 to ${MOST_USD}.`,
};

function keep(job: Job, kind: Step['kind'], report: Report, value: unknown): Step {
  const name = String(report['name']);
  const found = job.steps.find((step) => step.name === name);
  if (found) return found;
  const step = { name, n: job.steps.length + 1, kind, after: Number(report['after']), value };
  job.steps.push(step);
  return step;
}

function intend(job: Job, name: string, attempt: number): Answer {
  const key = `${job.id}.${name}`;
  const effect = job.effects.get(name);
  if (effect?.state === 'done') return { ...accepted, effect: { state: 'done', key, outcome: effect.outcome } };
  if (effect?.state === 'unknown') return { ...accepted, effect: { state: 'unknown', key } };
  const isAgain = effect?.state === 'intended' && effect.by !== attempt;
  job.effects.set(name, { by: attempt, state: 'intended' });
  return { ...accepted, effect: { state: isAgain ? 'again' : 'fresh', key } };
}

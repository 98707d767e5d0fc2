import { bounds } from '../story/bounds.ts';
import type { Accepted, EffectState, ReportAnswer, StoredStep, StoryReport, Wait } from '../story/reports.ts';

/** An effect as it is kept. */
export interface StoredEffect {
  readonly name: string;
  readonly state: 'intended' | 'done' | 'failed' | 'unknown';
  /** The same at every try. */
  readonly key: string;
  readonly request: unknown;
  readonly outcome?: unknown;
  readonly externalId?: string;
  readonly costUsd?: number;
}

/** A child as it is kept; `ended` once a test has said how. */
export interface StoredChild {
  readonly id: string;
  readonly name: string;
  readonly queue: string;
  readonly payload: unknown;
  readonly ended?: {
    readonly state: 'succeeded' | 'failed' | 'cancelled';
    readonly result: unknown;
    readonly error: unknown;
  };
}

/** Everything that a server keeps of the story of one job. */
export interface StoredJob {
  readonly id: string;
  readonly steps: StoredStep[];
  /** Bytes of all steps. */
  stepBytes: number;
  readonly effects: Map<string, StoredEffect>;
  readonly children: Map<string, StoredChild>;
  /** Payloads of signals that have come, by name; the first of each counts. */
  readonly signals: Map<string, unknown>;
}

/** Takes a report of a story as a server does: what it keeps is kept once. */
export function takeReport(job: StoredJob, report: StoryReport): ReportAnswer {
  if (report.type === 'step') return keepStep(job, report);
  if (report.type === 'submit') return keepChild(job, report);
  if (report.type === 'effect_intended') return intend(job, report.name, report.request);
  const effect = job.effects.get(report.name);
  if (!effect) return refused('state_conflict', `The effect ${report.name} was never intended.`);
  job.effects.set(report.name, outcomeOf(effect, report));
  return { status: 'accepted' };
}

/** Adds the step by which a wait has ended. */
export function endWait(job: StoredJob, { kind, name }: Wait, after: number, value: unknown): void {
  job.steps.push({ kind, name, after, n: job.steps.length + 1, value });
}

function keepStep(job: StoredJob, { name, after, value }: Extract<StoryReport, { type: 'step' }>): ReportAnswer {
  const first = job.steps.find((step) => step.kind === 'step' && step.name === name);
  if (first) return { status: 'accepted', value: first.value };
  const bytes = sizeOf(value);
  if (bytes > bounds.stepBytes)
    return refused(
      'step_too_large',
      `The value of the step ${name} has ${bytes} bytes, expected at most ${bounds.stepBytes}: keep it elsewhere, and its place in the step.`,
    );
  if (job.steps.length >= bounds.steps) return full(bounds.steps, 'steps');
  if (job.stepBytes + bytes > bounds.jobBytes) return full(bounds.jobBytes, 'bytes in its steps');
  job.steps.push({ kind: 'step', name, after, n: job.steps.length + 1, value });
  job.stepBytes += bytes;
  return { status: 'accepted', value };
}

const full = (limit: number, what: string): ReportAnswer =>
  refused(
    'too_many_steps',
    `The job has no room for another step: expected at most ${limit} ${what}. Go on in a child job.`,
  );

function keepChild(
  job: StoredJob,
  { name, after, queue, payload }: Extract<StoryReport, { type: 'submit' }>,
): ReportAnswer {
  const child = job.children.get(name) ?? { id: `${job.id}.${name}`, name, queue, payload };
  if (!job.children.has(name))
    job.steps.push({ kind: 'child', name, after, n: job.steps.length + 1, value: { job: child.id } });
  job.children.set(name, child);
  return { status: 'accepted', child: child.id };
}

function intend(job: StoredJob, name: string, request: unknown): ReportAnswer {
  const key = `${job.id}.${name}`;
  const effect = job.effects.get(name);
  if (effect && JSON.stringify(effect.request) !== JSON.stringify(request))
    return refused('state_conflict', `The effect ${name} was already meant with another request.`);
  const answer = (state: EffectState, outcome?: unknown): Accepted => ({
    status: 'accepted',
    effect: { state, key, ...(state === 'done' && { outcome }) },
  });
  if (!effect || effect.state === 'failed') {
    job.effects.set(name, { name, state: 'intended', key, request });
    return answer('fresh');
  }
  if (effect.state === 'done') return answer('done', effect.outcome);
  return answer(effect.state === 'intended' ? 'again' : 'unknown');
}

function outcomeOf(
  effect: StoredEffect,
  report: Extract<StoryReport, { type: 'effect_done' | 'effect_failed' | 'effect_unknown' }>,
): StoredEffect {
  if (report.type === 'effect_failed') return { ...effect, state: 'failed' };
  if (report.type === 'effect_unknown') return { ...effect, state: 'unknown' };
  const { outcome, external_id: externalId, cost_usd: costUsd } = report;
  return {
    ...effect,
    state: 'done',
    outcome,
    ...(externalId !== undefined && { externalId }),
    ...(costUsd !== undefined && { costUsd }),
  };
}

const sizeOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

const refused = (code: string, message: string): ReportAnswer => ({ status: 'refused', code, message });

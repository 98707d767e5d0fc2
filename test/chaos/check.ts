import { isTerminal } from '#src/jobs/model/states.ts';
import type { Followed } from './follow.ts';
import type { Submission } from './load.ts';
import type { Counted } from './provider.ts';

export interface LedgerJob {
  readonly id: string;
  readonly state: string;
  readonly kind: string;
  readonly attempt: number;
  readonly failures: number;
  readonly events: number;
  readonly code: string | null;
  /** The attempt whose result was stored; null without one. */
  readonly settled_by: number | null;
  readonly run_at: Date;
}

export interface LedgerEvent {
  readonly n: number;
  readonly type: string;
  readonly at: Date;
}

/** The broker counts in whole ms. */
const clockSlackMs = 5;

const after: Readonly<Record<string, readonly string[]>> = {
  '': ['queued'],
  queued: ['started', 'cancelled'],
  started: ['retrying', 'released', 'succeeded', 'failed', 'cancelled'],
  retrying: ['started', 'cancelled'],
  released: ['started', 'cancelled'],
};

/** A process may be seen to die when its job waits again already: that quarantines it where it is. */
const mayFollow = (type: string, before: string, code: string | null) =>
  after[before]?.includes(type) ||
  (type === 'failed' && code === 'poisoned' && ['retrying', 'released'].includes(before));

/** Finds the faults of a job and its ledger, in sentences; none when all is well. */
export function faultsOfJob(job: LedgerJob, events: readonly LedgerEvent[], mostFailures: number): string[] {
  const wrong: string[] = [];
  const types = events.map(({ type }) => type);
  const count = (type: string) => types.filter((one) => one === type).length;
  if (!isTerminal(job.state)) wrong.push(`is ${job.state}`);
  if (events.some(({ n }, index) => n !== index + 1) || events.length !== job.events)
    wrong.push(`has ${job.events} events, numbered ${events.map(({ n }) => n).join(' ')}`);
  if (types.filter(isTerminal).length !== 1 || types.at(-1) !== job.state) wrong.push('does not end exactly once');
  for (const [index, type] of types.entries())
    if (!mayFollow(type, types[index - 1] ?? '', job.code))
      wrong.push(`has ${type} after ${types[index - 1] ?? 'nothing'}`);
  if (count('started') !== job.attempt) wrong.push(`has ${count('started')} starts and attempt ${job.attempt}`);
  if (job.settled_by !== null && job.settled_by !== job.attempt)
    wrong.push(`was settled by attempt ${job.settled_by} when ${job.attempt} held it`);
  const failed = job.state === 'failed' && job.code !== 'poisoned' ? 1 : 0;
  if (count('retrying') + failed !== job.failures)
    wrong.push(`has ${count('retrying') + failed} failed attempts in its events, ${job.failures} in its row`);
  // the last start settled the job; after a retry `run_at` speaks of a start that may never have come
  const started = events.at(-2);
  if (started?.type === 'started' && started.at.getTime() < job.run_at.getTime() - clockSlackMs)
    wrong.push('started before it was due');
  wrong.push(...unexpectedEnd(job, mostFailures));
  return wrong.map((what) => `job ${job.id} (${job.kind}) ${what}: ${types.join(' ')}`);
}

/** A job ends as its kind says, unless it was cancelled, or met the bounds that are promised. */
function unexpectedEnd({ kind, state, code, failures }: LedgerJob, mostFailures: number): string[] {
  if (state === 'cancelled' || code === 'poisoned') return [];
  const allowed =
    {
      refuse: state === 'failed' && failures === mostFailures,
      neither: state === 'succeeded' || code === 'outcome_unknown',
      wait: false,
    }[kind] ?? state === 'succeeded';
  return allowed ? [] : [`ended as ${state} (${code ?? 'no code'}, ${failures} failures)`];
}

/** Compares the answers that callers got with what is stored. */
export function faultsOfAnswers(
  { job, id, contradictions, cancelled }: Submission,
  stored: LedgerJob | undefined,
): string[] {
  if (id === null) return [];
  if (!stored) return [`job ${id} was accepted and does not exist`];
  return [
    ...contradictions.map((said) => `job ${id} (${job.index}): the same key was answered ${said}`),
    ...(cancelled === 200 && stored.state !== 'cancelled'
      ? [`job ${id} was answered as cancelled and is ${stored.state}`]
      : []),
    ...(cancelled !== null && cancelled !== 200 && cancelled !== 409
      ? [`the cancellation of job ${id} was answered ${cancelled}`]
      : []),
  ];
}

/** Each effect at most once, and exactly once where its job succeeded. */
export function faultsOfEffect(job: LedgerJob, counted: Counted | undefined): string[] {
  const made = counted?.made ?? 0;
  if (made > 1) return [`the ${job.kind} effect of job ${job.id} was made ${made} times`];
  if (job.state === 'succeeded' && made === 0) return [`the effect of job ${job.id} was never made`];
  return [];
}

/** A subscriber sees every durable event once, in order, over all its connections. */
export function faultsOfFollower(
  { id, transport, seen, resets, ended }: Followed,
  job: LedgerJob | undefined,
): string[] {
  const numbers = seen.map((one) => Number(one.split('.')[1]));
  const wrong: string[] = [];
  if (!ended) wrong.push('never saw the end');
  if (resets.length > 0) wrong.push(`was reset: ${resets.join(' ')}`);
  if (numbers.some((n, index) => n !== index + 1) || numbers.length !== (job?.events ?? -1))
    wrong.push(`saw ${numbers.join(' ')} of ${job?.events}`);
  return wrong.map((what) => `the ${transport} follower of job ${id} ${what}`);
}

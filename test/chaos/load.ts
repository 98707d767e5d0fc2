import { setTimeout as sleep } from 'node:timers/promises';
import type { PlannedJob } from './plan.ts';
import type { Random } from './random.ts';
import type { ChaosSystem } from './system.ts';

/** Answers that callers got about one planned job. Times are epoch ms. */
export interface Submission {
  readonly job: PlannedJob;
  /** The job's id once the API has answered; null where a submission without a key was never answered. */
  id: string | null;
  acceptedAt: number;
  /** An answer to the same key that named another job. */
  readonly contradictions: string[];
  /** Answer of the cancellation: 200, 409, or null when none was requested. */
  cancelled: number | null;
}

const noHeaders: Readonly<Record<string, string>> = {};
/** Longest wait for one answer. */
const patienceMs = 4_000;
/** A system that gives no answer for this long has failed: the check then names what was not done. */
const giveUpMs = 150_000;

interface Asking {
  readonly tries?: number;
  /** Receives each answer that decides nothing. */
  readonly onFailure?: (said: string) => void;
}

/** Asks one of the two APIs after the other until one gives an answer that decides. */
export async function ask(
  { apiUrls, key }: ChaosSystem,
  random: Random,
  path: string,
  init: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> },
  { tries = Number.POSITIVE_INFINITY, onFailure = () => {} }: Asking = {},
): Promise<{ readonly status: number; readonly body: Record<string, unknown> } | null> {
  const deadline = performance.now() + giveUpMs;
  for (let left = tries; left > 0 && performance.now() < deadline; left--) {
    const url = `${random.pick(apiUrls)}${path}`;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers };
    try {
      const answer = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(patienceMs) });
      const body = (await answer.json()) as Record<string, unknown>;
      if (answer.status < 500) return { status: answer.status, body };
      onFailure(`${url} ${answer.status} ${JSON.stringify(body)}`);
    } catch (error) {
      // killed, stopped, or cut off in the middle of an answer
      onFailure(`${url} ${String(error)}`);
    }
    await sleep(random.whole(50, 300));
  }
  return null;
}

/**
 * Submits a planned job when its time has come, and again and cancels as planned. Resolves when all that is decided.
 */
export async function submitPlanned(
  system: ChaosSystem,
  random: Random,
  submission: Submission,
  onAccepted: (submission: Submission) => void,
): Promise<void> {
  const { index, kind, workMs, delay, priority, keyed, again, cancelAfter, at } = submission.job;
  await sleep(at);
  const init = {
    method: 'POST',
    body: JSON.stringify({ payload: { index, kind, workMs }, delay, priority }),
    headers: keyed ? { 'idempotency-key': `chaos-${index}` } : noHeaders,
  };
  const answer = await ask(system, random, '/chaos/jobs', init, keyed ? {} : { tries: 1 });
  if (!answer) return;
  if (answer.status !== 200) throw new Error(`job ${index} was refused: ${JSON.stringify(answer.body)}`);
  submission.id = String(answer.body['id']);
  submission.acceptedAt = Date.now();
  onAccepted(submission);
  await Promise.all([
    again !== null && submitAgain(system, random, submission, init, again),
    cancelAfter !== null && cancel(system, random, submission, cancelAfter),
  ]);
}

async function submitAgain(
  system: ChaosSystem,
  random: Random,
  submission: Submission,
  init: Parameters<typeof ask>[3],
  after: number,
) {
  await sleep(after);
  const failures: string[] = [];
  const repeated = await ask(system, random, '/chaos/jobs', init, { onFailure: (said) => failures.push(said) });
  if (repeated === null) submission.contradictions.push(`nothing in ${giveUpMs} ms, but ${failures.join('; ')}`);
  else if (repeated.body['id'] !== submission.id || repeated.body['created'] === true)
    submission.contradictions.push(JSON.stringify(repeated.body));
}

async function cancel(system: ChaosSystem, random: Random, submission: Submission, after: number): Promise<void> {
  await sleep(after);
  const answer = await ask(system, random, `/v1/jobs/${submission.id}`, { method: 'DELETE', body: '{}' });
  submission.cancelled = answer?.status ?? null;
}

import { isTerminal } from '#src/jobs/model/states.ts';
import { type Ending, endedResponse } from '#src/platform/responses/model/ending.ts';
import type { ResponseEvent } from '#src/platform/responses/model/event-types.ts';
import type { ResponseObject } from '#src/platform/responses/model/response-object.ts';
import { outputTold } from './output-told.ts';
import type { StoredResponse } from './response-store.ts';
import { openTurn } from './turn.ts';

/**
 * How a response ended of which no worker has said so: cancelled, or its job failed, in whatever way. Null while it may
 * still go on, and where it has said so itself.
 */
function endingByJob({ ended, state, error }: StoredResponse): Ending | null {
  if (ended || (state !== null && !isTerminal(state))) return null;
  if (state === 'cancelled') return { status: 'cancelled' };
  if (error) return { status: 'failed', error: { code: error.code, message: error.message } };
  const message = 'expected a turn that says how it ends, got one that broke off; what came of it is not known.';
  return { status: 'failed', error: { code: 'outcome_unknown', message } };
}

/** A response as it stands now. @param told its events, where it is one of the background that its job has ended */
export function responseNow(stored: StoredResponse, told: readonly ResponseEvent[] = []): ResponseObject {
  const { begun, ended, attempt } = stored;
  if (ended) return ended;
  const ending = endingByJob(stored);
  const at = stored.finishedAt ?? new Date(begun.created_at * 1_000);
  if (ending) return endedResponse({ ...begun, output: [...outputTold(told)] }, ending, at);
  // a first attempt that was given back has begun all the same
  return { ...begun, status: attempt === 0 ? begun.status : 'in_progress' };
}

/** Whether its events are needed to say how it stands. */
export function needsEvents(stored: StoredResponse): boolean {
  return stored.background && endingByJob(stored) !== null;
}

/** The last events of a response whose end its job alone tells, as every reader gives them; none where they are stored, or it goes on. */
export function lastEvents(stored: StoredResponse, told: readonly ResponseEvent[]): readonly ResponseEvent[] {
  const ending = endingByJob(stored);
  if (!ending) return [];
  const response = responseNow(stored, told);
  return openTurn(response, stored.events).end(stored.finishedAt ?? new Date(), ending);
}

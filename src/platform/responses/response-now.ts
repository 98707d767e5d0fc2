import { isTerminal } from '#src/jobs/model/states.ts';
import { type Ending, endedResponse } from '#src/platform/responses/model/ending.ts';
import type { ResponseEvent } from '#src/platform/responses/model/event-types.ts';
import type { ResponseObject } from '#src/platform/responses/model/response-object.ts';
import { outputOfEvents } from './output-of-events.ts';
import type { StoredResponse } from './response-store.ts';
import { openTurn } from './turn.ts';

/**
 * Derives from its job how a response ended that no worker has reported: cancelled, or failed in whatever way. Null
 * while it may still go on, and where a worker has reported the end.
 */
function endingByJob({ ended, state, error }: StoredResponse): Ending | null {
  if (ended || (state !== null && !isTerminal(state))) return null;
  if (state === 'cancelled') return { status: 'cancelled' };
  if (error) return { status: 'failed', error: { code: error.code, message: error.message } };
  const message = 'expected a turn that says how it ends, got one that broke off; what came of it is not known.';
  return { status: 'failed', error: { code: 'outcome_unknown', message } };
}

/**
 * Builds a response as it is now.
 *
 * @param events its events, where it is a background response that its job has ended
 */
export function responseNow(stored: StoredResponse, events: readonly ResponseEvent[] = []): ResponseObject {
  const { begun, ended, attempt } = stored;
  if (ended) return ended;
  const ending = endingByJob(stored);
  const at = stored.finishedAt ?? new Date(begun.created_at * 1_000);
  if (ending) return endedResponse({ ...begun, output: [...outputOfEvents(events)] }, ending, at);
  // a first attempt that was released has begun all the same
  return { ...begun, status: attempt === 0 ? begun.status : 'in_progress' };
}

/** Checks whether its events are needed to show its status. */
export function needsEvents(stored: StoredResponse): boolean {
  return stored.background && endingByJob(stored) !== null;
}

/**
 * Returns the last events of a response whose end its job alone records, the same for every reader; none where they are
 * stored, or it goes on.
 */
export function lastEvents(stored: StoredResponse, events: readonly ResponseEvent[]): readonly ResponseEvent[] {
  const ending = endingByJob(stored);
  if (!ending) return [];
  const response = responseNow(stored, events);
  return openTurn(response, stored.events).end(stored.finishedAt ?? new Date(), ending);
}

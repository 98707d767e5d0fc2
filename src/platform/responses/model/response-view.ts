import { type Static, Type } from 'typebox';
import type { State } from '#src/jobs/model/states.ts';
import { JobLink, jobLink } from '#src/platform/edge/job-link.ts';
import { eventsAround, type ResponseEvent } from './event-types.ts';
import { ResponseObject } from './response-object.ts';

/** A response as answers have it: stored ones name their job by its id alone. */
export const ResponseView = Type.Object({ ...ResponseObject.properties, job: JobLink }, { title: 'ModelResponse' });
export type ResponseView = Static<typeof ResponseView>;

/** One event of a response, as streams carry it. */
export const ResponseEventView = eventsAround(ResponseView);
export type ResponseEventView = Static<typeof ResponseEventView>;

/** States of the job, by the status of its response; a turn that was cut off for its length has been done. */
const stateOf: Readonly<Record<ResponseObject['status'], State>> = {
  queued: 'queued',
  in_progress: 'running',
  completed: 'succeeded',
  incomplete: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
};

export function responseView(response: ResponseObject): ResponseView {
  return { ...response, job: jobLink(response.job, stateOf[response.status]) };
}

/** Gives events as streams carry them, each as it comes. */
export async function* eventViews(events: AsyncIterable<ResponseEvent>): AsyncGenerator<ResponseEventView> {
  for await (const event of events)
    yield 'response' in event ? { ...event, response: responseView(event.response) } : event;
}

import type { Job } from '#src/jobs/model/job.ts';
import type { Principal } from '#src/lib/principal.ts';
import { chatWork } from '#src/platform/chat/chat-work.ts';
import type { Intake } from '#src/platform/edge/intake.ts';
import type { PlatformWork } from '#src/platform/edge/work.ts';
import { videoWork } from '#src/platform/media/video-work.ts';
import { mediaWorks } from '#src/platform/media/works.ts';
import { responseWork } from '#src/platform/responses/response-work.ts';
import type { Context } from '#src/system/context.ts';

/** A work whatever its bodies and results are: each is checked by its own schema before it gets there. */
interface AnyWork extends Pick<PlatformWork, 'path' | 'aliases' | 'body' | 'queue'> {
  readonly payload: (context: Context, principal: Principal, body: any, intake: Intake) => Promise<unknown>;
  readonly accepted?: (context: Context, job: Pick<Job, 'id' | 'owner'>, body: any) => Promise<void>;
  readonly present: (context: Context, job: Job, result: any, body?: any) => Promise<object>;
}

/** Work that a line of a batch can request; a route's work is added by naming it here. */
export const batchWorks: readonly AnyWork[] = [chatWork, responseWork, videoWork, ...mediaWorks];

/** A work, and the members that a body gets from the path. */
export interface FoundWork {
  readonly work: AnyWork;
  readonly fromPath: Readonly<Record<string, string>>;
}

/** A url as a batch names it, below `/api/v2`: without `/v1` or `/api/v2` before it; null for another. */
export function pathOf(url: string): string | null {
  return /^(?:\/v1|\/api\/v2)(\/[^?#]*)$/.exec(url)?.[1] ?? null;
}

/** The work of a path, by its own name or an alias; null where batches know none. */
export function findWork(path: string): FoundWork | null {
  // the only path with a part that the body does not have
  const persona = /^\/personas\/([^/]+)\/video$/.exec(path)?.[1];
  const wanted = persona === undefined ? path : '/personas/{id}/video';
  const work = batchWorks.find((one) => one.path === wanted || one.aliases.includes(wanted));
  return work ? { work, fromPath: persona === undefined ? {} : { id: persona } } : null;
}

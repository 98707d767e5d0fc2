import type { TSchema } from 'typebox';
import type { Payload, QueueContract, Result } from '#queues/define.ts';
import type { Job } from '#src/jobs/model/job.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import type { Intake } from './intake.ts';

/**
 * Work that a route of the platform has done by a job: the same for a request of its own and for a line of a batch.
 * Both check the body by the schema first.
 */
export interface PlatformWork<Q extends QueueContract = QueueContract, B = unknown> {
  /** Below `/api/v2`, as a batch names it: `/images/generate`. */
  readonly path: string;
  /** The same under the names that clients of OpenAI's kind use: `/images/generations`. */
  readonly aliases: readonly string[];
  readonly body: TSchema;
  readonly queue: Q;
  /**
   * Builds the job's payload. The same body may give another payload later: routes are chosen by current health. The
   * caller abandons the intake where it throws, or where no job comes of it.
   *
   * @throws AppError `providers_exhausted` with the reasons where no provider can be called, `invalid_request`.
   */
  readonly payload: (context: Context, principal: Principal, body: B, intake: Intake) => Promise<Payload<Q>>;
  /** Stores data of a single job beside it, once it is stored; a request that is repeated calls it again. */
  readonly accepted?: (context: Context, job: Pick<Job, 'id' | 'owner'>, body: B) => Promise<void>;
  /** Builds the JSON answer for the client from a job that succeeded; with the request's body it may say more. */
  readonly present: (context: Context, job: Job, result: Result<Q>, body?: B) => Promise<object>;
}

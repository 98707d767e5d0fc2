import { flowQueue } from '#queues/flows.ts';
import type { Submitted } from '#src/jobs/submit/new-job.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { checkFlow, type FlowRequest } from './check-flow.ts';

/** Words of the caller about a submission of a flow. */
export interface FlowOptions {
  readonly idempotencyKey?: string;
  /** The request as text: a repetition is recognised by it. */
  readonly request?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/**
 * Accepts a flow: checked whole, then stored as one job, so that all of it is there or nothing. Its nodes begin at once.
 *
 * @throws AppError `invalid_request`, `not_found`, `invalid_payload`, `idempotency_conflict`, `unavailable`
 */
export async function submitFlow(
  context: Context,
  principal: Pick<Principal, 'owner' | 'keyId'>,
  flow: FlowRequest,
  options: FlowOptions = {},
): Promise<Submitted> {
  const payload = await checkFlow(context, principal, flow);
  // held: no worker takes it, and no broker knows of it
  return await submit(context, flowQueue, { ...options, principal, payload, held: true });
}

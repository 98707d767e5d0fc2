import { respond } from '#queues/platform.ts';
import { admitWork } from '#src/access/quota.ts';
import { releaseHeld } from '#src/jobs/change/change-job.ts';
import { findByKey } from '#src/jobs/submit/find-by-key.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import type { Principal } from '#src/lib/principal.ts';
import { readConversation } from '#src/platform/responses/model/conversation.ts';
import { settingsOf, textWork } from '#src/platform/responses/model/read-request.ts';
import type { ResponseRequest } from '#src/platform/responses/model/request-body.ts';
import { newResponse, type ResponseObject } from '#src/platform/responses/model/response-object.ts';
import { keepWebhook } from '#src/platform/webhooks/webhook-store.ts';
import type { Context } from '#src/system/context.ts';
import { insertResponse } from './response-store.ts';
import { openTurn } from './turn.ts';

interface Submission {
  readonly principal: Principal;
  readonly body: ResponseRequest;
  readonly idempotencyKey?: string;
  /** Text of the client's request. */
  readonly request?: string;
}

/**
 * Accepts a background response. Its input is stored with the response alone, so that deleting the response deletes it;
 * its job waits until it is there. Returns the response as it begins, and null for one that was accepted before. Of
 * several requests that come at once all may get the beginning, and all but one are repetitions.
 *
 * @throws AppError `quota_exceeded`, `idempotency_conflict`, what {@link readConversation} throws.
 */
export async function submitResponse(
  context: Context,
  { principal, body, ...key }: Submission,
): Promise<{ readonly job: string; readonly begun: ResponseObject | null; readonly isReplay: boolean }> {
  const { owner, keyId } = principal;
  const { idempotencyKey } = key;
  const known = idempotencyKey === undefined ? null : await findByKey(context, owner, respond.name, idempotencyKey);
  if (!known) await admitWork(context)(principal, respond.name);
  // a request that cannot be taken leaves no job
  const conversation = known ? null : await readConversation(context, owner, body);
  const { job, created } = await submit(context, respond, {
    principal,
    payload: { work: null, keyId, background: true },
    held: true,
    ...key,
  });
  // a job that is held is new, or the process that accepted it before could not go on
  if (!job.held || job.state !== 'queued') return { job: job.id, begun: null, isReplay: true };
  const { messages, previous, items, warnings } = conversation ?? (await readConversation(context, owner, body));
  const begun = newResponse({ job: job.id, createdAt: job.createdAt, settings: settingsOf(body), warnings }, 'queued');
  await insertResponse(context, {
    id: job.id,
    owner,
    background: true,
    previous,
    begun,
    input: items,
    work: textWork(body, messages),
    events: openTurn(begun).begin(),
  });
  if (body.webhook) await keepWebhook(context, principal, job, body.webhook);
  await releaseHeld(context, [job.id]);
  return { job: job.id, begun, isReplay: !created };
}

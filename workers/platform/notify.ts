import type { notify } from '#queues/platform.ts';
import { postSigned } from '#src/governance/owners/post-signed.ts';
import { ownerSecret } from '#src/governance/owners/webhook-secrets.ts';
import { EffectRefused, runEffect } from '#src/jobs/effects/effects.ts';
import { AppError } from '#src/lib/errors.ts';
import { noteTry, readDelivery, type WebhookDelivery } from '#src/platform/webhooks/deliveries.ts';
import type { Context } from '#src/system/context.ts';
import { NotSent } from '#src/system/outside/outside.ts';
import type { Processor } from '#workers/run/processor.ts';

/**
 * Tells an address that work has ended, by a POST that its receiver can check (Standard Webhooks): at least once,
 * always under the same id. An address that is not of the open internet and 410 end it at once.
 *
 * @throws AppError `forbidden`, `state_conflict` for 410, `unavailable`, `not_found` for a delivery that is forgotten.
 */
export const notifyProcessor: Processor<typeof notify> = async ({ payload: { deliveryId }, job, context, signal }) => {
  const delivery = await readDelivery(context, deliveryId);
  if (!delivery) throw new AppError('not_found', `expected a delivery that is still kept, got ${deliveryId}.`);
  const { externalId } = await runEffect(
    context,
    job,
    'notify',
    delivery.body,
    {
      // the receiver knows a repetition by its id
      kind: 'idempotent',
      send: async (_body, _key, sendSignal) => {
        const status = await post(context, delivery, sendSignal);
        return { externalId: String(status), outcome: { status } };
      },
    },
    signal,
  );
  return { status: Number(externalId) };
};

/** One try, written down. @returns the status of an answer of success */
async function post(context: Context, { id, owner, url, body }: WebhookDelivery, signal: AbortSignal): Promise<number> {
  const { config } = context;
  let status: number | null = null;
  try {
    const origins = config.PLATFORM_WEBHOOK_ORIGINS;
    const secrets = [await ownerSecret(context, owner)];
    ({ status } = await postSigned({ url, origins, anywhere: true, id, body, secrets }, signal));
    if (status < 200 || status > 299) throw refusal(url, status);
    await noteTry(context, id, { status, error: null });
    return status;
  } catch (error) {
    signal.throwIfAborted();
    const failure = failureOf(url, error);
    await noteTry(context, id, { status, error: failure.message });
    throw failure;
  }
}

function refusal(url: string, status: number): EffectRefused {
  const message = `expected ${new URL(url).origin} to take the message, got ${status}.`;
  return new EffectRefused(status === 410 ? 'state_conflict' : 'unavailable', message, { status });
}

/** Converts a failure: a message that was never sent, or was refused, has not happened; all else may have. */
function failureOf(url: string, error: unknown): AppError {
  if (error instanceof NotSent) return new EffectRefused(error.code, error.message, error.details, error);
  if (error instanceof AppError && error.code === 'forbidden')
    return new EffectRefused(error.code, error.message, error.details, error);
  if (error instanceof AppError) return error;
  return new AppError('unavailable', `${new URL(url).origin} did not answer in full.`, {}, error);
}

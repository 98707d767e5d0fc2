import type { deliver } from '#queues/platform.ts';
import { readDelivery } from '#src/governance/notifications/deliveries/delivery-row.ts';
import { noteAttempt } from '#src/governance/notifications/deliveries/note-attempt.ts';
import { readEndpoint } from '#src/governance/notifications/endpoints/endpoint-row.ts';
import { attemptDelivery } from '#src/governance/notifications/send/send.ts';
import type { Processor } from '#workers/run/processor.ts';

/**
 * Makes one attempt to deliver a message to its endpoint, and writes down what came of it. The delivery’s row is both
 * intent and outcome: after a crash in between the message is sent again under its id, by which the receiver knows it.
 */
export const deliverProcessor: Processor<typeof deliver> = async ({
  payload: { deliveryId, dispatch },
  context,
  signal,
}) => {
  const delivery = await readDelivery(context, deliveryId);
  const endpoint = delivery && (await readEndpoint(context, delivery.endpoint));
  const isMine = delivery?.state === 'sending' && delivery.dispatch === dispatch;
  // removed meanwhile, or handed to another job
  if (!delivery || !endpoint || !isMine) return { delivered: false, status: null };
  const attempt = await attemptDelivery(context, endpoint, delivery, signal);
  const isNoted = await noteAttempt(context, delivery, attempt);
  return { delivered: isNoted && attempt.error === null, status: attempt.status };
};

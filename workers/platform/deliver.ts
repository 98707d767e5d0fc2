import type { deliver } from '#queues/platform.ts';
import { giveBack, readBatch } from '#src/governance/notifications/deliveries/batch.ts';
import { noteAttempt } from '#src/governance/notifications/deliveries/note-attempt.ts';
import { readEndpoint } from '#src/governance/notifications/endpoints/endpoint-row.ts';
import { attemptDelivery } from '#src/governance/notifications/send/send.ts';
import type { Processor } from '#workers/run/processor.ts';

/** Messages that are under way to a receiver at once, from one batch. */
const LANES = 4;
/** A slow receiver holds a batch no longer: the rest comes with another one. */
const BATCH_MS = 15_000;

/**
 * Makes one attempt to deliver each message of a batch, and writes down what came of it. After the first that was not
 * taken no other is begun. A delivery’s row is both intent and outcome: after a crash in between the message is sent
 * again under its id, by which the receiver knows it.
 */
export const deliverProcessor: Processor<typeof deliver> = async ({ payload, context, signal }) => {
  const endpoint = await readEndpoint(context, payload.endpoint);
  // removed meanwhile
  if (!endpoint) return { delivered: 0, failed: 0 };
  const waiting = [...(await readBatch(context, payload))];
  const until = performance.now() + BATCH_MS;
  let delivered = 0;
  let failed = 0;
  const lane = async () => {
    while (failed === 0 && performance.now() < until) {
      const delivery = waiting.shift();
      if (!delivery) return;
      const attempt = await attemptDelivery(context, endpoint, delivery, signal);
      const isNoted = await noteAttempt(context, delivery, attempt);
      if (attempt.error !== null) failed++;
      else if (isNoted) delivered++;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await giveBack(context, payload);
  return { delivered, failed };
};

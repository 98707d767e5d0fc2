import { createHmac } from 'node:crypto';
import { AppError } from '#src/lib/errors.ts';
import { sameText } from './webhook-address.ts';

/** A message that is older or newer than this is a repeated one, or of a clock that is wrong. */
const TOLERANCE_SECONDS = 300;

export interface SignedMessage {
  readonly id: string | undefined;
  /** Seconds since 1970. */
  readonly timestamp: string | undefined;
  /** `v1,<base64>`, several with spaces between. */
  readonly signature: string | undefined;
  readonly body: Uint8Array;
}

/**
 * Lets a message pass that was signed with this secret (`whsec_` and base64) just now.
 *
 * @throws AppError `forbidden`
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function verifyWebhook(
  { id, timestamp, signature, body }: SignedMessage,
  secret: string,
  now = new Date(),
): void {
  const age = Math.abs(now.getTime() / 1_000 - Number(timestamp));
  if (id === undefined || signature === undefined || !/^\d{1,12}$/.test(timestamp ?? '') || age > TOLERANCE_SECONDS) {
    throw new AppError(
      'forbidden',
      `expected webhook-id, webhook-signature and a webhook-timestamp of the last ${TOLERANCE_SECONDS} s, got others.`,
      { reason: 'signature' },
    );
  }
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const isOurs = signature.split(' ').some((one) => sameText(one, `v1,${expected}`));
  if (!isOurs)
    throw new AppError(
      'forbidden',
      'expected a message that is signed with the secret of this provider, got another.',
      { reason: 'signature' },
    );
}

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { ProviderCall } from '#src/providers/catalogue/adapter.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import type { Config } from '#src/system/config/config-type.ts';

/** The job that a call's key belongs to: `<job>.<effect>`. */
export function jobOf({ key }: Pick<ProviderCall, 'key'>): string | null {
  return /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\./.exec(key)?.[1] ?? null;
}

/**
 * Builds the address at which a provider may report a task's status: it cannot be guessed, and is that of one job at
 * one provider. Null where there is no way back: without PUBLIC_URL, or without the secret that signs the provider's
 * messages.
 */
export function webhookAddress({ context, provider, key }: ProviderCall): string | null {
  const job = jobOf({ key });
  const { PUBLIC_URL } = context.config;
  const isSigned = provider.style !== 'replicate-style' || provider.webhookSecret !== undefined;
  if (job === null || PUBLIC_URL === undefined || !isSigned) return null;
  const path = `/v1/providers/${provider.id}/webhook/${job}`;
  return `${PUBLIC_URL.replace(/\/+$/, '')}${path}?token=${webhookToken(context.config, provider, job)}`;
}

/**
 * Computes the part of the address that only this system can have written: an HMAC over provider and job, under a key
 * of its own.
 */
export function webhookToken(
  { KEY_PEPPER }: Pick<Config, 'KEY_PEPPER'>,
  { id }: Pick<Provider, 'id'>,
  job: string,
): string {
  const key = hkdfSync('sha256', KEY_PEPPER, 'proofline/provider-webhook/v1', '', 32);
  return createHmac('sha256', Buffer.from(key)).update(`${id}\n${job}`).digest('base64url');
}

/** Compares two texts, in a time that does not show where they differ. */
export function sameText(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

import { hkdfSync } from 'node:crypto';
import { webhookSecret } from '#src/governance/owners/webhook-signature.ts';
import type { Config } from '#src/system/config/config-type.ts';
import type { Endpoint } from './endpoint-row.ts';

type Peppered = Pick<Config, 'KEY_PEPPER'>;

/** Hours for which the secret before a rotation goes on to be signed with. */
export const ROTATION_HOURS = 24;

/** The newest secret of an endpoint, as Standard Webhooks writes it. Derived, so kept nowhere. */
export function endpointSecret(
  config: Peppered,
  { id, secretVersion }: Pick<Endpoint, 'id' | 'secretVersion'>,
): string {
  const bytes = hkdfSync('sha256', config.KEY_PEPPER, 'proofline/endpoint/v1', `${id}.${secretVersion}`, 32);
  return `whsec_${Buffer.from(bytes).toString('base64')}`;
}

/**
 * Secrets that a message to an endpoint is signed with, the newest first: two for a day after a rotation. Webhooks of
 * single jobs are signed with the secret of their owner (`GET /api/v1/webhook-secret`).
 */
export function secretsOf(
  config: Peppered,
  endpoint: Pick<Endpoint, 'id' | 'owner' | 'listed' | 'secretVersion' | 'previousUntil'>,
  at: Date,
): readonly string[] {
  if (!endpoint.listed) return [webhookSecret(config, endpoint.owner)];
  const { id, secretVersion, previousUntil } = endpoint;
  const newest = endpointSecret(config, endpoint);
  if (previousUntil === null || previousUntil <= at) return [newest];
  return [newest, endpointSecret(config, { id, secretVersion: secretVersion - 1 })];
}

import { ownerSecret, webhookSecret } from '#src/governance/owners/webhook-secrets.ts';
import type { Context } from '#src/system/context.ts';
import type { Endpoint } from './endpoint-row.ts';

type Stores = Pick<Context, 'db' | 'config'>;

/** Hours for which the secret before a rotation goes on to be signed with. */
export const ROTATION_HOURS = 24;

/** The newest secret of an endpoint, as Standard Webhooks writes it. */
export async function endpointSecret(
  context: Stores,
  { id, secretVersion }: Pick<Endpoint, 'id' | 'secretVersion'>,
): Promise<string> {
  const version = `${id}.${secretVersion}`;
  return await webhookSecret(context, `endpoint:${version}`, 'proofline/endpoint/v1', version);
}

/**
 * Secrets that a message to an endpoint is signed with, the newest first: two for a day after a rotation. Webhooks of
 * single jobs are signed with the secret of their owner (`GET /api/v1/webhook-secret`).
 */
export async function secretsOf(
  context: Stores,
  endpoint: Pick<Endpoint, 'id' | 'owner' | 'listed' | 'secretVersion' | 'previousUntil'>,
  at: Date,
): Promise<readonly string[]> {
  if (!endpoint.listed) return [await ownerSecret(context, endpoint.owner)];
  const { id, secretVersion, previousUntil } = endpoint;
  const newest = await endpointSecret(context, endpoint);
  if (previousUntil === null || previousUntil <= at) return [newest];
  return [newest, await endpointSecret(context, { id, secretVersion: secretVersion - 1 })];
}

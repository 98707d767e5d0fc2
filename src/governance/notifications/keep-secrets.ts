import { sql } from 'slonik';
import { Type } from 'typebox';
import { ownerSecret, resealSecrets } from '#src/governance/owners/webhook-secrets.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { endpointSecret } from './endpoints/endpoint-secret.ts';

/** Secrets of one look. */
const PAGE = 200;

const OwnerRow = row(Type.Object({ owner: Type.String() }));
const EndpointRow = row(Type.Object({ id: Type.String(), secretVersion: Type.Integer() }));

/**
 * Prepares secrets for the end of a pepper, while there are two: those that receivers may have and that are not kept yet
 * are kept, and all are sealed under the present pepper.
 */
export async function keepSecrets(context: Pick<Context, 'db' | 'config'>): Promise<void> {
  const { db, config } = context;
  if (config.KEY_PEPPER_OTHER === '') return;
  const owners = await db.any(sql.type(OwnerRow)`
    select distinct k.owner from keys k
    where not exists (select from webhook_secrets s where s.name = 'owner:' || k.owner) limit ${PAGE}`);
  for (const { owner } of owners) await ownerSecret(context, owner);
  const endpoints = await db.any(sql.type(EndpointRow)`
    select p.id, p.secret_version as "secretVersion" from webhook_endpoints p
    where p.listed and not exists (
      select from webhook_secrets s where s.name = 'endpoint:' || p.id || '.' || p.secret_version
    ) limit ${PAGE}`);
  for (const endpoint of endpoints) await endpointSecret(context, endpoint);
  await resealSecrets(context);
}

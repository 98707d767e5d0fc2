import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { sql } from 'slonik';
import { Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import type { Config } from '#src/system/config/config-type.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

type Peppers = Pick<Config, 'KEY_PEPPER' | 'KEY_PEPPER_OTHER'>;
type Stores = Pick<Context, 'db'> & { readonly config: Peppers };

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;
/** Secrets that one look seals anew. */
const PAGE = 500;

const SealedRow = row(Type.Object({ name: Type.String(), sealed: Type.Unsafe<Buffer>({}), pepper: Type.String() }));

/** The secret that webhooks of an owner are signed with, as Standard Webhooks writes it. */
export async function ownerSecret(context: Stores, owner: string): Promise<string> {
  return await webhookSecret(context, `owner:${owner}`, 'proofline/webhook/v1', owner);
}

/**
 * Answers the secret of a name. At its first use it is derived from the pepper and kept, sealed under the pepper: another
 * pepper seals it anew and leaves it as it is, so no receiver has to learn of it.
 *
 * @param salt of the derivation, with `info`
 * @throws AppError `invalid_configuration` where it was sealed under a pepper that this process does not know
 */
export async function webhookSecret({ db, config }: Stores, name: string, salt: string, info: string): Promise<string> {
  const find = async () =>
    await db.maybeOne(sql.type(SealedRow)`select name, sealed, pepper from webhook_secrets where name = ${name}`);
  const known = await find();
  if (known) return asText(opened(config, known));
  const secret = Buffer.from(hkdfSync('sha256', config.KEY_PEPPER, salt, info, 32));
  await db.query(sql.unsafe`
    insert into webhook_secrets (name, sealed, pepper)
    values (${name}, ${sql.binary(sealed(config.KEY_PEPPER, name, secret))}, ${nameOf(config.KEY_PEPPER)})
    on conflict do nothing`);
  // another process may have been first, under another pepper
  const stored = await find();
  return asText(stored ? opened(config, stored) : secret);
}

/**
 * Seals anew what is sealed under the other pepper, while there are two. Once the pepper is changed everywhere, nothing
 * is left under the old one, and it can be given up.
 *
 * @returns the number of secrets that it sealed
 */
export async function resealSecrets({ db, config }: Stores): Promise<number> {
  if (config.KEY_PEPPER_OTHER === '') return 0;
  const found = await db.any(sql.type(SealedRow)`
    select name, sealed, pepper from webhook_secrets where pepper = ${nameOf(config.KEY_PEPPER_OTHER)} limit ${PAGE}`);
  for (const one of found)
    await db.query(sql.unsafe`
      update webhook_secrets set sealed = ${sql.binary(sealed(config.KEY_PEPPER, one.name, opened(config, one)))},
        pepper = ${nameOf(config.KEY_PEPPER)}
      where name = ${one.name} and pepper = ${one.pepper}`);
  return found.length;
}

const asText = (secret: Buffer): string => `whsec_${secret.toString('base64')}`;

/** Names a pepper, and says nothing of it. */
const nameOf = (pepper: string): string =>
  createHmac('sha256', pepper).update('proofline/pepper-name/v1').digest('hex').slice(0, 16);

const sealingKey = (pepper: string): Buffer =>
  Buffer.from(hkdfSync('sha256', pepper, 'proofline/webhook-secrets/v1', '', 32));

/** A secret as it is stored: it opens under its own name alone. */
function sealed(pepper: string, name: string, secret: Buffer): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, sealingKey(pepper), nonce).setAAD(Buffer.from(name));
  const body = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function opened(
  { KEY_PEPPER, KEY_PEPPER_OTHER }: Peppers,
  one: { readonly name: string; readonly sealed: Buffer; readonly pepper: string },
): Buffer {
  const pepper = [KEY_PEPPER, KEY_PEPPER_OTHER].find((each) => each !== '' && nameOf(each) === one.pepper);
  if (pepper === undefined)
    throw new AppError(
      'invalid_configuration',
      'KEY_PEPPER: expected the pepper that secrets of webhooks are sealed under, got another one. Set it as KEY_PEPPER_OTHER; deploy/RUNBOOK.md says how a pepper is changed.',
      { variable: 'KEY_PEPPER_OTHER' },
    );
  const cipher = createDecipheriv(CIPHER, sealingKey(pepper), one.sealed.subarray(0, NONCE))
    .setAAD(Buffer.from(one.name))
    .setAuthTag(one.sealed.subarray(NONCE, NONCE + TAG));
  return Buffer.concat([cipher.update(one.sealed.subarray(NONCE + TAG)), cipher.final()]);
}

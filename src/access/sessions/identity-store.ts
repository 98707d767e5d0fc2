import { createHash } from 'node:crypto';
import { type CommonQueryMethods, sql } from 'slonik';
import { Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const Owner = Type.Object({ owner: Type.String() });
const Identity = Type.Object({ owner: Type.String(), human: Type.Union([Type.String(), Type.Null()]) });

/** A person as their provider names them: the subject is theirs for ever, the e-mail address only for now. */
export interface Person {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
}

/**
 * Notes that a person has signed in; answers the owner of what is theirs, which stays the same from their first time
 * on. The owner is named by their e-mail address, so that keys can be made for them before they come. An address that
 * the same provider has given to another person since is another owner, named by issuer and subject. An address of
 * another provider is the same owner: an operator who sets a new provider moves the people there.
 */
export async function keepIdentity({ db }: Context, person: Person, operator: boolean): Promise<string> {
  const { issuer, subject, email } = person;
  return await db.transaction(async (tx) => {
    // two people who come for the first time at once must not both find the owner free
    await tx.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended(${`identity ${email}`}, 0))`);
    const known = await tx.maybeOne(sql.type(row(Owner))`
      update identities set email = ${email}, operator = ${operator}, seen_at = now()
      where issuer = ${issuer} and subject = ${subject} returning owner`);
    if (known) return known.owner;
    const owner = await freeOwner(tx, person);
    await tx.query(sql.unsafe`
      insert into identities (issuer, subject, email, owner, operator)
      values (${issuer}, ${subject}, ${email}, ${owner}, ${operator})`);
    return owner;
  });
}

async function freeOwner(tx: CommonQueryMethods, { issuer, subject, email }: Person): Promise<string> {
  const byEmail = `user:${email}`;
  const taken = await tx.maybeOne(sql.type(row(Owner))`
    select owner from identities where owner = ${byEmail} and issuer = ${issuer} limit 1`);
  if (!taken && /^[\w.@:-]{1,100}$/.test(byEmail)) return byEmail;
  return `user:${createHash('sha256').update(`${issuer}\n${subject}`).digest('hex').slice(0, 32)}`;
}

/**
 * Finds the owner of a person's things, and the verified human they have proven to be, unless that one was removed
 * since.
 */
export async function findIdentity(
  { db }: Pick<Context, 'db'>,
  { issuer, subject }: Pick<Person, 'issuer' | 'subject'>,
): Promise<{ readonly owner: string; readonly human: string | null } | null> {
  return await db.maybeOne(sql.type(row(Identity))`
    select owner, encode(humans.nullifier, 'hex') as human
    from identities left join humans on humans.nullifier = decode(identities.human, 'hex') and humans.revoked_at is null
    where issuer = ${issuer} and subject = ${subject}`);
}

/**
 * Notes which human a person has proven to be; they stay that one.
 *
 * @throws AppError `invalid_proof` where they are known as another.
 */
export async function bindHuman(
  tx: CommonQueryMethods,
  { issuer, subject }: Pick<Person, 'issuer' | 'subject'>,
  human: string,
): Promise<void> {
  const bound = await tx.query(sql.unsafe`
    update identities set human = ${human}
    where issuer = ${issuer} and subject = ${subject} and (human is null or human = ${human})`);
  if (bound.rowCount === 1) return;
  throw new AppError('invalid_proof', "expected a proof of the human that you are known as, got another human's.", {
    field: 'proof',
  });
}

import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { row } from '#src/system/postgres/postgres.ts';

/** Purposes of challenges; each has a prefix of its own in the hashed message. */
export const purposes = ['enrol', 'key', 'step', 'approval', 'person'] as const;
export type Purpose = (typeof purposes)[number];

export type ChallengeBody = Readonly<Record<string, string | number | null>>;

const Consumed = Type.Object({
  message: Type.Unsafe<Buffer>(Type.Any()),
  body: Type.Unsafe<ChallengeBody>(Type.Any()),
});

const Known = Type.Object({
  purpose: Type.Enum([...purposes]),
  used: Type.Boolean(),
  expired: Type.Boolean(),
});
export type KnownChallenge = Static<typeof Known>;

export interface NewChallenge {
  readonly id: string;
  readonly purpose: Purpose;
  readonly message: Buffer;
  readonly body: ChallengeBody;
  readonly ttlMs: number;
}

/** Stores a challenge, and deletes some that expired a day ago: no other code does. */
export async function insertChallenge(tx: CommonQueryMethods, challenge: NewChallenge): Promise<void> {
  const { id, purpose, message, body, ttlMs } = challenge;
  await tx.query(sql.unsafe`
    with old as (
      select id from human_challenges where expires_at < now() - interval '1 day' order by expires_at limit 20
      for update skip locked
    ), gone as (delete from human_challenges where id in (select id from old))
    insert into human_challenges (id, purpose, message, body, expires_at)
    values (${id}, ${purpose}, ${sql.binary(message)}, ${JSON.stringify(body)}::jsonb,
      now() + ${ttlMs} * interval '1 millisecond')`);
}

/**
 * Uses a challenge up, once: of callers at the same time one gets it, when its transaction commits. Null where it does
 * not exist, is used or expired, or is for another purpose or about something else than `about` says.
 */
export async function consumeChallenge(
  tx: CommonQueryMethods,
  id: string,
  purpose: Purpose,
  about: ChallengeBody,
): Promise<Static<typeof Consumed> | null> {
  return await tx.maybeOne(sql.type(row(Consumed))`
    update human_challenges set used_at = now()
    where id = ${id} and purpose = ${purpose} and used_at is null and expires_at > clock_timestamp()
      and body @> ${JSON.stringify(about)}::jsonb
    returning message, body`);
}

/** The body of a challenge of a purpose, used or not; null where there is none. */
export async function selectBody(db: CommonQueryMethods, id: string, purpose: Purpose): Promise<ChallengeBody | null> {
  const found = await db.maybeOne(sql.type(row(Consumed))`
    select message, body from human_challenges where id = ${id} and purpose = ${purpose}`);
  return found?.body ?? null;
}

export async function selectChallenge(tx: CommonQueryMethods, id: string): Promise<KnownChallenge | null> {
  return await tx.maybeOne(sql.type(row(Known))`
    select purpose, used_at is not null as used, expires_at <= clock_timestamp() as expired from human_challenges where id = ${id}`);
}

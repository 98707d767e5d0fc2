import { hash, randomUUIDv7 } from 'node:crypto';
import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { announcePurge } from '#src/access/keys/purge.ts';
import { roleOf } from '#src/access/sessions/session-principal.ts';
import { personOf } from '#src/access/sessions/session-store.ts';
import { AppError } from '#src/lib/errors.ts';
import { type Principal, tokenHolder } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { makeStreamToken, type StreamGrant, type StreamKindName } from './stream-token.ts';

/** Valid tokens that one owner may have. */
const MOST_TOKENS = 10_000;

const nullable = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const Token = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  kind: Type.Unsafe<StreamKindName>({}),
  subject: Type.String(),
  session: nullable(Type.String()),
  /** True: it opens what is another owner’s, as its maker might as an operator. */
  asOperator: Type.Boolean(),
  /** Why it is valid no more; null while it is. */
  dead: nullable(Type.String()),
});
type Token = Static<typeof Token>;
const tokenRow = row(Token);

/** Columns of a {@link Token} `t`; its session, which is in Redis, is another question. */
const columns = sql.fragment`
  t.id, t.owner, t.kind, t.subject, t.session, t.as_operator as "asOperator",
  case when t.revoked_at is not null then 'revoked' when t.expires_at <= now() then 'expired'
    when t.key_id is not null and not exists (
      select from keys k where k.id = t.key_id and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
        and (k.operator or not t.as_operator)
    ) then 'revoked' end as dead`;

// 256 random bits: a slow or keyed hash would add nothing
const hashOf = (token: string) => sql.binary(hash('sha256', token, 'buffer'));

export interface MadeToken {
  readonly id: string;
  /** Shown once: its hash alone is stored. */
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Makes a token for one stream, which ends with the caller’s key or session.
 *
 * @param owner of what the stream tells
 * @throws AppError `quota_exceeded`
 */
export async function makeToken(
  { db }: { readonly db: CommonQueryMethods },
  { keyId, session, owner: maker }: Pick<Principal, 'keyId' | 'session' | 'owner'>,
  { owner, kind, subject, seconds }: Omit<StreamGrant, 'id'> & { readonly owner: string; readonly seconds: number },
): Promise<MadeToken> {
  const token = makeStreamToken();
  const id = randomUUIDv7();
  const made = await db.maybeOne(sql.type(row(Type.Object({ expiresAt: Type.Unsafe<Date>({}) })))`
    insert into stream_tokens (id, hash, owner, key_id, session, kind, subject, as_operator, expires_at)
    select ${id}, ${hashOf(token)}, ${owner}, ${keyId}, ${session?.id ?? null}, ${kind}, ${subject}, ${owner !== maker},
      now() + ${seconds} * interval '1 second'
    where (select count(*) from (
      select from stream_tokens t where t.owner = ${owner} and t.expires_at > now() and t.revoked_at is null limit ${MOST_TOKENS}
    ) as valid) < ${MOST_TOKENS}
    returning expires_at as "expiresAt"`);
  if (made) return { id, token, expiresAt: made.expiresAt };
  throw new AppError(
    'quota_exceeded',
    `expected at most ${MOST_TOKENS} valid stream tokens of an owner, got one more.`,
    {
      limit: MOST_TOKENS,
    },
  );
}

/** The stream that a token opens, and its owner; null for one that is unknown, over or revoked, or whose maker is. */
export async function findToken(
  context: Context,
  token: string,
): Promise<{ readonly owner: string; readonly grant: StreamGrant } | null> {
  const found = await context.db.maybeOne(sql.type(tokenRow)`
    select ${columns} from stream_tokens t where t.hash = ${hashOf(token)}`);
  if (!found || (await whyDead(context, found)) !== null) return null;
  const { id, owner, kind, subject } = found;
  return { owner, grant: { id, kind, subject } };
}

/** Tells why a token is valid no more, by itself or by its maker; null while it is. */
async function whyDead(context: Context, { dead, session, asOperator }: Token): Promise<string | null> {
  if (dead !== null || session === null) return dead;
  const person = await personOf(context, session);
  if (!person) return 'signed_out';
  const { mayStay, operator } = roleOf(context.config, person);
  return mayStay && (operator || !asOperator) ? null : 'revoked';
}

/** Selects the tokens that are valid no more, each with the reason. */
export async function deadTokens(
  context: Context,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly reason: string }[]> {
  if (ids.length === 0) return [];
  const found = await context.db.any(sql.type(tokenRow)`
    select ${columns} from stream_tokens t where t.id = any(${sql.array([...ids], 'uuid')})`);
  const known = new Map(found.map((one) => [one.id, one]));
  const reasons = await Promise.all(
    ids.map(async (id) => {
      const token = known.get(id);
      return { id, reason: token ? await whyDead(context, token) : 'revoked' };
    }),
  );
  return reasons.flatMap(({ id, reason }) => (reason === null ? [] : [{ id, reason }]));
}

/**
 * Revokes a token of the caller’s owner, or one that the caller made: its streams end within 5 s.
 *
 * @throws AppError `not_found` for any other
 */
export async function revokeToken(
  context: Context,
  { owner, keyId, session }: Pick<Principal, 'owner' | 'keyId' | 'session'>,
  id: string,
): Promise<void> {
  const { rowCount } = await context.db.query(sql.unsafe`
    update stream_tokens set revoked_at = coalesce(revoked_at, now())
    where id = ${id} and (owner = ${owner} or key_id = ${keyId} or session = ${session?.id ?? null})`);
  if (rowCount === 0)
    throw new AppError('not_found', `expected the id of one of your stream tokens, got ${id}, which is none.`, {
      field: 'path.id',
      value: id,
    });
  await announcePurge(context, tokenHolder(id));
}

import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { scopes } from '#src/lib/principal.ts';
import { row } from '#src/system/postgres/postgres.ts';

const Time = Type.Unsafe<Date>(Type.Any());

const InviteRow = Type.Object({
  id: Type.String(),
  label: Type.String(),
  scopes: Type.Array(Type.Enum([...scopes])),
  tier: Type.String(),
  created_by: Type.String(),
  created_at: Time,
  expires_at: Time,
  used_at: Type.Union([Time, Type.Null()]),
});
export type InviteRow = Static<typeof InviteRow>;

const HashedInviteRow = Type.Object({ ...InviteRow.properties, hash: Type.Unsafe<Buffer>(Type.Any()) });

const columns = sql.fragment`id, label, scopes, tier, created_by, created_at, expires_at, used_at`;

export interface NewInvite {
  readonly id: string;
  readonly hash: Buffer;
  readonly label: string;
  readonly scopes: readonly string[];
  readonly tier: string;
  readonly createdBy: string;
  readonly ttlMs: number;
}

export async function insertInvite(db: CommonQueryMethods, invite: NewInvite): Promise<InviteRow> {
  return await db.one(sql.type(row(InviteRow))`
    insert into human_invites (id, hash, label, scopes, tier, created_by, expires_at)
    values (${invite.id}, ${sql.binary(invite.hash)}, ${invite.label}, ${sql.array([...invite.scopes], 'text')},
      ${invite.tier}, ${invite.createdBy}, now() + ${invite.ttlMs} * interval '1 millisecond')
    returning ${columns}`);
}

export async function selectInvite(
  db: CommonQueryMethods,
  hashes: readonly Buffer[],
): Promise<Static<typeof HashedInviteRow> | null> {
  const wanted = sql.join(
    hashes.map((hash) => sql.binary(hash)),
    sql.fragment`, `,
  );
  return await db.maybeOne(sql.type(row(HashedInviteRow))`
    select ${columns}, hash from human_invites where hash in (${wanted})`);
}

/** Uses an invite up; answers false where another enrolment was faster, or it has expired meanwhile. */
export async function updateUsed(tx: CommonQueryMethods, id: string): Promise<boolean> {
  const updated = await tx.query(sql.unsafe`
    update human_invites set used_at = now() where id = ${id} and used_at is null and expires_at > clock_timestamp()`);
  return updated.rowCount === 1;
}

/** Selects the invites that can still be used, oldest first. */
export async function selectOpenInvites(db: CommonQueryMethods): Promise<readonly InviteRow[]> {
  return await db.any(sql.type(row(InviteRow))`
    select ${columns} from human_invites where used_at is null and expires_at > now() order by id`);
}

/** Null where there is none that is still open: one that was used stays, as what vouches for its human. */
export async function deleteOpenInvite(db: CommonQueryMethods, id: string): Promise<InviteRow | null> {
  return await db.maybeOne(sql.type(row(InviteRow))`
    delete from human_invites where id::text = lower(${id}) and used_at is null and expires_at > now() returning ${columns}`);
}

import { type CommonQueryMethods, sql } from 'slonik';
import { Type } from 'typebox';
import { row } from '#src/system/postgres/postgres.ts';

const Bytes = Type.Unsafe<Buffer>(Type.Any());

export interface Member {
  readonly position: number;
  readonly commitment: Buffer;
}

/** Members behind a position, in the order of the group's leaves. */
export async function selectMembers(db: CommonQueryMethods, after = 0): Promise<readonly Member[]> {
  const MemberRow = Type.Object({ position: Type.Integer(), commitment: Bytes });
  return await db.any(sql.type(row(MemberRow))`
    select position, commitment from humans where position > ${after} and revoked_at is null order by position`);
}

export async function countMembers(db: CommonQueryMethods, upTo: number): Promise<number> {
  const Count = Type.Object({ n: Type.Integer() });
  const { n } = await db.one(sql.type(row(Count))`
    select count(*)::integer as n from humans where position <= ${upTo} and revoked_at is null`);
  return n;
}

/** The current root (null while the group is empty) and its members, in one snapshot. */
export async function selectGroup(
  db: CommonQueryMethods,
): Promise<{ readonly root: Buffer | null; readonly members: readonly string[] }> {
  const GroupRow = Type.Object({ root: Type.Union([Bytes, Type.Null()]), members: Type.Array(Type.String()) });
  return await db.one(sql.type(row(GroupRow))`
    select (select root from human_roots where until is null) as root,
      array(select encode(commitment, 'hex') from humans where revoked_at is null order by position) as members`);
}

/** Lets one change of the group run at a time; readers of roots go on. */
export async function lockGroup(tx: CommonQueryMethods): Promise<void> {
  await tx.query(sql.unsafe`lock table human_roots in share row exclusive mode`);
}

/** Makes this the root that holds. Older ones count for a while longer, and are forgotten then. */
export async function insertRoot(tx: CommonQueryMethods, root: Buffer): Promise<void> {
  await tx.query(sql.unsafe`delete from human_roots where until < now() - interval '1 day'`);
  await tx.query(sql.unsafe`update human_roots set until = now() where until is null`);
  await tx.query(sql.unsafe`
    insert into human_roots (root) values (${sql.binary(root)})
    on conflict (root) do update set since = now(), until = null`);
}

/** Makes proofs against any root there was worthless. */
export async function deleteRoots(tx: CommonQueryMethods): Promise<void> {
  await tx.query(sql.unsafe`delete from human_roots`);
}

/** Checks whether a proof against this root counts: the root is current, or was within the last hour. */
export async function isRecentRoot(tx: CommonQueryMethods, root: Buffer): Promise<boolean> {
  return await tx.exists(sql.unsafe`
    select from human_roots where root = ${sql.binary(root)} and (until is null or until > now() - interval '1 hour')`);
}

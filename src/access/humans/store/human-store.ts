import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { scopes } from '#src/lib/principal.ts';
import { row } from '#src/system/postgres/postgres.ts';

const Bytes = Type.Unsafe<Buffer>(Type.Any());
const Time = Type.Unsafe<Date>(Type.Any());

const HumanRow = Type.Object({
  nullifier: Bytes,
  commitment: Bytes,
  provider: Type.String(),
  assurance: Type.Union([Type.Literal('enrolled'), Type.Literal('unique')]),
  scopes: Type.Array(Type.Enum([...scopes])),
  tier: Type.String(),
  label: Type.Union([Type.String(), Type.Null()]),
  world_id_session: Type.Union([Type.String(), Type.Null()]),
  created_at: Time,
  revoked_at: Type.Union([Time, Type.Null()]),
});
export type HumanRow = Static<typeof HumanRow>;

const columns = sql.fragment`
  nullifier, commitment, provider, assurance, humans.scopes, humans.tier, label, world_id_session, humans.created_at, revoked_at`;

/** The human of a nullifier, held against removal until the transaction ends. */
export async function selectHuman(tx: CommonQueryMethods, nullifier: Uint8Array): Promise<HumanRow | null> {
  return await tx.maybeOne(sql.type(row(HumanRow))`
    select ${columns} from humans left join human_invites on id = invite_id
    where nullifier = ${sql.binary(Buffer.from(nullifier))} for share of humans`);
}

/** Every human who ever enrolled, oldest first; removed ones too. */
export async function selectHumans(db: CommonQueryMethods): Promise<readonly HumanRow[]> {
  return await db.any(sql.type(row(HumanRow))`
    select ${columns} from humans left join human_invites on id = invite_id order by position`);
}

export interface NewHuman {
  readonly nullifier: Buffer;
  readonly commitment: Buffer;
  readonly provider: string;
  readonly providerSubject: Buffer | null;
  readonly assurance: 'enrolled' | 'unique';
  readonly inviteId: string | null;
  readonly scopes: readonly string[];
  readonly tier: string;
  /** The World ID session that shows them again; null for a human who enrolled in another way. */
  readonly worldIdSession: string | null;
}

/** Inserts a human; answers false where the nullifier, the commitment or the provider's subject is there already. */
export async function insertHuman(tx: CommonQueryMethods, human: NewHuman): Promise<boolean> {
  const inserted = await tx.query(sql.unsafe`
    insert into humans (nullifier, commitment, provider, provider_subject, assurance, invite_id, scopes, tier,
      world_id_session)
    values (${sql.binary(human.nullifier)}, ${sql.binary(human.commitment)}, ${human.provider},
      ${human.providerSubject && sql.binary(human.providerSubject)}, ${human.assurance}, ${human.inviteId},
      ${sql.array([...human.scopes], 'text')}, ${human.tier}, ${human.worldIdSession})
    on conflict do nothing`);
  return inserted.rowCount === 1;
}

/** The World ID session of a human who is not removed; null where they have none. */
export async function selectWorldIdSession(db: CommonQueryMethods, human: string): Promise<string | null> {
  const Session = Type.Object({ session: Type.Union([Type.String(), Type.Null()]) });
  const found = await db.maybeOne(sql.type(row(Session))`
    select world_id_session as session from humans
    where nullifier = ${sql.binary(Buffer.from(human, 'hex'))} and revoked_at is null`);
  return found?.session ?? null;
}

/** Keeps both elements of a session nullifier; answers false where they are there already. */
export async function insertSessionProof(
  tx: CommonQueryMethods,
  { nullifier, action }: { readonly nullifier: Buffer; readonly action: Buffer },
): Promise<boolean> {
  const inserted = await tx.query(sql.unsafe`
    insert into human_session_proofs (nullifier, action) values (${sql.binary(nullifier)}, ${sql.binary(action)})
    on conflict do nothing`);
  return inserted.rowCount === 1;
}

/** Marks a human as removed; answers false where there is no such human or they were removed before. */
export async function updateRemoved(tx: CommonQueryMethods, nullifier: Buffer): Promise<boolean> {
  const updated = await tx.query(sql.unsafe`
    update humans set revoked_at = now() where nullifier = ${sql.binary(nullifier)} and revoked_at is null`);
  return updated.rowCount === 1;
}

/** Revokes every key of a human that is not revoked yet; answers their ids. */
export async function revokeKeysOf(tx: CommonQueryMethods, human: string): Promise<readonly string[]> {
  const Key = Type.Object({ id: Type.String() });
  const keys = await tx.any(sql.type(row(Key))`
    update keys set revoked_at = now() where human_id = ${human} and revoked_at is null returning id`);
  return keys.map(({ id }) => id);
}

import { type CommonQueryMethods, sql } from 'slonik';

/** An event that no other table holds. */
export interface Notice {
  readonly owner: string;
  /** Names it among those of its owner: it is written once. */
  readonly key: string;
  /** Type of the registry (`event-types.ts`). */
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Has the endpoints of an owner notified of something, once, in the caller’s transaction where it is in one. */
export async function addNotice(db: CommonQueryMethods, { owner, key, type, data }: Notice): Promise<void> {
  await db.query(sql.unsafe`
    insert into notices (owner, key, type, data) values (${owner}, ${key}, ${type}, ${JSON.stringify(data)}::jsonb)
    on conflict do nothing`);
}

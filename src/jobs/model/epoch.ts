import { randomBytes } from 'node:crypto';
import { sql } from 'slonik';
import Type from 'typebox';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const epochRow = row(Type.Object({ epoch: Type.String() }));

/** A name for one history of the database. Sorts by nothing, repeats never. */
export function newEpoch(): string {
  return randomBytes(6).toString('hex');
}

/**
 * The history that event numbers belong to. It changes when the database turns out to be another one, or a restored
 * one: numbers seen before mean nothing then.
 */
export async function readEpoch({ db }: Pick<Context, 'db'>): Promise<string> {
  const known = await db.maybeOneFirst(sql.type(epochRow)`select epoch from relay`);
  if (known !== null) return known;
  // before the first relay ever ran: the first reader names the history
  await db.query(sql.unsafe`
    insert into relay (system_identifier, timeline, epoch) values ('', 0, ${newEpoch()}) on conflict do nothing`);
  return await db.oneFirst(sql.type(epochRow)`select epoch from relay`);
}

import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { ContractBody } from './contract-body.ts';

const Stored = Type.Object({
  name: Type.String(),
  version: Type.Integer(),
  contract: Type.Unsafe<ContractBody>({}),
  digest: Type.String(),
  registeredBy: Type.String(),
  registeredAt: Type.Unsafe<Date>({}),
  changedAt: Type.Unsafe<Date>({}),
});

/** A contract as its row has it. */
export type StoredContract = Static<typeof Stored>;

/** Reads the contracts of a queue, the newest version first. */
export async function readContracts({ db }: Pick<Context, 'db'>, name: string): Promise<readonly StoredContract[]> {
  return await db.any(sql.type(row(Stored))`
    select name, version, contract, digest, registered_by as "registeredBy", registered_at as "registeredAt",
      changed_at as "changedAt"
    from queues where name = ${name} order by version desc`);
}

import { hash } from 'node:crypto';
import { sql } from 'slonik';
import Type from 'typebox';
import type { QueueContract } from '#queues/define.ts';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { ContractBody } from './contract-body.ts';
import { contractBody } from './queue-contract.ts';

/** The exact text of a contract, and its SHA-256 in canonical form (RFC 8785), hexadecimal. */
export interface ContractText {
  readonly body: ContractBody;
  readonly digest: string;
}

const texts = new WeakMap<QueueContract, ContractText>();

/** Remembers the text that a contract was made from, and answers the contract. */
export function fromText(contract: QueueContract, text: ContractText): QueueContract {
  texts.set(contract, text);
  return contract;
}

/** Returns the text that a contract was made from: that of its row, or of a contract of ours as it is registered. */
export function textOf(contract: QueueContract): ContractText {
  const known = texts.get(contract);
  if (known) return known;
  const body = contractBody(contract);
  const text = { body, digest: hash('sha256', canonicalText(body), 'hex') };
  texts.set(contract, text);
  return text;
}

const keptOf = perContext(() => new Set<string>());

/** Keeps the text of a contract for the receipts of its jobs. Repeated by one process it does nothing. @throws while Postgres is away */
export async function keepContractText(
  context: Context,
  queue: { readonly name: string; readonly version: number },
  { body, digest }: ContractText,
): Promise<void> {
  const kept = keptOf(context);
  const name = `${queue.name}@${queue.version}:${digest}`;
  if (kept.has(name)) return;
  await context.db.query(sql.unsafe`
    insert into contract_texts (queue, version, digest, contract)
    values (${queue.name}, ${queue.version}, ${digest}, ${sql.jsonb(body as never)}) on conflict do nothing`);
  kept.add(name);
}

const TextRow = row(Type.Object({ version: Type.Integer(), contract: Type.Unsafe<ContractBody>({}) }));

/** Finds the contract of a queue that has a digest: the one of now, or one that jobs with a receipt were accepted under. */
export async function readContractText(
  { db }: Pick<Context, 'db'>,
  queue: string,
  digest: string,
): Promise<{ readonly version: number; readonly contract: ContractBody } | null> {
  return await db.maybeOne(sql.type(TextRow)`
    select version, contract from (
      select version, contract from queues where name = ${queue} and digest = ${digest}
      union all select version, contract from contract_texts where queue = ${queue} and digest = ${digest}
    ) as found order by version desc limit 1`);
}

const AcceptedRow = row(
  Type.Object({ digest: Type.String(), body: Type.Union([Type.Unsafe<ContractBody>({}), Type.Null()]) }),
);

/** Reads the contract that a job was accepted under; null for one that asks for no receipt, or is older than its keeping. */
export async function readAcceptedContract({ db }: Pick<Context, 'db'>, job: string): Promise<ContractText | null> {
  const found = await db.maybeOne(sql.type(AcceptedRow)`
    select j.contract as digest, t.contract as body
    from jobs j left join contract_texts t on t.queue = j.queue and t.version = j.version and t.digest = j.contract
    where j.id = ${job} and j.contract is not null`);
  if (!found) return null;
  const { digest, body } = found;
  if (!body) throw new Error(`expected the text of the contract ${digest} of the job ${job}, got none`);
  return { digest, body };
}

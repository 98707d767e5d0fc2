import { hash } from 'node:crypto';
import { type CommonQueryMethods, sql } from 'slonik';
import Type from 'typebox';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { ContractBody } from './contract-body.ts';
import { contractNarrowing } from './contract-narrowing.ts';
import { loosened } from './loosened.ts';
import { takeNamespace } from './namespaces.ts';
import { contractFault } from './queue-contract.ts';
import { namespaceOf } from './queue-name.ts';
import { registryOf } from './registry.ts';
import type { ContractFault } from './schema/contract-fault.ts';

/** Registered queues of one namespace, all versions counted. */
export const MOST_CONTRACTS = 500;

export interface QueueRegistration {
  readonly name: string;
  readonly version: number;
  readonly contract: ContractBody;
  /** Owner of the caller, who gets the namespace where it has no owner. */
  readonly owner: string;
  /** Names the caller in the row, such as `key <id>`. */
  readonly by: string;
  /** True for a signed-in person and an operator: they may take away a decision, a budget or a receipt. */
  readonly mayLoosen?: boolean;
}

export type Registered = 'created' | 'changed' | 'unchanged';

const VersionRow = row(
  Type.Object({ version: Type.Integer(), digest: Type.String(), contract: Type.Unsafe<ContractBody>({}) }),
);
const CountRow = row(Type.Object({ count: Type.Integer() }));

/**
 * Registers a version of a queue, or changes one in a way that every payload it took still fits. When this resolves every
 * process knows of it within two seconds, this one at once.
 *
 * @throws AppError `invalid_contract` with the place in the contract, `incompatible_contract` with the place at which
 *   payloads of before would no longer fit, `forbidden` for a namespace of another owner, `quota_exceeded`, `unavailable`
 */
export async function registerQueue(context: Context, registration: QueueRegistration): Promise<Registered> {
  const { name, version, contract, owner, by } = registration;
  const namespace = namespaceOf(name);
  const fault = contractFault(contract);
  if (fault) throw invalid(name, fault);
  const digest = hash('sha256', canonicalText(contract), 'hex');
  const done = await context.db.transaction(async (tx) => {
    await takeNamespace(tx, namespace, owner);
    const known = await tx.any(sql.type(VersionRow)`
      select version, digest, contract from queues where name = ${name} order by version desc for update`);
    const own = known.find((one) => one.version === version);
    if (own?.digest === digest) return 'unchanged' as const;
    // a new version against the newest; one that is there against itself, whatever others ask for
    const before = own ?? known[0];
    const looser = before ? loosened(before.contract, contract) : null;
    if (looser !== null && !registration.mayLoosen) throw mayNotLoosen(registration, looser);
    if (own) {
      const narrower = contractNarrowing(own.contract, contract);
      if (narrower) throw incompatible(registration, narrower, known[0]?.version ?? version);
      await tx.query(sql.unsafe`
        update queues set contract = ${sql.jsonb(contract as never)}, digest = ${digest}, registered_by = ${by}, changed_at = now()
        where name = ${name} and version = ${version}`);
      return 'changed' as const;
    }
    const next = (known[0]?.version ?? 0) + 1;
    if (version !== next) throw outOfTurn(registration, next);
    await assertRoom(tx, namespace);
    await tx.query(sql.unsafe`
      insert into queues (name, version, namespace, contract, digest, registered_by)
      values (${name}, ${version}, ${namespace}, ${sql.jsonb(contract as never)}, ${digest}, ${by})`);
    return 'created' as const;
  });
  if (done !== 'unchanged') {
    context.log.info({ audit: `queue.${done}`, queue: name, version, by, digest }, 'a queue was registered');
    await registryOf(context).refresh();
  }
  return done;
}

async function assertRoom(tx: CommonQueryMethods, namespace: string): Promise<void> {
  const count = await tx.oneFirst(sql.type(CountRow)`
    select count(*)::int as count from queues where namespace = ${namespace}`);
  if (count < MOST_CONTRACTS) return;
  throw new AppError(
    'quota_exceeded',
    `expected at most ${MOST_CONTRACTS} contracts in the namespace ${namespace}, got one more.`,
    { namespace, limit: MOST_CONTRACTS },
  );
}

function invalid(name: string, { path, message }: ContractFault): AppError {
  return new AppError('invalid_contract', `The contract of ${name} cannot be taken: ${path}: ${message}.`, { path });
}

function incompatible({ name, version }: QueueRegistration, fault: ContractFault, newest: number): AppError {
  const what = fault.isUndecided
    ? `It is not certain that what ${name}@${version} took still fits`
    : `What ${name}@${version} took would no longer fit`;
  return new AppError(
    'incompatible_contract',
    `${what}: ${fault.path}: ${fault.message}. Register it as version ${newest + 1}.`,
    { path: fault.path, version, next: newest + 1 },
  );
}

function mayNotLoosen({ name }: QueueRegistration, path: string): AppError {
  return new AppError(
    'forbidden',
    `The contract of ${name}: expected ${path} as it was or stricter from a key, got one that asks for less. A signed-in person or an operator may take it away.`,
    { reason: 'terms', path },
  );
}

function outOfTurn({ name, version }: QueueRegistration, next: number): AppError {
  return new AppError(
    'incompatible_contract',
    `version: expected a version of ${name} that is there, or the next, ${next}, got ${version}.`,
    { path: '/version', version, next },
  );
}

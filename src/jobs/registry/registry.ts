import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import Type from 'typebox';
import type { QueueContract } from '#queues/define.ts';
import { queues as compiledIn } from '#queues/index.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { ContractBody } from './contract-body.ts';
import { fromText } from './contract-text.ts';
import { queueContract } from './queue-contract.ts';
import { underNewest } from './under-newest.ts';

/** Every process knows of a change within two of these. */
const REFRESH_MS = 800;

/** The queues there are, as this process knows them: those that are compiled in, and those that were registered. */
export interface Registry {
  /** Names of all queues: ours in the order of their table, then the others by name. */
  readonly names: () => readonly string[];
  /** Contract of the newest version of each, in that order. */
  readonly all: () => readonly QueueContract[];
  /** Contract of a queue, of its newest version where none is named; undefined where this process knows none. */
  readonly get: (name: string, version?: number) => QueueContract | undefined;
  /** Versions of a queue, the newest first; the first alone where this process knows none. */
  readonly versions: (name: string) => readonly number[];
  /** Contracts of all versions of registered queues. */
  readonly everyVersion: () => readonly QueueContract[];
  /** Like `get`, but asks the database before it says that there is none. */
  readonly find: (name: string, version?: number) => Promise<QueueContract | undefined>;
  /** Owner of the namespace that a queue's name begins with; null for ours, and for one that this process does not know. */
  readonly ownerOf: (name: string) => string | null;
  /** Reads what has changed. @throws while Postgres is away. */
  readonly refresh: () => Promise<void>;
}

const RevisionRow = row(Type.Object({ revision: Type.Integer() }));
const QueueRow = row(
  Type.Object({
    name: Type.String(),
    version: Type.Integer(),
    digest: Type.String(),
    contract: Type.Unsafe<ContractBody>({}),
    namespace: Type.String(),
    owner: Type.String(),
  }),
);

interface Known {
  readonly revision: number;
  /** By name, its versions with the newest first, each under the terms of the newest too. */
  readonly registered: ReadonlyMap<string, readonly QueueContract[]>;
  /** Owners by namespace. */
  readonly owners: ReadonlyMap<string, string>;
}

/** The registry of a process. It asks the database every {@link REFRESH_MS} from the first use on, until the context closes. */
export const registryOf = perContext((context: Context): Registry => {
  let known: Known = { revision: 0, registered: new Map(), owners: new Map() };
  const contracts = new Map<string, QueueContract>();
  let reading: Promise<void> | undefined;

  const read = async () => {
    const revision = await context.db.oneFirst(
      sql.type(RevisionRow)`select revision::int8 as revision from queue_revision`,
    );
    if (revision === known.revision) return;
    const rows = await context.db.any(sql.type(QueueRow)`
      select q.name, q.version, q.digest, q.contract, q.namespace, n.owner from queues q join namespaces n on n.name = q.namespace
      where n.owner is not null order by q.name, q.version desc`);
    // a contract that did not change keeps its compiled checks
    const used = rows.map(({ name, version, digest, contract }) => {
      const key = `${name}@${version}:${digest}`;
      const made = contracts.get(key) ?? fromText(queueContract(name, version, contract), { body: contract, digest });
      return [key, made] as const;
    });
    contracts.clear();
    for (const [key, made] of used) contracts.set(key, made);
    const byName = Map.groupBy(
      used.map(([, made]) => made),
      ({ name }) => name,
    );
    known = {
      revision,
      registered: new Map(
        [...byName].map(([name, versions]) => [name, versions.map((one) => underNewest(one, versions[0]!))]),
      ),
      owners: new Map(rows.map(({ namespace, owner }) => [namespace, owner])),
    };
  };
  const refresh = async () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    await reading;
  };

  const stop = new AbortController();
  const looking = (async () => {
    while (!stop.signal.aborted) {
      await refresh().catch((error: unknown) => logFailure(context, error, {}, 'the queues were not read'));
      await sleep(REFRESH_MS, undefined, { signal: stop.signal, ref: false }).catch(() => {});
    }
  })();
  context.onClose(async () => {
    stop.abort();
    await looking;
  });

  const get = (name: string, version?: number) => {
    const ours = compiledIn.get(name);
    if (ours) return version === undefined || version === ours.version ? ours : undefined;
    const versions = known.registered.get(name);
    return version === undefined ? versions?.[0] : versions?.find((one) => one.version === version);
  };
  return {
    names: () => [...compiledIn.keys(), ...known.registered.keys()],
    all: () => [...compiledIn.values(), ...[...known.registered.values()].flatMap(([newest]) => newest ?? [])],
    get,
    everyVersion: () => [...known.registered.values()].flat(),
    versions: (name) => {
      const ours = compiledIn.get(name);
      if (ours) return [ours.version];
      return known.registered.get(name)?.map(({ version }) => version) ?? [1];
    },
    find: async (name, version) => {
      const found = get(name, version);
      if (found) return found;
      // a read that is under way may have begun before the queue was registered
      await reading?.catch(() => {});
      await refresh();
      return get(name, version);
    },
    ownerOf: (name) => known.owners.get(name.split('.', 1)[0] ?? '') ?? null,
    refresh,
  };
});

/** Returns the contract of a queue, of its newest version. @throws AppError `not_found` naming it. */
export async function contractOf(context: Context, name: string): Promise<QueueContract> {
  const contract = await registryOf(context).find(name);
  if (contract) return contract;
  throw noQueue(name);
}

/** The error for a name that is no queue's, or that the caller must not know to be one. */
export function noQueue(name: string, field = 'path.name'): AppError {
  return new AppError('not_found', `expected the name of a queue (GET /v1/queues lists them), got ${name}.`, {
    field,
    value: name,
  });
}

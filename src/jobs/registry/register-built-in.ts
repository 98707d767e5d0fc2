import type { Client } from 'pg';
import { queues } from '#queues/index.ts';
import { textOf } from './contract-text.ts';

/**
 * Writes the contracts that are compiled in where the database has others, so that a reader of the registry finds every
 * queue. Processes go by what is compiled in: two releases may run beside each other.
 */
export async function registerBuiltIn(client: Client): Promise<void> {
  const all = [...queues.values()].map((contract) => ({
    name: contract.name,
    version: contract.version,
    ...textOf(contract),
  }));
  const namespaces = [...new Set(all.map(({ name }) => name.split('.')[0]))];
  await client.query('insert into namespaces (name) select unnest($1::text[]) on conflict do nothing', [namespaces]);
  await client.query(
    `insert into queues (name, version, namespace, contract, digest, registered_by)
     select g.name, g.version, split_part(g.name, '.', 1), g.contract::jsonb, g.digest, 'release'
     from unnest($1::text[], $2::int4[], $3::text[], $4::text[]) as g (name, version, contract, digest)
     on conflict (name, version) do update
     set contract = excluded.contract, digest = excluded.digest, changed_at = now()
     where queues.digest <> excluded.digest`,
    [
      all.map(({ name }) => name),
      all.map(({ version }) => version),
      all.map(({ body }) => JSON.stringify(body)),
      all.map(({ digest }) => digest),
    ],
  );
}

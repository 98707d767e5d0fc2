import pg from 'pg';

/** Servers that a step needs, and the least that each of them costs. */
export interface Floors {
  /** Commits one row on disk. */
  readonly commit: () => Promise<void>;
  /** Sends a request to the API that asks for nothing, and reads its answer. */
  readonly request: () => Promise<void>;
}

/** Opens a connection of its own to the database of an API, with a table of its own. */
export async function openFloors(databaseUrl: string, apiUrl: string): Promise<Floors> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  await client.query('create table if not exists bench_floor (id int8 generated always as identity, value text)');
  const insert = { name: 'floor', text: 'insert into bench_floor (value) values ($1)', values: ['0'] };
  return {
    commit: async () => void (await client.query(insert)),
    request: async () => void (await (await fetch(`${apiUrl}/livez`)).text()),
  };
}

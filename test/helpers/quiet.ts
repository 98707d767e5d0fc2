import pg from 'pg';
import { type Context, openContext } from '#src/system/context.ts';
import { testConfig } from './config.ts';

export interface QuietSystem extends AsyncDisposable {
  readonly context: Context;
  /** The same settings for child processes. */
  readonly env: Readonly<Record<string, string>>;
  /** A connection that is closed with the system. */
  readonly connect: () => Promise<pg.Client>;
}

/** A database with nothing running on it but what the test does. */
export async function quietSystem(settings: Readonly<Record<string, string>> = {}): Promise<QuietSystem> {
  const { config, ...database } = await testConfig(settings);
  const context = await openContext(config, 'test');
  const clients: pg.Client[] = [];
  const connect = async () => {
    const client = new pg.Client({ connectionString: config.DATABASE_URL });
    client.on('error', () => {});
    await client.connect();
    clients.push(client);
    return client;
  };
  return {
    context,
    env: database.env,
    connect,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(clients.map((client) => client.end()));
      await context[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

import { createPgDriverFactory } from '@slonik/pg-driver';
import type { PostgresWatch } from './postgres-watch.ts';

type DriverFactory = ReturnType<typeof createPgDriverFactory>;
type DriverClient = Awaited<ReturnType<Awaited<ReturnType<DriverFactory>>['createClient']>>;

/** Slonik's driver for Postgres, whose queries are given up where the server hangs, and refused while it is known to. */
export function watchedDriver(watch: PostgresWatch, isPooler: boolean): DriverFactory {
  const createDriver = createPgDriverFactory();
  return async (options) => {
    const driver = await createDriver(options);
    return {
      ...driver,
      createClient: async () => {
        watch.assertAnswers();
        const client = await driver.createClient();
        return { ...client, query: watchedQuery(watch, client, isPooler) };
      },
    };
  };
}

function watchedQuery(watch: PostgresWatch, client: DriverClient, isPooler: boolean): DriverClient['query'] {
  let pid: number | null = null;
  const follow = async <T>(work: () => Promise<T>): Promise<T> => {
    watch.assertAnswers();
    const { promise, reject } = Promise.withResolvers<never>();
    const cut = (error: Error) => {
      // the pool makes another in its place
      void closeClient(client);
      reject(error);
    };
    const done = watch.follow({ pid, cut });
    try {
      return await Promise.race([work(), promise]);
    } finally {
      done();
    }
  };
  return async (...args) =>
    await follow(async () => {
      // a pooler gives each statement another process
      if (pid === null && !isPooler) {
        const { rows } = await client.query('select pg_backend_pid() as pid');
        pid = Number(rows[0]?.['pid']);
      }
      return await client.query(...args);
    });
}

async function closeClient(client: DriverClient): Promise<void> {
  // it may be gone already
  await client.destroy().catch(() => {});
}

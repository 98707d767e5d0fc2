import { Pool, types } from 'pg';
import { cutDirect } from '#src/system/postgres/direct-postgres.ts';
import { directUrl, sessionUrl } from '#src/system/postgres/postgres.ts';
import { isConnectionLost, sqlState } from '#src/system/postgres/postgres-errors.ts';
import type { Context } from './context.ts';
import { eventNews } from './event-news.ts';
import { perContext } from './per-context.ts';

/** A statement that runs all the time. Its name is unique in the process: each connection plans it once under it. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** For two batches in flight of submits and of settlements, and one of each kind of claims. */
const CONNECTIONS = 6;
const STATEMENT_MS = 15_000;

/**
 * A plan is kept while the table grows. Made while it had some dozens of rows, it would walk them all for each given one,
 * and soon take seconds a batch; so whatever the size, it is look-ups by an index. And one plan from the first: otherwise
 * Postgres goes on planning each small batch anew, because that looks cheaper.
 */
export const statementSession = {
  statement_timeout: `${STATEMENT_MS}ms`,
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

const TIMESTAMPTZ = 1184;
const getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === TIMESTAMPTZ ? (text: string) => new Date(text) : types.getTypeParser(oid, format ?? 'text');

/**
 * Sends such statements on connections of their own, where they stay prepared: planning them anew costs a job as much as
 * a tenth of all that Postgres does for it. Rows are arrays, in the order of the columns.
 */
export const openStatements = perContext(
  (context: Context): (<R extends readonly unknown[]>(statement: Statement, values: unknown[]) => Promise<R[]>) => {
    const { config, log, postgresWatch } = context;
    const pool = new Pool({
      connectionString: sessionUrl(directUrl(config), 'jobs', statementSession),
      max: CONNECTIONS,
      connectionTimeoutMillis: 3_000,
      idleTimeoutMillis: 60_000,
      // a server that was stopped answers nothing, not even that its time is up
      query_timeout: STATEMENT_MS + 1_000,
      keepAlive: true,
      types: { getTypeParser },
    });
    // an idle connection that the server ends; unheard, it would end the process
    pool.on('error', (error) => log.debug({ err: error }, 'a connection for statements ended'));
    context.onClose(() => pool.end());
    return async (statement, values) => {
      postgresWatch.assertAnswers();
      const client = await pool.connect();
      let failure: Error | undefined;
      const cut = (error: Error) => {
        failure = error;
        cutDirect(client);
      };
      // the pool listens to those of idle connections alone; without a listener it would end the process
      const onError = (error: Error) => {
        failure ??= error;
      };
      client.on('error', onError);
      const done = postgresWatch.follow({ pid: processIdOf(client), cut });
      try {
        const { rows } = await client.query({ ...statement, values, rowMode: 'array' as const });
        if (statement.text.includes('insert into events')) eventNews(context).tell();
        // the driver cannot know the columns of a text
        return rows as never[];
      } catch (error) {
        // one that the server refused is as good as before, but for plans that no longer hold
        if (sqlState(error) === undefined || isConnectionLost(error))
          failure ??= error instanceof Error ? error : new Error(String(error));
        throw error;
      } finally {
        done();
        client.release(failure);
        // one that is given up may still say so
        if (failure === undefined) client.off('error', onError);
      }
    };
  },
);

/** The server's process behind a connection; the driver has it, and its types do not say so. */
function processIdOf(client: object): number | null {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : null;
}

import pg from 'pg';

/** Longest wait for a connection that can be used, in ms: a port may accept one and never say a word. */
export const CONNECT_MS = 5_000;

/**
 * Opens a connection of one's own, does something over it and ends it.
 *
 * @throws what the connection fails with, after 5 seconds at most; the signal's reason when that aborts first: the
 *   connection is cut then, and Postgres undoes the transaction that was open.
 */
export async function withClient<T>(
  url: string,
  name: string,
  work: (client: pg.Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const client = new pg.Client({
    connectionString: url,
    application_name: `proofline-${name}`,
    connectionTimeoutMillis: CONNECT_MS,
  });
  client.on('error', () => {}); // the statement that waits fails with it as well
  const cut = () => void client.connection.stream.destroy();
  signal?.addEventListener('abort', cut, { once: true });
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', cut);
    if (!signal?.aborted) await client.end();
  }
}

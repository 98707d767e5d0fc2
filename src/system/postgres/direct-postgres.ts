import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { CONNECT_MS } from '#sql/open-client.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { directUrl, sessionUrl } from './postgres.ts';

const END_MS = 500;

export interface DirectOptions {
  /** Longest wait for the connection and for one answer, in ms. A server that hangs would else be waited for without end. */
  readonly answerMs?: number;
  /**
   * The server ends the session when it gets no statement for so long, in ms: a process that sleeps must not keep its
   * locks.
   */
  readonly idleMs?: number;
}

/**
 * A connection of one's own, never through a transaction pooler: for leader locks, heartbeats and the relay, which must
 * not wait for a place in the pool. The owner ends it by `endDirect`; `onLost` is called once if the server ends it first.
 */
export async function openDirect(
  config: Config,
  name: string,
  onLost: (error: Error) => void,
  { answerMs, idleMs }: DirectOptions = {},
): Promise<Client> {
  const client = new Client({
    connectionString: sessionUrl(directUrl(config), name, idleMs === undefined ? {} : sleeperOptions(idleMs)),
    connectionTimeoutMillis: Math.min(CONNECT_MS, answerMs ?? CONNECT_MS),
    ...(answerMs !== undefined && { query_timeout: answerMs }),
    keepAlive: true,
    keepAliveInitialDelayMillis: 2_000,
  });
  let lost = false;
  const report = (error: Error) => {
    if (lost) return;
    lost = true;
    onLost(error);
  };
  client.on('error', report);
  client.on('end', () => report(new Error(`the Postgres connection ${name} ended`)));
  await client.connect();
  return client;
}

/** Ends a connection; one whose server does not answer is cut off after half a second. */
export async function endDirect(client: Client): Promise<void> {
  const cut = new AbortController();
  const ended = client.end().catch(() => {});
  await Promise.race([ended, sleep(END_MS, undefined, { signal: cut.signal }).catch(() => {})]);
  cut.abort();
  cutDirect(client);
}

/** Cuts a connection off at once: its pending statements fail. */
export function cutDirect({ connection }: Client): void {
  connection.stream.destroy();
}

/**
 * Returns the options by which the server finds out that a process was stopped, or that its machine is gone, while it
 * holds a lock.
 */
function sleeperOptions(idleMs: number): Readonly<Record<string, string>> {
  return {
    idle_session_timeout: `${idleMs}ms`,
    tcp_keepalives_idle: '2',
    tcp_keepalives_interval: '1',
    tcp_keepalives_count: '3',
  };
}

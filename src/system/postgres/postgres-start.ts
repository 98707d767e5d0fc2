import { Client } from 'pg';
import { CONNECT_MS } from '#sql/open-client.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { addressOf, reasonOf } from '#src/system/logging/outage.ts';
import { sqlState } from './postgres-errors.ts';

type Address = 'DATABASE_URL' | 'DATABASE_DIRECT_URL';

/**
 * Asks each address of the database that is set for one answer.
 *
 * @throws AppError `invalid_configuration` with the setting, the address and why it cannot be used, after `patienceMs` at
 *   most; the signal's reason when that aborts first.
 */
export async function assertPostgresAnswers(
  config: Config,
  signal?: AbortSignal,
  patienceMs = CONNECT_MS,
): Promise<void> {
  const named = (['DATABASE_DIRECT_URL', 'DATABASE_URL'] as const).filter((variable) => config[variable] !== '');
  await Promise.all(named.map(async (variable) => await askOnce(variable, config[variable], { signal, patienceMs })));
}

interface Wait {
  readonly signal: AbortSignal | undefined;
  readonly patienceMs: number;
}

async function askOnce(variable: Address, url: string, { signal, patienceMs }: Wait): Promise<void> {
  signal?.throwIfAborted();
  const client = new Client({
    connectionString: url,
    application_name: 'proofline-start',
    connectionTimeoutMillis: patienceMs,
    // a pooler lets us in before it knows whether the database is there
    query_timeout: patienceMs,
  });
  client.on('error', () => {});
  const cut = () => void client.connection.stream.destroy();
  signal?.addEventListener('abort', cut, { once: true });
  try {
    await client.connect();
    await client.query('select');
  } catch (error) {
    signal?.throwIfAborted();
    throw notUsable(variable, url, error, patienceMs);
  } finally {
    signal?.removeEventListener('abort', cut);
    cut();
  }
}

/**
 * Turns what a first question failed with into one sentence with the setting and the address, never its password. A
 * server that says itself why it cannot serve now keeps its own words.
 */
export function notUsable(variable: Address, url: string, error: unknown, waitedMs = CONNECT_MS): unknown {
  const state = sqlState(error);
  // 28: the role or its password; 3D: the name of the database
  if (state !== undefined && !/^(28|3D)/.test(state)) return error;
  const reason = isSilence(error) ? `no answer within ${waitedMs / 1_000} s` : reasonOf(error);
  const expected = state === undefined ? 'a Postgres that answers' : 'a database that lets us in';
  const message = `${variable}: expected ${expected}, got ${addressOf(url)}, which does not (${reason}).`;
  return new AppError('invalid_configuration', message, { variable }, error);
}

/** The driver's own words for a connection and for a statement that took too long. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && /^timeout expired$|^Query read timeout$/.test(error.message);
}

import {
  createPool,
  createTypeParserPreset,
  type DatabasePool,
  type Interceptor,
  SchemaValidationError,
  sql,
} from 'slonik';
import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { CONNECT_MS } from '#sql/open-client.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { notUsable } from './postgres-start.ts';
import type { PostgresWatch } from './postgres-watch.ts';
import { watchedDriver } from './watched-driver.ts';

/** A row schema as Slonik wants it: the three members of Standard Schema, which TypeBox itself does not have. */
export interface Row<T extends TSchema> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'typebox';
    readonly types?: { readonly input: unknown; readonly output: Static<T> };
    readonly validate: (
      value: unknown,
    ) => { value: Static<T> } | { issues: readonly { message: string; path?: PropertyKey[] }[] };
  };
}

/** Compiled once a schema: queries name theirs each time they are sent. */
const rows = new WeakMap<TSchema, Row<TSchema>>();

export function row<T extends TSchema>(schema: T): Row<T> {
  const known = rows.get(schema) ?? compileRow(schema);
  rows.set(schema, known);
  return known;
}

function compileRow(schema: TSchema): Row<TSchema> {
  const check = Compile(schema);
  return {
    '~standard': {
      version: 1,
      vendor: 'typebox',
      validate: (value) =>
        check.Check(value)
          ? { value }
          : {
              issues: check
                .Errors(value)
                .map(({ message, instancePath }) => ({ message, path: instancePath.split('/').slice(1) })),
            },
    },
  };
}

/** Slonik does not check rows by itself: this is what makes `sql.type()` true at run time. */
const checkRows: Interceptor = {
  name: 'check-rows',
  transformRow: ({ resultParser }, query, result) => {
    if (!resultParser) return result;
    const checked = resultParser['~standard'].validate(result);
    if (checked instanceof Promise) throw new TypeError('row schemas must be synchronous');
    if (checked.issues) throw new SchemaValidationError(query, result, checked.issues);
    return checked.value as typeof result;
  },
};

const parsers = [
  ...createTypeParserPreset().filter(({ name }) => name !== 'timestamptz' && name !== 'int8'),
  { name: 'timestamptz', parse: (text: string) => new Date(text) },
  // counts and sequence numbers, all far below 2^53; Slonik's preset would make BigInts of them
  { name: 'int8', parse: Number },
];

/**
 * Adds the settings of every connection of ours to its address: no transaction of ours holds back vacuum or the relay
 * for long.
 */
export function sessionUrl(url: string, name: string, more: Readonly<Record<string, string>> = {}): string {
  const session = new URL(url);
  const options = { transaction_timeout: '60s', idle_in_transaction_session_timeout: '15s', TimeZone: 'UTC', ...more };
  const set = Object.entries(options).map(([option, value]) => `-c ${option}=${value}`);
  session.searchParams.set('options', set.join(' '));
  session.searchParams.set('application_name', `proofline-${name}`);
  return session.href;
}

/** The database itself, past a pooler: for sessions that keep something, such as a lock, a setting or a prepared statement. */
export function directUrl({ DATABASE_URL, DATABASE_DIRECT_URL }: Config): string {
  return DATABASE_DIRECT_URL === '' ? DATABASE_URL : DATABASE_DIRECT_URL;
}

/**
 * Builds the settings that a pool's connections begin with. Through a transaction pooler nothing can be set: the role
 * brings it.
 */
function poolSession(config: Config, name: string) {
  if (config.DATABASE_DIRECT_URL === '')
    return { url: sessionUrl(config.DATABASE_URL, name), timeouts: { statementTimeout: 15_000 } };
  const url = new URL(config.DATABASE_URL);
  url.searchParams.set('application_name', `proofline-${name}`);
  const none = 'DISABLE_TIMEOUT' as const;
  return { url: url.href, timeouts: { statementTimeout: none, idleInTransactionSessionTimeout: none } };
}

const RoleSettings = Type.Object({ zone: Type.String(), transaction: Type.String(), statement: Type.String() });

/** @throws AppError `invalid_configuration` where sessions of the role begin with other settings than those that are relied on. */
async function checkRole(pool: DatabasePool): Promise<void> {
  const role = await pool.one(sql.type(row(RoleSettings))`
    select current_setting('TimeZone') as zone, current_setting('transaction_timeout') as transaction,
      current_setting('statement_timeout') as statement`);
  const wrong = roleFault(role);
  if (wrong !== null) throw new AppError('invalid_configuration', wrong, { variable: 'DATABASE_URL' });
}

/** Says what is wrong with the settings that a role's sessions begin with behind a pooler; null where nothing is. */
export function roleFault(role: Static<typeof RoleSettings>): string | null {
  if (role.zone === 'UTC' && role.transaction !== '0' && role.statement !== '0') return null;
  return `DATABASE_URL: expected a role whose sessions begin with TimeZone UTC, a transaction_timeout and a statement_timeout, since nothing can be set through a pooler, got ${JSON.stringify(role)}: alter role … set timezone = 'UTC'; alter role … set transaction_timeout = '60s'; alter role … set statement_timeout = '15s'.`;
}

export async function openPostgres(
  config: Config,
  name: string,
  onError: (error: Error) => void,
  watch: PostgresWatch,
): Promise<DatabasePool> {
  const session = poolSession(config, name);
  const pool = await createPool(session.url, {
    maxPoolSize: config.DATABASE_POOL_SIZE,
    driverFactory: watchedDriver(watch, config.DATABASE_DIRECT_URL !== ''),
    // a connection that is given up is waited for no longer than this
    gracefulTerminationTimeout: 200,
    connectionTimeout: CONNECT_MS,
    idleTimeout: 60_000,
    ...session.timeouts,
    // a query is repeated by the code that knows whether it may be
    queryRetryLimit: 0,
    connectionRetryLimit: 2,
    captureStackTrace: false,
    interceptors: [checkRows],
    typeParsers: parsers,
    // the default sends DISCARD ALL after every use: one more round trip for each query
    resetConnection: async () => {},
  }).catch((error: unknown) => {
    // it connects once, so that a wrong address is known at the start
    throw asSentence(error, config.DATABASE_URL);
  });
  // every failed query is also emitted here; without a listener it ends the process, caught or not
  pool.on('error', onError);
  if (config.DATABASE_DIRECT_URL === '') return pool;
  await checkRole(pool).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  return pool;
}

/** Turns an error of a server that cannot be used as it is set into one sentence that says what to set. */
function asSentence(error: unknown, url: string): unknown {
  if (error instanceof Error && /unsupported startup parameter/i.test(error.message)) {
    const wanted =
      'DATABASE_URL: expected the database itself, got what looks like a pooler, which takes no settings for a session';
    const message = `${wanted}: set DATABASE_DIRECT_URL to the database itself, and leave DATABASE_URL as it is.`;
    return new AppError('invalid_configuration', message, { variable: 'DATABASE_DIRECT_URL' }, error);
  }
  if (!(error instanceof Error) || !error.message.includes('unrecognized configuration parameter'))
    return notUsable('DATABASE_URL', url, error);
  const message = 'DATABASE_URL: expected Postgres 17 or newer, got an older server, which has no transaction_timeout.';
  return new AppError('invalid_configuration', message, { variable: 'DATABASE_URL' }, error);
}

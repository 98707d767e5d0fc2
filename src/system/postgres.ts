import { createPool, createTypeParserPreset, type DatabasePool, type Interceptor, SchemaValidationError } from 'slonik';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '#src/lib/errors.ts';
import type { Config } from './config.ts';

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

export function row<T extends TSchema>(schema: T): Row<T> {
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

/** What every connection of ours promises the server: no transaction of ours holds back vacuum or the relay for long. */
export function sessionUrl(url: string, name: string, more: Readonly<Record<string, string>> = {}): string {
  const session = new URL(url);
  const options = { transaction_timeout: '60s', idle_in_transaction_session_timeout: '15s', TimeZone: 'UTC', ...more };
  const set = Object.entries(options).map(([option, value]) => `-c ${option}=${value}`);
  session.searchParams.set('options', set.join(' '));
  session.searchParams.set('application_name', `proofline-${name}`);
  return session.href;
}

export async function openPostgres(
  config: Config,
  name: string,
  onError: (error: Error) => void,
): Promise<DatabasePool> {
  const pool = await createPool(sessionUrl(config.DATABASE_URL, name), {
    maxPoolSize: config.DATABASE_POOL_SIZE,
    connectionTimeout: 5_000,
    idleTimeout: 60_000,
    statementTimeout: 15_000,
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
    throw orTooOld(error);
  });
  // every failed query is also emitted here; without a listener it ends the process, caught or not
  pool.on('error', onError);
  return pool;
}

function orTooOld(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.includes('unrecognized configuration parameter')) return error;
  const message = 'DATABASE_URL: expected Postgres 17 or newer, got an older server, which has no transaction_timeout.';
  return new AppError('invalid_configuration', message, { variable: 'DATABASE_URL' }, error);
}

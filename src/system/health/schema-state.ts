import { setTimeout as sleep } from 'node:timers/promises';
import { type CommonQueryMethods, sql } from 'slonik';
import Type from 'typebox';
import { type Migration, readMigrations } from '#sql/migrate.ts';
import type { Context } from '#src/system/context.ts';
import { fillGauges } from '#src/system/fill-gauges.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { sqlState } from '#src/system/postgres/postgres-errors.ts';

/** The migrations of a database beside the files of this release. */
export interface SchemaState {
  /** Files of this release that the database has. */
  readonly applied: number;
  /** Files of this release. */
  readonly files: number;
  /** Names of files that the database lacks, in order. */
  readonly pending: readonly string[];
  /** Names of migrations that a newer release has applied, in order. */
  readonly unknown: readonly string[];
  /** Names of files that are not what was applied under their number. */
  readonly changed: readonly string[];
}

const Applied = row(Type.Object({ number: Type.Integer(), file: Type.String(), digest: Type.String() }));
type Applied = { readonly number: number; readonly file: string; readonly digest: string };

const UNDEFINED_TABLE = '42P01';
const LOOK_MS = 1_000;

/** Files do not change while a process runs. */
let releaseFiles: readonly Migration[] | undefined;

/** Compares the rows of `migrations` with the files of a release. */
export function compareSchema(applied: readonly Applied[], files: readonly Migration[]): SchemaState {
  const known = new Map(applied.map((one) => [one.number, one]));
  const numbers = new Set(files.map(({ number }) => number));
  return {
    applied: files.filter(({ number }) => known.has(number)).length,
    files: files.length,
    pending: files.filter(({ number }) => !known.has(number)).map(({ file }) => file),
    unknown: applied
      .filter(({ number }) => !numbers.has(number))
      .toSorted((a, b) => a.number - b.number)
      .map(({ file }) => file),
    changed: files
      .filter(({ number, digest }) => known.has(number) && known.get(number)?.digest !== digest)
      .map(({ file }) => file),
  };
}

/** Reads how far the database is migrated; one without the table of migrations has none. */
export async function readSchemaState({ db }: { readonly db: CommonQueryMethods }): Promise<SchemaState> {
  releaseFiles ??= readMigrations();
  const applied = await db
    .any(sql.type(Applied)`select number, file, digest from migrations`)
    .catch((error: unknown) => {
      if (sqlState(error) === UNDEFINED_TABLE) return [];
      throw error;
    });
  return compareSchema(applied, releaseFiles);
}

/** Says why a process of this release cannot work with the database, and what to do; null when it can. */
export function schemaFault({ applied, files, pending, changed }: SchemaState): string | null {
  if (changed.length > 0)
    return `the database has another ${changed[0]} than this release: run the release that migrated it, or restore the file`;
  if (pending.length === 0) return null;
  const missing = pending.length === 1 ? `${pending[0]} is missing` : `${pending[0]} and later ones are missing`;
  return `the database is at ${applied} of ${files} migrations (${missing}): run \`proofline migrate\``;
}

/** Says that a newer release has migrated the database, which this one can still serve; null when none has. */
export function newerSchema({ files, unknown }: SchemaState): string | null {
  if (unknown.length === 0) return null;
  return `the database is at ${files + unknown.length} migrations, this release has ${files} (${unknown.join(', ')} came with a newer one): it goes on, but should be replaced by the newer release`;
}

/**
 * Waits until the database has every migration of this release, and says in the log what it waits for. A process that
 * began on an older schema would accept jobs that no worker can start.
 *
 * @throws the signal's reason when that aborts first.
 */
export async function untilMigrated(context: Pick<Context, 'db' | 'log'>, signal: AbortSignal): Promise<void> {
  let said: string | null = null;
  for (;;) {
    signal.throwIfAborted();
    const state = await readSchemaState(context).catch((error: unknown) => {
      context.log.debug({ err: error }, 'the migrations of the database were not read');
      return undefined;
    });
    const why = state ? schemaFault(state) : 'Postgres does not answer';
    if (state && why === null) {
      const newer = newerSchema(state);
      if (newer !== null) context.log.warn(newer);
      if (said !== null) context.log.info('the database is migrated: starting');
      return;
    }
    if (why !== said) context.log.error(`not started yet: ${why}`);
    said = why;
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
  }
}

/** Has every scrape read how the database's migrations compare with this release's. */
export function gaugeSchema(context: Context): void {
  const { proofline_schema_migrations_pending: pending, proofline_schema_migrations_unknown: unknown } =
    context.metrics;
  fillGauges(context, [pending, unknown], async () => {
    const state = await readSchemaState(context);
    pending.set(state.pending.length + state.changed.length);
    unknown.set(state.unknown.length);
  });
}

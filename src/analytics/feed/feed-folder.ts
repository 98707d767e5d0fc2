import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'slonik';
import { type MarketSymbol, marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';

/** Sub-folders of FEED_FOLDER, and what their files are. */
const feedKinds = ['chains', 'trades', 'prints', 'short-volume', 'constituents'] as const;
type FeedKind = (typeof feedKinds)[number];

/** A file of the folder at the time it was looked at. */
export interface FeedFile {
  readonly kind: FeedKind;
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly modified: number;
  /** Another one whenever the file was written again. */
  readonly version: string;
}

/** Larger files are not read; a tape must be split by time. */
const MAX_BYTES = 128 * 1024 * 1024;

/**
 * Files of one kind in order of their names; none where the sub-folder is missing. Hidden files are no files: writers name
 * what is not finished so.
 *
 * @throws AppError `invalid_configuration` where the folder itself is not there.
 */
export function feedFiles(folder: string, kind: FeedKind): FeedFile[] {
  const under = join(folder, kind);
  let names: string[];
  try {
    names = readdirSync(under);
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
    const message =
      'FEED_FOLDER: expected a folder that can be read, got one that is not there; make it, or set another.';
    throw new AppError('invalid_configuration', message, { variable: 'FEED_FOLDER' }, error);
  }
  return names
    .filter((name) => !name.startsWith('.'))
    .toSorted()
    .flatMap((name) => {
      const path = join(under, name);
      const found = statSync(path, { throwIfNoEntry: false });
      if (!found?.isFile()) return [];
      const { size: bytes, mtimeMs: modified } = found;
      return [{ kind, name, path, bytes, modified, version: `${bytes}:${modified}` }];
    });
}

/** The underlying a file is of, by how its name begins: `_SPX.json`, `spx_quotedata.csv`, `SPY-20261120.ndjson`; null for another. */
export function symbolOfFile(name: string): MarketSymbol | null {
  const word = /^[_^]?([a-z]+)(?![a-z])/i.exec(name)?.[1]?.toUpperCase();
  return marketSymbols.find((symbol) => symbol === word) ?? null;
}

/**
 * The text of a file.
 *
 * @throws AppError `payload_too_large`; `unavailable` where it cannot be read, as while it is being replaced.
 */
function readFeedFile({ path, kind, name, bytes }: FeedFile, most = MAX_BYTES): string {
  if (bytes > most) {
    const message = `${kind}/${name}: expected at most ${most} bytes, got ${bytes}; split it.`;
    throw new AppError('payload_too_large', message, { max_bytes: most });
  }
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new AppError('unavailable', `${kind}/${name}: expected a file that can be read, got none.`, {}, error);
  }
}

interface Remembered {
  readonly version: string;
  readonly value: unknown;
}

export type FileReader = <T>(file: FeedFile, use: string, read: (text: string) => T) => T | null;

/**
 * Reads each version of a file once for each use and remembers what was made of it. A file that cannot be used is null, and
 * reported once a version to `onProblem`: the others are used without it.
 */
export function openFileReader(onProblem: (sentence: string) => void): FileReader {
  const kept = new Map<string, Remembered>();
  return <T>(file: FeedFile, use: string, read: (text: string) => T) => {
    const key = `${use} ${file.path}`;
    const known = kept.get(key);
    if (known?.version === file.version) return known.value as T | null;
    const value = attempt(file, read, onProblem);
    kept.delete(key);
    kept.set(key, { version: file.version, value });
    // days that are over are not requested any more
    for (const oldest of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(oldest);
    return value;
  };
}

const MOST_KEPT = 300;

function attempt<T>(file: FeedFile, read: (text: string) => T, onProblem: (sentence: string) => void): T | null {
  try {
    return read(readFeedFile(file));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    onProblem(`${file.kind}/${file.name}: ${error.message}`);
    return null;
  }
}

interface FileOutcome {
  /** `taken`, `unchanged`, `older`, or the code of what was wrong. */
  readonly outcome: string;
  /** A sentence about what was wrong; empty where nothing was. */
  readonly detail: string;
}

/** Remembers that this version of a chain file was looked into, and what came of it. */
export async function keepFileOutcome(
  { db }: Pick<Context, 'db'>,
  { name, version }: Pick<FeedFile, 'name' | 'version'>,
  { outcome, detail }: FileOutcome,
): Promise<void> {
  await db.query(sql.unsafe`
    insert into feed_files (name, version, outcome, detail) values (${name}, ${version}, ${outcome}, ${detail})
    on conflict (name) do update set version = excluded.version, outcome = excluded.outcome, detail = excluded.detail,
      taken_at = now()`);
}

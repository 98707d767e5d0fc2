import { sql } from 'slonik';
import type { Context } from '#src/system/context.ts';
import type { FeedFile } from './feed-folder.ts';

export interface FileOutcome {
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

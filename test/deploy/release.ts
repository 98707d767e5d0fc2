import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from '#test/helpers/documents/json-schema.ts';

export const parts = ['payload', 'result', 'progress'] as const;
export type Part = (typeof parts)[number];

/** What a release said of a queue. */
export interface FrozenQueue {
  readonly name: string;
  readonly schemas: Readonly<Record<Part, Schema>>;
}

/** Rows of a release, by table, in an order in which they can be inserted. */
export type FrozenRows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** The release before this one; until there is one, the first. */
export const previous = '0.1';

export const folderOf = (release: string): string => join(import.meta.dirname, `fixtures/release-${release}`);

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

export function frozenQueues(release: string): readonly FrozenQueue[] {
  const files = globSync('queues/*.json', { cwd: folderOf(release) }).toSorted();
  return files.map((file) => read(join(folderOf(release), file)) as FrozenQueue);
}

export function frozenRows(release: string): FrozenRows {
  return read(join(folderOf(release), 'rows.json')) as FrozenRows;
}

/** Keys, accounts and the like, as that release published them, by the path it had them at. */
export function frozenTrust(release: string): Readonly<Record<string, unknown>> {
  return read(join(folderOf(release), 'trust.json')) as Readonly<Record<string, unknown>>;
}

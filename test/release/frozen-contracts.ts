import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Contracts } from './contracts.ts';

const folder = join(import.meta.dirname, '../../release/contracts');

/** The frozen contracts of the newest release. @throws where none is frozen */
export function frozenContracts(): Contracts {
  const files = globSync('*.json', { cwd: folder }).map((file) => basename(file, '.json'));
  const newest = files.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  if (newest === undefined) throw new Error(`expected a frozen release in ${folder}, got none`);
  return JSON.parse(readFileSync(join(folder, `${newest}.json`), 'utf8'));
}

/** File in which the contracts of a release are kept. */
export const fileOf = (version: string): string => join(folder, `${version}.json`);

/** JSON with a line for each operation, schema, tool and the like, so that a change is one line of a diff. */
export function linesOf(contracts: Contracts): string {
  const parts = Object.entries(contracts).map(([name, value]) => `${JSON.stringify(name)}: ${linesOfPart(value)}`);
  return `{\n${parts.join(',\n')}\n}\n`;
}

function linesOfPart(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{\n${entries.map(([name, one]) => `  ${JSON.stringify(name)}: ${JSON.stringify(one)}`).join(',\n')}\n}`;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Semantic version of this release, from `package.json`. */
export const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
  readonly version: string;
};

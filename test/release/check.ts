import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareContracts } from './compare-contracts.ts';
import { fileOf, frozenContracts, linesOf } from './frozen-contracts.ts';
import { makeContracts } from './make-contracts.ts';
import { releaseReport } from './report.ts';

/*
 * Compares the contracts of the code with those of the last release, and ends with 1 where package.json names a version that is too
 * small for the changes. `--freeze` keeps them as those of the release that package.json names.
 */
const root = join(import.meta.dirname, '../..');
const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const say = (line: string): boolean => process.stderr.write(`${line}\n`);

const now = await makeContracts(say);
const before = frozenContracts();
const { text, isEnough } = releaseReport({ released: before.version, version }, compareContracts(before, now));
process.stdout.write(text);
if (!isEnough) process.exitCode = 1;
else if (process.argv.includes('--freeze')) {
  writeFileSync(fileOf(version), linesOf(now));
  say(`froze the contracts of ${version}: ${fileOf(version)}`);
}

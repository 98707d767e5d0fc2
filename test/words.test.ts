import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Words and turns of phrase that are out, each with what is said instead. `lone_deaths` is a column, and stays. */
const out: readonly (readonly [pattern: string, instead: string])[] = [
  [String.raw`\b[Aa]cquit`, 'clear'],
  [String.raw`\b[Ww]itness`, 'checkpoint'],
  [String.raw`\b[Bb]uried\b`, 'given up, crashed'],
  [String.raw`\b[Ll]one[ -]death\b`, 'solo crash'],
  [String.raw`(Own|Attempt)Desk|openDesk\(context`, 'worker context'],
  [String.raw`worksOf\b|workers/works\.ts`, 'handlersOf, workers/handlers.ts'],
  [String.raw`\btooDear\b|\bdearest\b`, 'tooExpensive, most expensive'],
  [String.raw`\bunsay\b`, 'eraseMessage'],
  [String.raw`\bgoesOn\b`, 'fallback codes, is a follow-up'],
  [String.raw`\bsettleBadly\b|\bsettleWell\b`, 'settleFailed'],
  [String.raw`\bletGo\b`, 'drain, close, release'],
  [String.raw`\bisAway\b`, 'isUnavailable'],
  [String.raw`(bytes that are|line that is|text that is|code that is|cursor that is) none`, 'name what it is not'],
  [String.raw`title: '(Brake|A minute|Empty in)'`, 'Pause, Per minute, Drains in'],
  [String.raw`beside the point goes to stderr`, 'Diagnostics go to stderr'],
  [String.raw`leaves the house`, 'is sent outside'],
  [String.raw`when the time is over first`, 'on timeout'],
];

const root = join(import.meta.dirname, '..');

/** Lines of the repository, its tests among them, that a pattern matches. */
function linesWith(pattern: string): string[] {
  try {
    const args = ['grep', '-nP', pattern, '--', '.', ':!test/words.test.ts', ':!test/deploy/fixtures', ':!*.sql'];
    return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  } catch (error) {
    // 1: no line
    if ((error as { status?: number }).status === 1) return [];
    throw error;
  }
}

test.each(out)('%s is not written any more: %s', (pattern) => {
  expect(linesWith(pattern)).toEqual([]);
});

test('no sentence of the product says 1 hours: numbers and their units are joined by `counted`', () => {
  // constants are known to be more than one, and what has decimals is never one
  const joined = linesWith(String.raw`\$\{(?![A-Z_ /\d]+\})(?!.*toFixed)[^{}]+\} (hours|days|minutes|seconds)\b`);
  expect(joined.filter((line) => /^(src|workers|queues|bin|dashboards)\//.test(line))).toEqual([]);
});

test('a word that is written is found', () => {
  expect(linesWith('a word that is written is fou[n]d')).toEqual([]);
  expect(linesWith('git grep|# Proofline').length).toBeGreaterThan(0);
});

const code = ['src', 'workers', 'queues', 'dashboards', 'bench', 'sql', 'packages'];

function linesOfCode(pattern: string): string[] {
  const files = execFileSync('git', ['ls-files', '--', ...code], { cwd: root, encoding: 'utf8' }).split('\n');
  const found = new RegExp(pattern, 'g');
  return files
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('api.d.ts'))
    .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(found)].map(([text]) => `${file}: ${text}`));
}

test('a docstring begins with a verb or a noun', () => {
  const first = 'What|Who|Whose|Whom|Whoever|How|Whether|Of|Where|When|Which|That|Those';
  expect(linesOfCode(String.raw`/\*\*\s+(?:\*\s+)?(?:${first})\b[^\n]*`)).toEqual([]);
  expect(linesOfCode(String.raw`/\*\*\s+(?:\*\s+)?Computes\b[^\n]*`).length).toBeGreaterThan(10);
});

/** Words of other languages than ours: of goals, and of an operating system. */
const quoted = /goal-words\.ts|private-postgres|postgres-program\.ts/;

test('an actor is named: a caller, a worker, a subscriber, an operator', () => {
  const found = linesOfCode(String.raw`[^\n]*\b(?:[Ww]hoever|[Nn]obody|[Ss]omebody)\b[^\n]*`);
  expect(found.filter((line) => !quoted.test(line))).toEqual([]);
});

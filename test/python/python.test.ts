import { execFile, spawnSync } from 'node:child_process';
import { globSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { errorCodes } from '#src/lib/error-codes.ts';
import { library, python, pythonEnv } from './find-python.ts';

const skip = python === undefined;
const where = skip ? ' (skipped: no Python 3.11 or later here)' : '';
const patient = { timeout: 300_000 };

interface Ended {
  readonly code: number | null;
  /** Both streams, one behind the other. */
  readonly output: string;
}

/** Runs Python in the folder of the library. */
async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return await new Promise((resolve) => {
    const child = execFile(
      python ?? 'python3',
      args,
      { cwd: library, env: { ...pythonEnv, ...env } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, output: `${stdout}${stderr}` }),
    );
  });
}

test(`the library passes its own tests, and leaves no connection open${where}`, { ...patient, skip }, async () => {
  const { code, output } = await run(['-W', 'error::ResourceWarning', '-m', 'unittest', 'discover']);
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  expect(Number(/Ran (\d+) tests/.exec(output)?.[1])).toBeGreaterThan(90);
});

test(`every file compiles${where}`, { ...patient, skip }, async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'proofline-python-'));
  const compiled = await run(['-m', 'compileall', '-q', 'proofline', 'tests'], {
    PYTHONDONTWRITEBYTECODE: '',
    PYTHONPYCACHEPREFIX: folder.path,
  });
  expect(compiled).toEqual({ code: 0, output: '' });
});

const hasMypy = spawnSync(python ?? 'python3', ['-c', 'import mypy'], { env: pythonEnv }).status === 0;

test(`every type is sound${hasMypy ? '' : ' (skipped: no mypy here)'}`, { ...patient, skip: !hasMypy }, async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'proofline-python-'));
  const { code, output } = await run(['-m', 'mypy', '--cache-dir', folder.path, 'proofline', 'tests']);
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
});

test(`its codes that may be tried again are those of the API${where}`, { ...patient, skip }, async () => {
  const { output } = await run([
    '-c',
    'import json, proofline.errors as e; print(json.dumps(sorted(e.RETRYABLE_CODES)))',
  ]);
  const retryable = Object.entries(errorCodes).filter(([, row]) => row.retryable);
  expect(JSON.parse(output)).toEqual(retryable.map(([code]) => code).toSorted());
});

const files = globSync('**/*.py', { cwd: library, exclude: ['build/**'] });

test('files of the library are short, and its folders small', () => {
  const lines = files.map((file) => [file, readFileSync(join(library, file), 'utf8').split('\n').length] as const);
  expect(lines.length).toBeGreaterThan(30);
  expect(lines.filter(([, count]) => count > 300)).toEqual([]);
  const folders = Map.groupBy(files, (file) => dirname(file));
  expect([...folders].filter(([, { length }]) => length > 20).map(([folder]) => folder)).toEqual([]);
});

test('its docstrings begin with a verb or a noun', () => {
  const own = files.filter((file) => file.startsWith('proofline/'));
  const texts = own.map((file) => ({ file, text: readFileSync(join(library, file), 'utf8') }));
  const first = /"""(?:What|Who|Whose|Whom|Whoever|How|Whether|Of|Where|When|Which|That|Those)\b.*/g;
  expect(texts.flatMap(({ file, text }) => [...text.matchAll(first)].map(([line]) => `${file}: ${line}`))).toEqual([]);
  expect(texts.flatMap(({ text }) => [...text.matchAll(/"""\w+/g)]).length).toBeGreaterThan(80);
});

test(`it imports nothing but itself and the standard library${where}`, { ...patient, skip }, async () => {
  // without site-packages: whatever else is installed is not found
  const { code, output } = await run(['-S', '-c', 'import proofline; print(proofline.__version__)']);
  expect({ code, output }).toEqual({ code: 0, output: '0.1.0\n' });
});

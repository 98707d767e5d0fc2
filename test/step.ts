import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** What a step of the gates came to; a step without tests counts as one. */
export interface StepResult {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Runs a tool of node_modules; its output is shown only when it fails. Says how long it took. */
export async function runTool(name: string, script: string, args: readonly string[]): Promise<StepResult> {
  const since = performance.now();
  const { status, output } = await run([join('node_modules', script), ...args], 'kept');
  if (status !== 0) process.stdout.write(output);
  sayResult(name, status === 0, since);
  return { name, passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 };
}

/** Runs the tests of a vitest project, showing them as they run, and counts them. */
export async function runTests(project: 'unit' | 'integration', filters: readonly string[] = []): Promise<StepResult> {
  const since = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'proofline-report-'));
  const report = join(folder, 'report.json');
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    '--reporter=./test/second-tries.ts',
    `--outputFile.json=${report}`,
  ];
  const { status } = await run(
    ['node_modules/vitest/vitest.mjs', 'run', '--project', project, ...reporters, ...filters],
    'shown',
  );
  const counts = readCounts(report);
  rmSync(folder, { recursive: true, force: true });
  sayResult(`${project} tests`, status === 0, since);
  // A file that cannot be read has no failed test, and a run that crashed has no report.
  const failed = status === 0 ? counts.failed : Math.max(1, counts.failed);
  return { name: `${project} tests`, ...counts, failed };
}

/** Prints the closing lines: what failed by name, and `N passed, N failed`. Gives the exit code. */
export function closing(results: readonly StepResult[]): number {
  const sum = (key: 'passed' | 'failed' | 'skipped') => results.reduce((total, result) => total + result[key], 0);
  const broken = results.filter(({ failed }) => failed > 0).map(({ name }) => name);
  if (broken.length > 0) process.stdout.write(`failed: ${broken.join(', ')}\n`);
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed${skipped}\n`);
  return broken.length === 0 ? 0 : 1;
}

function sayResult(name: string, ok: boolean, since: number): void {
  process.stdout.write(`${ok ? 'ok    ' : 'FAILED'} ${name} (${((performance.now() - since) / 1000).toFixed(1)} s)\n`);
}

async function run(args: readonly string[], output: 'kept' | 'shown'): Promise<{ status: number; output: string }> {
  const stdio = output === 'shown' ? 'inherit' : 'pipe';
  const plain = output === 'kept' ? { NO_COLOR: '1' } : {};
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...plain },
    stdio: ['ignore', stdio, stdio],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  const status = await new Promise<number>((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve(code ?? 1));
  });
  return { status, output: text };
}

function readCounts(report: string): { passed: number; failed: number; skipped: number } {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests }: Record<string, number> = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    return {
      passed: numPassedTests ?? 0,
      failed: numFailedTests ?? 0,
      skipped: (numPendingTests ?? 0) + (numTodoTests ?? 0),
    };
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}

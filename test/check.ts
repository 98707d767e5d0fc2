import { closing, runTests, runTool, type StepResult } from './step.ts';

/**
 * Everything that needs no server: types, lint, format, unused code, and the unit tests (layers, lockfile, documents).
 * One after the other: two at once would share the same cores.
 */
export async function check(): Promise<readonly StepResult[]> {
  return [
    await runTool('types', 'typescript/bin/tsc', ['--noEmit']),
    await runTool('types of the page', 'typescript/bin/tsc', ['-p', 'dashboards/verify']),
    await runTool('types of the console', 'typescript/bin/tsc', ['-p', 'dashboards/console', '--noEmit']),
    ...(await typesOfPackages()),
    await runTool('lint', 'oxlint/bin/oxlint', ['--type-aware', '--deny-warnings']),
    await runTool('format', '@biomejs/biome/bin/biome', ['ci', '--error-on-warnings', '--colors=off']),
    await runTool('unused code', 'knip/bin/knip.js', ['--no-progress']),
    await runTests('unit'),
  ];
}

/** What others install may use no more than its platforms have: each package is checked with their types alone. */
async function typesOfPackages(): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  for (const name of ['client', 'worker', 'react']) {
    const args = ['-p', `packages/${name}`, '--noEmit', '--customConditions', '@proofline/source'];
    results.push(await runTool(`types of @proofline/${name}`, 'typescript/bin/tsc', args));
  }
  return results;
}

if (import.meta.main) process.exitCode = closing(await check());

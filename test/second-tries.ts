import type { Reporter, TestCase } from 'vitest/node';

/**
 * Names the tests that failed and then passed when they ran again. A shared machine may make an integration test fail
 * once, which must not stop a change; a name that comes back here is a fault to be found.
 */
export default class SecondTries implements Reporter {
  readonly #names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd(): void {
    for (const name of this.#names) process.stdout.write(`passed only when it ran again: ${name}\n`);
  }
}

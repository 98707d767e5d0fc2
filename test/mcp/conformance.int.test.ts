import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { conformanceServer } from './conformance-server.ts';

const suite = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly errorMessage?: string;
}

/** Every check that the suite made, by scenario. */
async function runSuite(url: string, version: string): Promise<Map<string, readonly Check[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const run = [suite, 'server', '--url', url, '--suite', 'all', '--spec-version', version, '-o', folder];
    // a scenario that fails shows in its checks, which say more than the exit code
    await promisify(execFile)(process.execPath, run, { maxBuffer: 64_000_000 }).catch(() => {});
    const found = new Map<string, readonly Check[]>();
    for (const name of await readdir(folder)) {
      const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
      found.set(scenario, JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')) as Check[]);
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test.each([
  ['2025-06-18', 26],
  ['2025-11-25', 32],
])('the public conformance suite passes for %s', { timeout: 180_000 }, async (version, scenarios) => {
  await using api = await conformanceServer();
  const found = await runSuite(api.url.href, version);
  expect(found.size).toBe(scenarios);
  const failed = [...found].flatMap(([scenario, checks]) =>
    checks.filter(({ status }) => status === 'FAILURE').map((check) => ({ scenario, ...check })),
  );
  expect(failed).toEqual([]);
  // the suite speaks 2025-03-26 where it asks about polling, which has none, and then only warns: resume.int.test.ts asks it
  const silent = [...found].filter(([, checks]) => !checks.some(({ status }) => status === 'SUCCESS'));
  expect(silent.map(([scenario]) => scenario)).toEqual(version === '2025-11-25' ? ['server-sse-polling'] : []);
});

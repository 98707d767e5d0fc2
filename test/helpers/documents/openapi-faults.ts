import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import '@hyperjump/json-schema/openapi-3-1';
import { setMetaSchemaOutputFormat, validate } from '@hyperjump/json-schema/openapi-3-1';

/** Collects the complaints of a validator of OpenAPI 3.1, and of another about its habits. */
export async function openapiFaults(document: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  setMetaSchemaOutputFormat('DETAILED');
  const checked = await validate('https://spec.openapis.org/oas/3.1/schema-base', document as never, 'BASIC');
  const faults = checked.valid ? [] : [`schema-base: ${JSON.stringify(checked.errors?.slice(0, 5))}`];
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  try {
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    return [...faults, ...(await lint(folder))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the linter by its recommended rules. */
async function lint(folder: string): Promise<readonly string[]> {
  const program = join(import.meta.dirname, '../../../node_modules/@redocly/cli/bin/cli.js');
  const run = [program, 'lint', 'openapi.json', '--format=json', '--max-problems=1000'];
  // no telemetry and no look for a newer version: it runs without a network
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };
  const { stdout } = await promisify(execFile)(process.execPath, run, {
    cwd: folder,
    env,
    maxBuffer: 64_000_000,
  }).catch((error: unknown) => error as { stdout: string });
  const { problems } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
  };
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`);
}

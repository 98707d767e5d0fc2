import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { freePort } from '#src/system/embedded/ports.ts';
import { assertPostgresAnswers } from '#src/system/postgres/postgres-start.ts';
import { testConfig } from '#test/helpers/config.ts';
import { runCommand, testFolder } from '#test/helpers/processes.ts';

const launcher = join(import.meta.dirname, '../../../bin/proofline.mjs');

let silent: Server;
let mute: string;
beforeAll(async () => {
  silent = createServer((socket) => void socket.on('error', () => {}).resume()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  mute = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
});
afterAll(() => void silent.close());

test('a Postgres that says nothing, is none, refuses, or does not let us in is one sentence without a secret', async () => {
  await using settings = await testConfig();
  const { host: redis } = new URL(settings.config.REDIS_URL);
  const { host: real } = new URL(inject('adminUrl'));
  const closed = `127.0.0.1:${await freePort()}`;
  const cases = [
    [mute, `a Postgres that answers, got ${mute}/here, which does not (no answer within 1 s)`],
    [redis, `a Postgres that answers, got ${redis}/here, which does not (no answer within 1 s)`],
    [closed, `a Postgres that answers, got ${closed}/here, which does not (connect ECONNREFUSED`],
    [real, `a database that lets us in, got ${real}/here, which does not (password authentication failed`],
  ] as const;
  const ask = async (more: object) =>
    await assertPostgresAnswers({ ...settings.config, ...more }, undefined, 1_000).catch((error: unknown) => error);
  await Promise.all(
    cases.map(async ([host, sentence]) => {
      const url = `postgresql://someone:hunter2@${host}/here`;
      const wrong = await Promise.all([ask({ DATABASE_URL: url }), ask({ DATABASE_DIRECT_URL: url })]);
      for (const [index, variable] of ['DATABASE_URL', 'DATABASE_DIRECT_URL'].entries()) {
        expect(wrong[index]).toMatchObject({
          code: 'invalid_configuration',
          message: expect.stringContaining(`${variable}: expected ${sentence}`),
        });
        expect(String(wrong[index])).not.toContain('hunter2');
      }
    }),
  );
  await assertPostgresAnswers(settings.config);
});

test.each([['up'], ['migrate'], ['api'], ['worker', 'analytics'], ['key', 'list']])(
  'error: %s with a DATABASE_URL that says nothing ends with the sentence and exit code 2',
  async (...command) => {
    using folder = testFolder();
    await using settings = await testConfig();
    const DATABASE_URL = `postgresql://someone:hunter2@${mute}/here`;
    const env = { ...settings.env, DATABASE_URL, PROOFLINE_HOME: folder.path, METRICS_PORT: '0', PORT: '0' };
    await using script = runCommand(process.execPath, [launcher, ...command], env);
    expect(await script.ended).toBe(2);
    expect(script.output()).toContain(
      `DATABASE_URL: expected a Postgres that answers, got ${mute}/here, which does not (no answer within 5 s).`,
    );
    expect(script.output()).not.toContain('hunter2');
  },
);

test.each([
  ['up', 'DATABASE_URL', 'postgresql://someone@HOST/here'],
  ['up', 'REDIS_URL', 'redis://HOST'],
  ['api', 'DATABASE_URL', 'postgresql://someone@HOST/here'],
  ['api', 'REDIS_URL', 'redis://HOST'],
])('%s that waits for %s ends with the first SIGTERM, without waiting longer', async (command, variable, url) => {
  using folder = testFolder();
  await using settings = await testConfig();
  const env = { ...settings.env, [variable]: url.replace('HOST', mute), PROOFLINE_HOME: folder.path, PORT: '0' };
  const asked = once(silent, 'connection');
  await using script = runCommand(process.execPath, [launcher, command], env);
  await asked;
  script.child.kill('SIGTERM');
  expect(await script.ended).toBe(0);
  expect(script.output()).not.toContain('which does not');
});

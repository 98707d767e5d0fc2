import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { missionScopes } from '#src/access/keys/keys.ts';
import { scopes } from '#src/lib/principal.ts';
import { settings } from '#src/system/config/settings.ts';
import { type TestConfig, testConfig } from '#test/helpers/config.ts';
import { runHere } from './command-system.ts';

const example = join(import.meta.dirname, '../../src/analytics/chains/example-chain.csv');

let config: TestConfig;
beforeAll(async () => {
  config = await testConfig();
}, 240_000);
afterAll(async () => await config[Symbol.asyncDispose]());

/** What a command prints for programs; what it says besides goes before it. */
async function json(...args: string[]) {
  const { exit, output } = await runHere([...args, '--json'], config.env);
  expect([args, exit]).toEqual([args, 0]);
  return JSON.parse(output.slice(output.search(/^[[{]/m)));
}

test('what the commands of operators print for people they print as JSON as well', async () => {
  expect(await json('migrate')).toEqual({ applied: [], unknown: [] });
  expect(await json('settings')).toHaveLength(Object.keys(settings).length);
  expect(await json('metrics')).toContainEqual(
    expect.objectContaining({ name: 'proofline_queue_paused', kind: 'gauge' }),
  );
  expect(await json('ingest', 'spx', example)).toEqual({
    symbol: 'SPX',
    job: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });

  const made = await json('key', 'create', '--owner', 'desk-7', '--scopes', 'platform.mcp.read');
  expect(made).toMatchObject({ key: { owner: 'desk-7', scopes: ['platform.mcp.read'], revoked_at: null } });
  expect(made.secret).toMatch(/^sk-platform-/);
  const keys = await json('key', 'list');
  expect(keys).toEqual([made.key]);
  // neither the secret nor what it is recognised by
  expect(JSON.stringify(keys)).not.toContain(made.secret);
  expect(Object.keys(keys[0])).not.toContain('hash');
  expect(await json('key', 'revoke', made.key.id)).toMatchObject({ id: made.key.id, revoked_at: expect.any(String) });

  const all = await json('key', 'create', '--owner', 'desk-8', '--scopes', 'all');
  expect(all.key.scopes).toEqual(scopes);

  const invited = await json('human', 'invite', '--for', 'Ada');
  expect(invited).toMatchObject({
    invite: { label: 'Ada', scopes: missionScopes },
    code: expect.stringMatching(/^invite-/),
  });
  expect(await json('human', 'invites')).toEqual([invited.invite]);
  expect(await json('human', 'withdraw', invited.invite.id)).toMatchObject({ label: 'Ada' });
  expect(await json('human', 'list')).toEqual([]);
});

test('error: JSON and Markdown at once is wrong use', async () => {
  expect(await runHere(['settings', '--json', '--markdown'], config.env)).toEqual({
    exit: 2,
    output: expect.stringContaining("option '--markdown' cannot be used with option '--json'"),
  });
});

test('error: no address but that of a home is given the key of the home', async () => {
  const args = ['picture', 'profile', '--out', '/dev/null', '--url', 'http://127.0.0.1:9'];
  expect(await runHere(args, { ...config.env, PROOFLINE_KEY: '' })).toEqual({
    exit: 2,
    output: expect.stringMatching(/^PROOFLINE_KEY: expected a key of the service at --url/),
  });
});

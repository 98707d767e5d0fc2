import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { listKeys } from '#src/access/keys/keys.ts';
import { defaultKeys } from '#src/commands/start/default-keys.ts';
import { jobScopes, scopes, studioKeyScopes } from '#src/lib/principal.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { developerEmail } from '#src/system/embedded/identity.ts';
import { testConfig } from '#test/helpers/config.ts';
import { testFolder } from '#test/helpers/processes.ts';

/** The valid keys by name, with what they may do. */
async function validKeys(context: Context) {
  const keys = (await listKeys(context, null)).filter(({ revoked_at }) => revoked_at === null);
  return new Map(keys.map((key) => [key.name, key]));
}

test('every start gives the same keys: an admin with every scope, and one for jobs with the three over them', async () => {
  using home = testFolder();
  await using stack = new AsyncDisposableStack();
  const { config } = stack.use(await testConfig());
  const context = stack.use(await openContext(config, 'api'));
  const keys = await defaultKeys(context, home.path, null);
  expect(await defaultKeys(context, home.path, null)).toEqual(keys);
  const owner = `user:${developerEmail}`;
  const valid = await validKeys(context);
  expect(valid.size).toBe(4);
  expect(valid.get('default admin')).toMatchObject({ owner, scopes, operator: true });
  expect(valid.get('default jobs')).toMatchObject({ owner, scopes: jobScopes, operator: false });
  expect(keys.jobs.slice(-4)).toBe(valid.get('default jobs')?.last4);
});

test('a key that an earlier release made without the scopes of this one is made anew, and the old one ends', async () => {
  using home = testFolder();
  await using stack = new AsyncDisposableStack();
  const { config } = stack.use(await testConfig());
  const context = stack.use(await openContext(config, 'api'));
  const before = await defaultKeys(context, home.path, null);
  await context.db.query(sql.unsafe`
    update keys set scopes = ${sql.array([...studioKeyScopes], 'text')} where name = 'default admin'`);
  const after = await defaultKeys(context, home.path, null);
  expect(after).toEqual({ ...before, admin: expect.not.stringMatching(before.admin) });
  const valid = await validKeys(context);
  expect([valid.size, valid.get('default admin')?.scopes]).toEqual([4, [...scopes]]);
  expect(await defaultKeys(context, home.path, null)).toEqual(after);
});

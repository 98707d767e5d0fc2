import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openAccess, resolvePrincipal } from '#src/access/access.ts';
import { createInvite, findInvite } from '#src/access/humans/invites.ts';
import { createKey } from '#src/access/keys/keys.ts';
import { AppError } from '#src/lib/errors.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { testConfig } from '#test/helpers/config.ts';

const [old, fresh] = [1, 2].map(() => randomBytes(24).toString('hex')) as [string, string];

/** Whether a process with these peppers takes the key. */
async function takes(env: Readonly<Record<string, string>>, pepper: string, other: string, secret: string) {
  await using context = await openContext(loadConfig({ ...env, KEY_PEPPER: pepper, KEY_PEPPER_OTHER: other }), 'api');
  const caller = { url: '/', ip: '127.0.0.1', headers: { 'x-api-key': secret } };
  const found = resolvePrincipal(openAccess(context), caller).catch((error: unknown) => error);
  return !((await found) instanceof AppError);
}

test('the pepper is changed in three steps, and no key or invite is refused on the way', async () => {
  await using given = await testConfig();
  const { env } = given;
  const before = await openContext(loadConfig({ ...env, KEY_PEPPER: old }), 'cli');
  const { secret } = await createKey(before, { owner: 'o', name: 'n', scopes: [] });
  const { secret: unused } = await createKey(before, { owner: 'o', name: 'unused', scopes: [] });
  const { code } = await createInvite(before, { label: 'somebody', createdBy: 'o' });
  await before[Symbol.asyncDispose]();

  // every process knows both, while some have changed and some have not
  expect(await takes(env, old, fresh, secret)).toBe(true);
  expect(await takes(env, fresh, old, secret)).toBe(true);
  expect(await takes(env, old, fresh, secret)).toBe(true);
  expect(await takes(env, fresh, old, secret)).toBe(true);
  const between = await openContext(loadConfig({ ...env, KEY_PEPPER: fresh, KEY_PEPPER_OTHER: old }), 'cli');
  expect(await findInvite(between, code)).toMatchObject({ label: 'somebody' });
  await between[Symbol.asyncDispose]();

  // without the old one: what was used meanwhile goes on, what was not does not
  expect(await takes(env, fresh, '', secret)).toBe(true);
  expect(await takes(env, fresh, '', unused)).toBe(false);
});

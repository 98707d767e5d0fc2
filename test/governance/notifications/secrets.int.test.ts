import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { ownerSecret, resealSecrets, webhookSecret } from '#src/governance/owners/webhook-secrets.ts';
import { testApi } from '#test/http/api.ts';

const [old, fresh] = ['an old pepper of at least 32 characters', 'a new pepper of at least 32 characters'];

test('secrets of webhooks outlive a change of the pepper, in its three steps', async () => {
  await using api = await testApi();
  const { db } = api.context;
  const at = (KEY_PEPPER: string, KEY_PEPPER_OTHER = '') => ({ db, config: { KEY_PEPPER, KEY_PEPPER_OTHER } });
  const read = async (store: ReturnType<typeof at>) => [
    await ownerSecret(store, 'ada'),
    await webhookSecret(store, 'endpoint:1.1', 'salt', '1.1'),
  ];
  const before = await read(at(old));
  expect(before[0]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(new Set(before).size).toBe(2);
  // both peppers everywhere; then the new one first, with processes of the step before beside it
  expect(await read(at(old, fresh))).toEqual(before);
  expect(await read(at(fresh, old))).toEqual(before);
  expect(await resealSecrets(at(fresh, old))).toBe(2);
  expect(await resealSecrets(at(fresh, old))).toBe(0);
  expect(await read(at(old, fresh))).toEqual(before);
  // the old one is given up
  expect(await read(at(fresh))).toEqual(before);
  expect(await ownerSecret(at(fresh), 'grace')).not.toBe(await ownerSecret(at(fresh), 'ada'));
});

test('error: a secret under a pepper that is gone is said, and one under another name does not open', async () => {
  await using api = await testApi();
  const { db } = api.context;
  const store = { db, config: { KEY_PEPPER: old, KEY_PEPPER_OTHER: '' } };
  await ownerSecret(store, 'ada');
  const other = { db, config: { KEY_PEPPER: fresh, KEY_PEPPER_OTHER: '' } };
  await expect(ownerSecret(other, 'ada')).rejects.toMatchObject({
    code: 'invalid_configuration',
    details: { variable: 'KEY_PEPPER_OTHER' },
  });
  await db.query(sql.unsafe`update webhook_secrets set name = 'owner:eve'`);
  await expect(ownerSecret(store, 'eve')).rejects.toThrow(/authenticate/);
});

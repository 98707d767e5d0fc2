import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { endpointSecret } from '#src/governance/notifications/endpoints/endpoint-secret.ts';
import { keepSecrets } from '#src/governance/notifications/keep-secrets.ts';
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

test('a secret that a receiver may have and that nothing has used is kept in the first step already', async () => {
  await using api = await testApi();
  const { config, db } = api.context;
  const { headers } = await api.key({ owner: 'ada', scopes: ['jobs.manage'] });
  const payload = { url: 'https://example.com/', events: ['job.failed'] };
  const made = await api.app.inject({ method: 'POST', url: '/v1/webhook-endpoints', headers, payload });
  // as a release before left it, which derived secrets and kept none
  await db.query(sql.unsafe`delete from webhook_secrets`);
  const at = (KEY_PEPPER: string, KEY_PEPPER_OTHER = '') => ({
    db,
    config: { ...config, KEY_PEPPER, KEY_PEPPER_OTHER },
  });
  await keepSecrets(at(config.KEY_PEPPER, fresh));
  await keepSecrets(at(fresh, config.KEY_PEPPER));
  const { id, secret } = made.json();
  expect(await endpointSecret(at(fresh), { id, secretVersion: 1 })).toBe(secret);
  const before = await ownerSecret(at(fresh), 'ada');
  await db.query(sql.unsafe`delete from webhook_secrets`);
  expect(before).toBe(await ownerSecret(at(config.KEY_PEPPER), 'ada'));
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

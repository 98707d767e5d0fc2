import { expect, test } from 'vitest';
import { listKeys, revokeKey } from '#src/access/keys/keys.ts';
import { lesserKey } from '#src/access/keys/lesser-key.ts';
import type { Principal } from '#src/lib/principal.ts';
import { type TestApi, testApi } from '#test/http/api.ts';

const soon = new Date(Date.now() + 3_600_000);
const later = new Date(Date.now() + 7_200_000);

async function principalOf(api: TestApi, id: string): Promise<Principal> {
  const key = (await listKeys(api.context, null)).find((one) => one.id === id);
  if (!key) throw new Error('expected the key that was made, got none');
  return {
    owner: key.owner,
    keyId: key.id,
    scopes: key.scopes,
    operator: key.operator,
    human: key.human_id,
    session: null,
    tier: key.tier,
  };
}

test('a key makes keys that are at most what it is: scopes, time, addresses; never an operator', async () => {
  await using api = await testApi();
  const { id } = await api.key({
    scopes: ['platform.mcp.read', 'platform.mcp.execute'],
    expiresAt: soon,
    allowedIps: ['10.0.0.0/8', '2001:db8::/32'],
    operator: true,
    tier: 'high',
  });
  const principal = await principalOf(api, id);
  const make = async (more: object) =>
    (await lesserKey(api.context.db, api.context, principal, { name: 'n', ...more })).key;
  expect(await make({})).toMatchObject({
    owner: 'owner-1',
    scopes: principal.scopes,
    expires_at: soon,
    allowed_ips: ['10.0.0.0/8', '2001:db8::/32'],
    operator: false,
    tier: 'high',
    created_by_proof: false,
    made_by: id,
  });
  expect(await make({ allowedIps: ['10.1.0.0/16', '::ffff:10.2.0.0/112'] })).toMatchObject({
    allowed_ips: ['10.1.0.0/16', '10.2.0.0/16'],
  });
  const forbidden = [
    { scopes: ['studio.read'] },
    { expiresAt: later },
    { allowedIps: [] },
    { allowedIps: ['0.0.0.0/0'] },
    { allowedIps: ['10.0.0.0/7'] },
    { allowedIps: ['11.0.0.1'] },
    { allowedIps: ['::/0'] },
  ];
  for (const more of forbidden) await expect(make(more)).rejects.toMatchObject({ code: 'forbidden' });
  await revokeKey(api.context, id, null);
  await expect(make({})).rejects.toMatchObject({ code: 'unauthorized' });
});

test('a key is revoked by itself; not by strangers, nor without a key', async () => {
  await using api = await testApi();
  const [own, strangers] = [await api.key({ scopes: ['platform.mcp.read'] }), await api.key({ owner: 'stranger' })];
  const remove = async (id: string, headers: Record<string, string>) =>
    (await api.app.inject({ method: 'DELETE', url: `/api/v1/keys/${id}`, headers })).statusCode;
  expect(await remove(own.id, strangers.headers)).toBe(404);
  expect(await remove(strangers.id, own.headers)).toBe(404);
  expect(await remove(own.id, {})).toBe(401);
  expect(await remove(own.id, own.headers)).toBe(200);
  expect((await api.app.inject({ method: 'POST', url: '/api/v1/keys', headers: {}, body: {} })).statusCode).toBe(401);
});

import { expect, test } from 'vitest';
import type { Key } from '#src/access/keys/keys.ts';
import { keyTable } from '#src/commands/people/tables.ts';
import { scopes } from '#src/lib/principal.ts';

const key: Key = {
  id: '0198c0de-0000-7000-8000-000000000000',
  owner: 'desk-7',
  name: 'night runs',
  start: 'abcd',
  last4: 'wxyz',
  scopes: ['platform.mcp.read', 'platform.mcp.execute'],
  allowed_ips: ['10.0.0.0/8', '2001:db8::/32'],
  tier: 'standard',
  operator: true,
  human_id: null,
  created_by_proof: false,
  made_by: null,
  expires_at: new Date('2027-01-31T00:00:00Z'),
  revoked_at: null,
  last_used_at: null,
  created_at: new Date(0),
};

test('keys stand in columns below a heading, with the addresses they may be used from', () => {
  const free = { ...key, scopes: [], operator: false, allowed_ips: [], expires_at: null };
  const lines = keyTable([key, free], new Date('2026-11-21T00:00:00Z')).split('\n');
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
    ['id', 'key', 'state', 'owner', 'name', 'tier', 'expires', 'addresses', 'scopes'],
    [
      key.id,
      'abcd…wxyz',
      'active',
      'desk-7',
      'night runs',
      'standard',
      '2027-01-31T00:00:00.000Z',
      '10.0.0.0/8,2001:db8::/32',
      'platform.mcp.read,platform.mcp.execute,operator',
    ],
    [key.id, 'abcd…wxyz', 'active', 'desk-7', 'night runs', 'standard', 'never', 'any', 'none'],
  ]);
  const places = lines.map((line) => line.search(/(addresses|10\.0\.0\.0|any)/));
  expect(new Set(places).size).toBe(1);
});

test('every scope is shown by the word that asks for them', () => {
  expect(keyTable([{ ...key, scopes: [...scopes] }])).toMatch(/ {2}all,operator$/);
});

test('a key that was revoked or has expired says so; without keys there is the heading alone', () => {
  const after = new Date('2027-02-01T00:00:00Z');
  expect(keyTable([key], after)).toContain('  expired  ');
  expect(keyTable([{ ...key, revoked_at: new Date(0) }], after)).toContain('  revoked  ');
  expect(keyTable([])).toBe('id  key  state  owner  name  tier  expires  addresses  scopes');
});

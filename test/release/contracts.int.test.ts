import { expect, inject, test } from 'vitest';
import { testDatabase } from '#test/helpers/database.ts';
import { compareContracts } from './compare-contracts.ts';
import { frozenContracts } from './frozen-contracts.ts';
import { contractsAt } from './make-contracts.ts';

test('the contracts of the code are made whole, and what they take away of the last release is found', {
  timeout: 240_000,
}, async () => {
  await using database = await testDatabase();
  const now = await contractsAt(database.url, inject('redisUrl'));
  expect(now.commands['jobs list']?.options['--state']?.takesValue).toBe(true);
  expect(now.exports['@proofline/client']).toContain('createClient');
  expect(now.settings['DATABASE_URL']).toBeDefined();
  expect(Object.keys(now.tools).length).toBeGreaterThan(10);
  expect(compareContracts(now, now)).toEqual([]);
  const frozen = frozenContracts();
  // a release may take things away; no route, message or command goes without its being told
  const { 'GET /v1/jobs/{id}': _gone, ...operations } = now.operations;
  const told = compareContracts(frozen, { ...now, operations }).filter(({ says }) => says === 'is gone');
  expect(told.map(({ place }) => place)).toContain('GET /v1/jobs/{id}');
});

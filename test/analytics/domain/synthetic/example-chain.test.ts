import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generateChainCsv } from '#test/analytics/generate-chain.ts';

test('the example chain is what the generator writes, and says that it is synthetic', () => {
  const text = readFileSync(new URL('../../../../src/analytics/chains/example-chain.csv', import.meta.url), 'utf8');
  expect(text).toBe(generateChainCsv({ symbol: 'SPX', at: Date.parse('2026-11-20T18:30:00Z') }));
  expect(text.split('\n')[0]).toMatch(/synthetic/);
});

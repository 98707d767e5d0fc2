import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { offerOf } from '#src/mcp/offer.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/mcp.md'), 'utf8');

test('the page about machine clients names every tool, says how many there are, and which scopes they ask for', () => {
  const { tools } = offerOf(['missions', 'studio', 'platform', 'analytics']);
  expect(page).toContain(`There are ${tools.length} tools.`);
  expect(tools.map(({ name }) => name).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  const [, rules = ''] = page.split('## Who may do what');
  const scopes = new Set(tools.flatMap(({ scope }) => (scope?.startsWith('studio.') ? [] : (scope ?? []))));
  expect([...scopes].filter((scope) => !rules.includes(`\`${scope}\``))).toEqual([]);
});

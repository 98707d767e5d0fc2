import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');

test('the changelog begins with what is unreleased, then has dated versions, each with the known kinds of change', () => {
  const headings = [...changelog.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  const [first, ...released] = headings;
  expect(first).toBe('Unreleased');
  expect(released.length).toBeGreaterThan(0);
  for (const heading of released) expect(heading).toMatch(/^\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/);
  const kinds = [...changelog.matchAll(/^### (.+)$/gm)].map(([, kind = '']) => kind);
  expect(kinds.filter((kind) => !/^(Added|Changed|Deprecated|Removed|Fixed|Security)$/.test(kind))).toEqual([]);
});

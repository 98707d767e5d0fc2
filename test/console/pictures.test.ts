import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pictures } from './keep-pictures.ts';

const root = join(import.meta.dirname, '../..');

test('the page of the console shows what the tests of the console saw, and every picture is there', () => {
  const shown = [...readFileSync(join(root, 'docs/console.md'), 'utf8').matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(
    ([, path = '']) => path,
  );
  const seen = shown.filter((path) => path.startsWith('pictures/console/'));
  expect(seen.toSorted()).toEqual(
    Object.keys(pictures)
      .map((name) => `pictures/console/${name}`)
      .toSorted(),
  );
  expect(shown.filter((path) => !existsSync(join(root, 'docs', path)))).toEqual([]);
});

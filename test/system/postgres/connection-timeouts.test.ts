import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

test('no connection to Postgres is waited for without end: each that is opened has a time limit', () => {
  // programs of other tools are written as their users write them
  const exclude = ['bench/peers/programs/**'];
  const opened = globSync('{src,sql,workers,bench}/**/*.ts', { cwd: root, exclude }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/new (?:pg\.)?(?:Client|Pool)\((\{[^]*?\})\)/g)].map(
      ([, options]) => ({ file, limited: options?.includes('connectionTimeoutMillis') ?? false }),
    ),
  );
  expect(opened.length).toBeGreaterThan(5);
  expect(opened.filter(({ limited }) => !limited)).toEqual([]);
});

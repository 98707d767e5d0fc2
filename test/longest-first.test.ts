import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { LongestFirst, longest } from './longest-first.ts';

const root = join(import.meta.dirname, '..');

test('the long files are there, each named once', () => {
  expect(longest.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(new Set(longest).size).toBe(longest.length);
});

test('long files run before all others, in the order of the list', async () => {
  const [first = '', second = ''] = longest;
  const others = ['test/rooms.test.ts', 'test/words.test.ts'];
  const files = [...others, second, first].map(
    (file) => ({ moduleId: join(root, file), project }) as TestSpecification,
  );
  // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer’s own, which returns another array
  const sorted = await new LongestFirst(vitest).sort(files);
  expect(sorted.slice(0, 2).map(({ moduleId }) => moduleId)).toEqual([first, second].map((file) => join(root, file)));
  expect(sorted).toHaveLength(4);
});

/** As much of a run as the order asks. */
const project = {
  name: 'unit',
  config: { sequence: { groupOrder: 0 }, isolate: false },
} as TestSpecification['project'];
const vitest = { cache: { getTestSpecificationResult: () => undefined } } as unknown as Vitest;

import { expect, test } from 'vitest';
import { assurances, meets, withPresence } from '#src/access/humans/store/assurance.ts';

test('each level meets itself and those below it, and none above', () => {
  for (const [height, have] of assurances.entries()) {
    expect(assurances.map((need) => meets(have, need))).toEqual(assurances.map((_, index) => index <= height));
  }
});

test('presence raises a level and never lowers it', () => {
  expect(assurances.map(withPresence)).toEqual(['present', 'unique+present', 'present', 'unique+present']);
});

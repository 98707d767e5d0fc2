import { expect, test } from 'vitest';
import { groupAt } from '#src/jobs/submit/group-at.ts';

test.each([
  ['/customer', { customer: 'c-1' }, 'c-1'],
  ['/order/0/id', { order: [{ id: 12 }] }, '12'],
  ['/a~1b', { 'a/b': false }, 'false'],
  ['', 'whole', 'whole'],
  ['/customer', {}, null],
  ['/customer', { customer: null }, null],
  ['/customer', { customer: ['c-1'] }, null],
  ['/customer', { customer: '' }, null],
  ['/customer', { customer: 'x'.repeat(201) }, null],
  ['/toString', {}, null],
  [null, { customer: 'c-1' }, null],
])('at %s of %j is the group %s', (pointer, payload, group) => {
  expect(groupAt(pointer, payload)).toBe(group);
});

import { expect, test } from 'vitest';
import { childPlaceText } from '#src/lib/text/child-place.ts';

test('a child is named by its step, or by its node and its place there', () => {
  const place = { node: null, item: null, step: null };
  expect(childPlaceText(place)).toBe('');
  expect(childPlaceText({ ...place, step: 'resize' })).toBe('step resize');
  expect(childPlaceText({ ...place, node: 'double', item: 2 })).toBe('node double[2]');
  expect(childPlaceText({ ...place, node: 'double', item: 2, jobs: 5 })).toBe('node double[2], one of 5');
  expect(childPlaceText({ ...place, node: 'count', item: 0, jobs: 1 })).toBe('node count');
  expect(childPlaceText({ ...place, node: 'double', jobs: 5 })).toBe('node double, before a redrive');
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openWidth } from '#src/jobs/feed/window-width.ts';

/** A window beside workers that take `perMs`, looked at every `everyMs` and fed when half is gone; answers widths and dry looks. */
function follow(perMs: number, everyMs: number, capacity: number, looks: number) {
  const width = openWidth();
  const widths: number[] = [];
  const dry: boolean[] = [];
  let carried = 0;
  for (let n = 0, at = 0; n < looks; n++, at += everyMs) {
    const left = carried - perMs * everyMs;
    dry.push(left < 0);
    carried = Math.max(0, left);
    const most = width.at(at, carried, capacity);
    widths.push(most);
    if (carried > most / 2) continue;
    width.fed(most - carried);
    carried = most;
  }
  return { widths, dry };
}

test('a window that ran dry widens until workers that take more no longer wait for the feeder', () => {
  // 6,000 a second, looked at every 100 ms: twice 200 would last for 67
  const { widths, dry } = follow(6, 100, 200, 100);
  expect(dry.slice(1, 4)).toContain(true);
  expect(dry.slice(-50)).not.toContain(true);
  expect(widths.at(-1)).toBeGreaterThan(1_200);
});

test('a window is narrow while workers take little, and narrows again after they took much', () => {
  expect(follow(0.1, 10, 200, 200).widths.at(-1)).toBe(400);
  expect(follow(0, 10, 0, 20).widths.at(-1)).toBe(64);
  const width = openWidth();
  for (let at = 0; at < 5_000; at += 100) {
    width.at(at, 0, 200);
    width.fed(600);
  }
  expect(width.at(5_000, 0, 200)).toBeGreaterThan(1_000);
  for (let at = 5_100; at < 10_000; at += 100) width.at(at, 0, 200);
  expect(width.at(10_000, 0, 200)).toBe(400);
});

test('a window is widened as well where many lines share the feeder', () => {
  expect(follow(1, 1_000, 200, 100).dry.slice(-50)).not.toContain(true);
});

test('a window that nothing leaves stays as narrow as it is, half full or not', () => {
  const width = openWidth();
  for (let at = 0; at < 5_000; at += 10) {
    expect(width.at(at, 150, 200)).toBe(400);
    width.fed(0);
  }
});

test('whatever is taken and fed, a window is at least twice what workers hold, and bounded by it', () => {
  const looks = fc.array(fc.record({ passed: fc.nat(5_000), carried: fc.nat(1_000_000), fed: fc.nat(1_000_000) }));
  fc.assert(
    fc.property(looks, fc.nat(10_000), (list, capacity) => {
      const width = openWidth();
      let at = 0;
      for (const { passed, carried, fed } of list) {
        at += passed;
        const most = width.at(at, carried, capacity);
        expect(most).toBeGreaterThanOrEqual(Math.max(64, 2 * capacity));
        expect(most).toBeLessThanOrEqual(Math.max(64, 32 * capacity));
        width.fed(fed);
      }
    }),
  );
});

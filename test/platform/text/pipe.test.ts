import { expect, test } from 'vitest';
import { openPipe } from '#src/platform/text/pipe.ts';

test('values come in order, then the end or its error', async () => {
  const pipe = openPipe<number>(() => {});
  void pipe.push([1]);
  await pipe.opened();
  void pipe.push([2, 3]);
  pipe.end(new Error('broke off'));
  const read: number[] = [];
  const reading = (async () => {
    for await (const values of pipe.values) read.push(...values);
  })();
  await expect(reading).rejects.toThrow('broke off');
  expect(read).toEqual([1, 2, 3]);
  await expect(openPipeThatEnds().opened()).rejects.toThrow('at once');
});

function openPipeThatEnds() {
  const pipe = openPipe<number>(() => {});
  pipe.end(new Error('at once'));
  return pipe;
}

test('who writes faster than is read waits, and goes on when the reader leaves', async () => {
  let left = 0;
  const pipe = openPipe<number>(() => left++);
  let written = 0;
  const writing = (async () => {
    for (; written < 2_000; written++) await pipe.push([written]);
  })();
  await pipe.opened();
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toBeLessThan(2_000);
  for await (const values of pipe.values) if (values.includes(300)) break;
  await writing;
  expect([written, left]).toEqual([2_000, 1]);
});

test('a whole answer goes through at once, however many pieces it has', async () => {
  const pipe = openPipe<number>(() => {});
  const many = Array.from({ length: 500_000 }, (_, n) => n);
  const pushed = pipe.push(many);
  pipe.end();
  let read = 0;
  for await (const values of pipe.values) read += values.length;
  await pushed;
  expect(read).toBe(many.length);
});

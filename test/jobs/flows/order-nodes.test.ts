import { expect, test } from 'vitest';
import { orderNodes } from '#src/jobs/flows/order-nodes.ts';

const node = (n: number, others: readonly number[]) => ({
  name: `n${n}`,
  queue: 'acme.take-any',
  payload: null,
  depends_on: others.map((other) => `n${other}`),
});
const before = (n: number, most: number) => Array.from({ length: Math.min(n, most) }, (_, k) => n - 1 - k);

test('nodes in reverse order are put behind what they depend on', () => {
  const nodes = Array.from({ length: 1_000 }, (_, n) => node(n, before(n, 90))).toReversed();
  const ordered = orderNodes(nodes).map(({ node: { name } }) => name);
  expect(ordered).toEqual(nodes.map(({ name }) => name).toReversed());
});

test('error: more dependencies than a flow may have are refused, and a circle is named', () => {
  const all = Array.from({ length: 1_000 }, (_, n) => node(n, before(n, 1_000)));
  expect(() => orderNodes(all)).toThrow('body.nodes: expected at most 100000 dependencies in all, got 499500.');
  const circle = [node(0, [1]), node(1, [2]), node(2, [1]), node(3, [])];
  expect(() => orderNodes(circle)).toThrow('got n1 -> n2 -> n1');
});

import { expect, test } from 'vitest';
import { box, layoutNodes } from '#console/pages/flow/layout-nodes.ts';

const node = (name: string, ...others: string[]) => ({ name, depends_on: others });

test('a node stands right of all that it comes after, and no two in the same place', () => {
  const nodes = [node('a'), node('b'), node('c', 'a', 'b'), node('d', 'a'), node('e', 'c', 'a')];
  const { boxes, width, height } = layoutNodes(nodes);
  const at = new Map(boxes.map((one) => [one.name, one]));
  for (const { name, depends_on: others } of nodes)
    for (const other of others) expect(at.get(name)!.x).toBeGreaterThanOrEqual(at.get(other)!.x + box.width + box.gapX);
  expect(new Set(boxes.map(({ x, y }) => `${x} ${y}`)).size).toBe(nodes.length);
  for (const { x, y } of boxes) expect([x + box.width <= width, y + box.height <= height]).toEqual([true, true]);
});

/** A node and those that it comes after. */
interface Placeable {
  readonly name: string;
  readonly depends_on: readonly string[];
}

/** A box of the drawing, in its units. */
export interface Box {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** Nodes in columns from left to right, each behind all that it comes after, and the size of the drawing. */
export interface Layout {
  readonly boxes: readonly Box[];
  readonly width: number;
  readonly height: number;
}

export const box = { width: 190, height: 58, gapX: 64, gapY: 18 };
const MARGIN = 6;

/** Lays out nodes, which come in an order in which they may run. */
export function layoutNodes(nodes: readonly Placeable[]): Layout {
  const columns = new Map<string, number>();
  const places = new Map<string, number>();
  const heights: number[] = [];
  for (const { name, depends_on: others } of nodes) {
    const column = others.length === 0 ? 0 : Math.max(...others.map((other) => columns.get(other) ?? 0)) + 1;
    const before = others.map((other) => places.get(other) ?? 0);
    // no higher than the middle of what it comes after, so that edges cross less
    const wish = before.length === 0 ? 0 : Math.floor(before.reduce((sum, one) => sum + one, 0) / before.length);
    const place = Math.max(heights[column] ?? 0, wish);
    columns.set(name, column);
    places.set(name, place);
    heights[column] = place + 1;
  }
  const boxes = nodes.map(({ name }) => ({
    name,
    x: MARGIN + (columns.get(name) ?? 0) * (box.width + box.gapX),
    y: MARGIN + (places.get(name) ?? 0) * (box.height + box.gapY),
  }));
  return {
    boxes,
    width: Math.max(0, ...boxes.map(({ x }) => x)) + box.width + MARGIN,
    height: Math.max(0, ...boxes.map(({ y }) => y)) + box.height + MARGIN,
  };
}

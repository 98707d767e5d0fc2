import { dirname } from 'node:path';
import type { Import } from './imports.ts';

/** Folders that import each other in a circle, each with the imports that close it. */
export interface Circle {
  readonly folders: readonly string[];
  readonly imports: readonly string[];
}

/**
 * Finds the circles among the folders of the files that import each other (Tarjan's strongly connected components).
 *
 * @param roomOf what stands in the circle for a file: its folder, or itself
 */
export function circlesOf(imports: readonly Import[], roomOf: (file: string) => string = dirname): readonly Circle[] {
  const arrows = new Map<string, Set<string>>();
  const within = imports.flatMap(({ from, to }) => (to === undefined ? [] : [{ from, to }]));
  for (const { from, to } of within) {
    const [start, end] = [roomOf(from), roomOf(to)];
    if (start !== end) arrows.set(start, (arrows.get(start) ?? new Set()).add(end));
  }
  return components(arrows)
    .filter((folders) => folders.length > 1)
    .map((folders) => ({
      folders: folders.toSorted(),
      imports: within
        .filter(({ from, to }) => roomOf(from) !== roomOf(to))
        .filter(({ from, to }) => folders.includes(roomOf(from)) && folders.includes(roomOf(to)))
        .map(({ from, to }) => `${from} → ${to}`),
    }));
}

function components(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const visit = (node: string): void => {
    const index = order.size;
    order.set(node, index);
    lowest.set(node, index);
    open.push(node);
    for (const next of arrows.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (open.includes(next)) lowest.set(node, Math.min(lowest.get(node) ?? 0, lowest.get(next) ?? 0));
    }
    if (lowest.get(node) === index) found.push(open.splice(open.indexOf(node)));
  };
  for (const node of arrows.keys()) if (!order.has(node)) visit(node);
  return found;
}

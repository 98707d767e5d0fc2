import type { NodeBody } from '#queues/flows.ts';
import { placesIn } from './references.ts';
import { wrong } from './wrong.ts';

/** A node with all that it depends on: what it says, and what it refers to. */
export interface OrderedNode {
  readonly node: NodeBody;
  readonly dependsOn: readonly string[];
}

/** Dependencies of the nodes of one flow in all. */
const MOST_EDGES = 100_000;

/**
 * Puts nodes into an order in which each comes after those that it depends on.
 *
 * @throws AppError `invalid_request` for a name that comes twice or is no node's, and for a circle, which it names, and for too many
 *   dependencies in all
 */
export function orderNodes(nodes: readonly NodeBody[]): readonly OrderedNode[] {
  const names = new Set<string>();
  for (const [index, { name }] of nodes.entries()) {
    if (names.has(name)) throw wrong(`nodes.${index}.name`, `a name of its own, got ${name} again`);
    names.add(name);
  }
  const all = nodes.map((node, index) => ({ node, dependsOn: dependenciesOf(node, index, names) }));
  const edges = all.reduce((sum, { dependsOn }) => sum + dependsOn.length, 0);
  if (edges > MOST_EDGES) throw wrong('nodes', `at most ${MOST_EDGES} dependencies in all, got ${edges}`);
  return sorted(all);
}

/** Sorts by the number of dependencies that are not yet in the order (Kahn): linear in nodes and dependencies. */
function sorted(all: readonly OrderedNode[]): readonly OrderedNode[] {
  const missing = new Map(all.map(({ node, dependsOn }) => [node.name, dependsOn.length]));
  const dependents = new Map<string, OrderedNode[]>(all.map(({ node }) => [node.name, []]));
  for (const one of all) for (const name of one.dependsOn) dependents.get(name)?.push(one);
  const ordered = all.filter(({ dependsOn }) => dependsOn.length === 0);
  // grows while it is walked
  for (const { node } of ordered)
    for (const dependent of dependents.get(node.name) ?? []) {
      const { name } = dependent.node;
      const left = (missing.get(name) ?? 0) - 1;
      missing.set(name, left);
      if (left === 0) ordered.push(dependent);
    }
  if (ordered.length === all.length) return ordered;
  const done = new Set(ordered.map(({ node }) => node.name));
  throw wrong('nodes', `nodes without a circle, got ${circleIn(all.filter(({ node }) => !done.has(node.name)))}`);
}

function dependenciesOf(
  { payload, for_each: each, depends_on: said = [] }: NodeBody,
  index: number,
  names: ReadonlySet<string>,
): readonly string[] {
  const referred = placesIn(payload).flatMap((place) => (place.kind === 'from' ? [place] : []));
  for (const { node, at } of referred) assertNode(names, node, `nodes.${index}.payload${at}`);
  for (const [at, name] of said.entries()) assertNode(names, name, `nodes.${index}.depends_on.${at}`);
  if (each) assertNode(names, each.$from, `nodes.${index}.for_each.$from`);
  return [...new Set([...said, ...referred.map(({ node }) => node), ...(each ? [each.$from] : [])])];
}

/** @throws AppError `invalid_request` for a name that no node has */
export function assertNode(names: Pick<ReadonlySet<string>, 'has'>, name: string, field: string): void {
  if (!names.has(name)) throw wrong(field, `the name of a node of the flow, got ${JSON.stringify(name.slice(0, 80))}`);
}

/** One circle among nodes each of which depends on another of them, such as `a -> b -> a`. */
function circleIn(rest: readonly OrderedNode[]): string {
  const waiting = new Map(rest.map(({ node, dependsOn }) => [node.name, dependsOn]));
  const seen = new Set<string>();
  let name = rest[0]?.node.name ?? '';
  while (!seen.has(name)) {
    seen.add(name);
    name = waiting.get(name)?.find((one) => waiting.has(one)) ?? '';
  }
  const path = [...seen];
  return [...path.slice(path.indexOf(name)), name].join(' -> ');
}

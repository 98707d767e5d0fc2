import type { NodeBody } from '#queues/flows.ts';
import { AppError } from '#src/lib/errors.ts';
import { placesIn } from './references.ts';

/** A node with all that it depends on: what it says, and what it refers to. */
export interface OrderedNode {
  readonly node: NodeBody;
  readonly dependsOn: readonly string[];
}

/**
 * Puts nodes into an order in which each comes after those that it depends on.
 *
 * @throws AppError `invalid_request` for a name that comes twice or is no node's, and for a circle, which it names
 */
export function orderNodes(nodes: readonly NodeBody[]): readonly OrderedNode[] {
  const names = new Set<string>();
  for (const [index, { name }] of nodes.entries()) {
    if (names.has(name)) throw wrong(`nodes.${index}.name`, `a name of its own, got ${name} again`);
    names.add(name);
  }
  const all = nodes.map((node, index) => ({ node, dependsOn: dependenciesOf(node, index, names) }));
  const ordered: OrderedNode[] = [];
  const done = new Set<string>();
  let rest = all;
  while (rest.length > 0) {
    const ready = rest.filter(({ dependsOn }) => dependsOn.every((name) => done.has(name)));
    if (ready.length === 0) throw wrong('nodes', `nodes without a circle, got ${circleIn(rest)}`);
    ordered.push(...ready);
    for (const { node } of ready) done.add(node.name);
    rest = rest.filter(({ node }) => !done.has(node.name));
  }
  return ordered;
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
export function assertNode(names: ReadonlySet<string>, name: string, field: string): void {
  if (!names.has(name)) throw wrong(field, `the name of a node of the flow, got ${JSON.stringify(name.slice(0, 80))}`);
}

/** One circle among nodes each of which depends on another of them, such as `a -> b -> a`. */
function circleIn(rest: readonly OrderedNode[]): string {
  const waiting = new Map(rest.map(({ node, dependsOn }) => [node.name, dependsOn]));
  const path: string[] = [];
  let name = rest[0]?.node.name ?? '';
  while (!path.includes(name)) {
    path.push(name);
    name = waiting.get(name)?.find((one) => waiting.has(one)) ?? '';
  }
  return [...path.slice(path.indexOf(name)), name].join(' -> ');
}

/** The refusal of a flow, with the place of what is wrong in the request's body. */
export function wrong(field: string, expected: string): AppError {
  return new AppError('invalid_request', `body.${field}: expected ${expected}.`, { field: `body.${field}` });
}

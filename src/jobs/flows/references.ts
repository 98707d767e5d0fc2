import type { Reference } from '#queues/flows.ts';
import { atPointer } from '#src/lib/json-pointer.ts';

/** A place in a payload that is filled in later. */
export type Place =
  | { readonly kind: 'from'; readonly node: string; readonly path: string; readonly at: string }
  | { readonly kind: 'item'; readonly path: string; readonly at: string };

/** Values that references are filled in from. */
export interface Values {
  /** Results of nodes by their names. */
  readonly results: ReadonlyMap<string, unknown>;
  readonly item?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isReference = (value: unknown): value is Reference => isObject(value) && typeof value['$from'] === 'string';

const isItem = (value: unknown): value is { readonly $item: string } =>
  isObject(value) && typeof value['$item'] === 'string';

/** Lists the references in a payload, or in the result of a flow, each with the JSON pointer of its place. */
export function placesIn(template: unknown, at = ''): readonly Place[] {
  if (isReference(template)) return [{ kind: 'from', node: template.$from, path: template.path ?? '', at }];
  if (isItem(template)) return [{ kind: 'item', path: template.$item, at }];
  if (typeof template !== 'object' || template === null) return [];
  return Object.entries(template).flatMap(([name, value]) =>
    placesIn(value, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

/** Fills in the references of a payload; a place that is not there gives null. */
export function fillIn(template: unknown, values: Values): unknown {
  if (isReference(template)) return atPointer(values.results.get(template.$from), template.path ?? '') ?? null;
  if (isItem(template)) return atPointer(values.item, template.$item) ?? null;
  if (Array.isArray(template)) return template.map((one) => fillIn(one, values));
  if (!isObject(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fillIn(value, values)]));
}

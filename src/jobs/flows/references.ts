import Type from 'typebox';
import { Reference } from '#queues/flows.ts';
import { misfit } from '#queues/misfit.ts';
import type { AppError } from '#src/lib/errors.ts';
import { atPointer, escapeStep } from '#src/lib/json-pointer.ts';
import { wrong } from './wrong.ts';

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

/** Stands for the value in it as it is, such as one with a member `$from` of its own. */
const isLiteral = (value: unknown): value is { readonly $literal: unknown } =>
  isObject(value) && Object.hasOwn(value, '$literal') && Object.keys(value).length === 1;

const step = (name: string) => `/${escapeStep(name)}`;

/** Lists the references in a payload, or in the result of a flow, each with the JSON pointer of its place. */
export function placesIn(template: unknown, at = ''): readonly Place[] {
  const places: Place[] = [];
  collect(template, at, places);
  return places;
}

function collect(template: unknown, at: string, places: Place[]): void {
  if (typeof template !== 'object' || template === null || isLiteral(template)) return;
  if (isReference(template)) places.push({ kind: 'from', node: template.$from, path: template.path ?? '', at });
  else if (isItem(template)) places.push({ kind: 'item', path: template.$item, at });
  else for (const [name, value] of Object.entries(template)) collect(value, at + step(name), places);
}

const Item = Type.Object({ $item: Type.String({ ...Reference.properties.path }) }, { additionalProperties: false });

/**
 * Checks that every object with `$from`, `$item` or `$literal` is a whole reference or literal: a misspelt one would
 * otherwise stand for something else, or for itself.
 *
 * @throws AppError `invalid_request` with the place
 */
export function assertReferences(template: unknown, field: string): void {
  if (typeof template !== 'object' || template === null || isLiteral(template)) return;
  if (isObject(template)) {
    const has = (name: string) => Object.hasOwn(template, name);
    const schema = has('$from') ? Reference : has('$item') ? Item : null;
    const fault = schema && misfit(schema, template);
    if (fault)
      throw notReference(
        field + fault.path,
        fault.message === 'schema is false' ? 'this is no member of any' : fault.message,
      );
    if (schema) return;
    if (has('$literal')) throw notReference(field, 'must not have members beside $literal');
  }
  for (const [name, value] of Object.entries(template)) assertReferences(value, field + step(name));
}

function notReference(field: string, why: string): AppError {
  return wrong(
    field,
    `{"$from": "node", "path": "/place"}, {"$item": "/place"}, or {"$literal": value} for a value that only looks like one of them; ${why}`,
  );
}

/** Returns a payload as its contract sees it, in which references stand for themselves. */
export function withoutLiterals(template: unknown): unknown {
  if (isReference(template) || isItem(template)) return template;
  return mapParts(template, withoutLiterals);
}

/** Maps the parts of a value of which none is a reference itself. */
function mapParts(template: unknown, map: (part: unknown) => unknown): unknown {
  if (isLiteral(template)) return template.$literal;
  if (Array.isArray(template)) return template.map(map);
  if (!isObject(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, map(value)]));
}

/** Fills in the references of a payload; a place that is not there gives null. */
export function fillIn(template: unknown, values: Values): unknown {
  if (isReference(template)) return atPointer(values.results.get(template.$from), template.path ?? '') ?? null;
  if (isItem(template)) return atPointer(values.item, template.$item) ?? null;
  return mapParts(template, (part) => fillIn(part, values));
}

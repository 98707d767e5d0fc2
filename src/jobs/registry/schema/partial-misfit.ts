import type { TSchema } from 'typebox';
import type { Misfit } from '#queues/misfit.ts';
import { foreignErrors } from './foreign-check.ts';
import type { ForeignSchema } from './keywords.ts';

/** Keywords that a value fits or not by the values in it, and not by their names, number and types alone. */
const byContent = new Set(
  'anyOf oneOf not if const enum contains uniqueItems unevaluatedProperties unevaluatedItems dependentSchemas'.split(
    ' ',
  ),
);
/** Keywords of them whose one error stands for others, in the parts of the schema that it combines. */
const combining = new Set(['anyOf', 'oneOf', 'not', 'if', 'contains', 'dependentSchemas']);

/**
 * Finds the first thing of a payload that cannot fit a schema, whatever the references at `unknown` places stand for; null
 * where there is none. Lenient where that may depend on them: the payload is checked again once they are known.
 */
export function partialMisfit(schema: TSchema, payload: unknown, unknown: readonly string[]): Misfit | null {
  const hidden = new Set(unknown);
  const above = new Set(unknown.flatMap((at) => [...parentsOf(at), at]));
  const errors = foreignErrors(schema as ForeignSchema, payload);
  const open = new Set(
    errors.filter(({ keyword, path }) => combining.has(keyword) && above.has(path)).map(({ path }) => path),
  );
  const isOpen = (path: string) => [path, ...parentsOf(path)].some((at) => hidden.has(at) || open.has(at));
  const found = errors.find(({ keyword, path }) => !isOpen(path) && !(byContent.has(keyword) && above.has(path)));
  return found ? { path: found.path, message: found.message } : null;
}

/** JSON pointers of all that a place is in, the nearest first. */
function parentsOf(at: string): readonly string[] {
  const parents: string[] = [];
  for (let end = at.lastIndexOf('/'); end >= 0; end = at.lastIndexOf('/', end - 1)) {
    parents.push(at.slice(0, end));
    if (end === 0) break;
  }
  return parents;
}

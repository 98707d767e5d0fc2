import { isDeepStrictEqual } from 'node:util';
import { type Comparison, sizeOf, take } from './comparison.ts';
import { at, type ContractFault } from './contract-fault.ts';
import { follow } from './follow.ts';
import { type ForeignSchema, inPlace, isRecord } from './keywords.ts';

/** Keywords whose schemas may refuse more where they take more. */
const reversing = new Set(['not', 'if', 'oneOf', 'contains']);
const rests = ['unevaluatedProperties', 'unevaluatedItems'];
/** Keywords that hold values, which may look like schemas. */
const values = new Set(['const', 'enum']);

/**
 * Finds a reference by which a schema that takes more makes one that takes less: one below `not`, or beside
 * `unevaluatedProperties`. What it names has to stay as it was.
 *
 * Both are plain schemas.
 *
 * @param path JSON pointer of the later schema in its contract
 */
export function referenceFault(
  comparison: Comparison,
  earlier: unknown,
  later: unknown,
  path: string,
): ContractFault | null {
  const done = new Set<unknown>();
  const find = (part: unknown, where: string, isFixed: boolean): ContractFault | null => {
    take(comparison, 1, where);
    if (Array.isArray(part)) return first(part, (one, index) => find(one, at(where, index), isFixed));
    if (!isRecord(part)) return null;
    return first(Object.entries(part), ([name, value]) => {
      if (values.has(name)) return null;
      // what they look at is no rest for an `unevaluated` keyword beside them
      const isFixedHere = isFixed || reversing.has(name) || (hasRest(part) && inPlace.has(name));
      const here = at(where, name);
      if (name !== '$ref' || typeof value !== 'string') return find(value, here, isFixedHere);
      if (!isFixedHere || done.has(value)) return null;
      done.add(value);
      const named = follow(later, value);
      take(comparison, 2 * sizeOf(named), here);
      if (isDeepStrictEqual(follow(earlier, value), named)) return find(named, at(path, value), true);
      return { path: here, message: `expected ${value} as it was, since what takes more there takes less here` };
    });
  };
  return find(later, path, false);
}

const hasRest = (part: ForeignSchema) => rests.some((name) => Object.hasOwn(part, name));

function first<T>(list: readonly T[], find: (one: T, index: number) => ContractFault | null): ContractFault | null {
  for (const [index, one] of list.entries()) {
    const fault = find(one, index);
    if (fault) return fault;
  }
  return null;
}

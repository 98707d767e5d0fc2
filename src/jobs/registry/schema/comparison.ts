import { compileCost } from './compile-cost.ts';
import { type Evaluations, foreignMisfit } from './foreign-check.ts';
import type { ForeignSchema } from './keywords.ts';

/**
 * Steps that all comparisons of one change of a contract may take: parts of schemas that are compared, and evaluations of
 * values that are checked. About 0.05 s of CPU (measured on two slow cores).
 */
export const MOST_STEPS = 150_000;
/** Steps for one unit of compiling a schema. */
const COMPILED = 15;

/** Steps that are left for a change. */
export type Comparison = Evaluations;

export const beginComparison = (): Comparison => ({ left: MOST_STEPS });

/** The steps of a change are used up. */
export class ComparisonTooLong extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`the comparison ended at ${path}`);
    this.path = path;
  }
}

/** Takes steps for something that is done at a place. @throws ComparisonTooLong where there are no more */
export function take(comparison: Comparison, steps: number, path: string): void {
  comparison.left -= steps;
  if (comparison.left <= 0) throw new ComparisonTooLong(path);
}

const sizes = new WeakMap<object, number>();

/** Counts what a comparison of JSON with its like looks at: its members and items, and a part for every 64 characters. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 1 + value.length / 64;
  if (typeof value !== 'object' || value === null) return 1;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const size = Object.entries(value).reduce((sum, [name, one]) => sum + name.length / 64 + sizeOf(one), 1);
  sizes.set(value, size);
  return size;
}

/**
 * Returns a check for whether a part of a schema may take a value: false where it certainly does not. One that refers
 * elsewhere cannot be checked alone.
 *
 * @throws ComparisonTooLong
 */
export function mayTake(comparison: Comparison, part: ForeignSchema, path: string): (value: unknown) => boolean {
  take(comparison, sizeOf(part), path);
  if (JSON.stringify(part).includes('"$ref"')) return () => true;
  let isCompiled = false;
  return (value) => {
    if (!isCompiled) take(comparison, COMPILED * compileCost(part), path);
    isCompiled = true;
    const isTaken = foreignMisfit(part, value, comparison) === null;
    // one that is taken decides; one that is not may have been given up
    if (!isTaken) take(comparison, 1 + sizeOf(value), path);
    return isTaken;
  };
}

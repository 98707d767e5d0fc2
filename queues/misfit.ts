import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

const checks = new WeakMap<TSchema, ReturnType<typeof Compile>>();

export interface Misfit {
  /** JSON pointer of what is wrong. */
  readonly path: string;
  readonly message: string;
}

/** Finds the first part of a value that does not fit a schema; null when all of it fits. */
export function misfit(schema: TSchema, value: unknown): Misfit | null {
  let check = checks.get(schema);
  if (!check) {
    check = Compile(schema);
    checks.set(schema, check);
  }
  if (check.Check(value)) return null;
  const [first] = check.Errors(value);
  return { path: first?.instancePath ?? '', message: first?.message ?? 'is wrong' };
}

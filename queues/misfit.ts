import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

const checks = new WeakMap<TSchema, (value: unknown) => Misfit | null>();

export interface Misfit {
  /** JSON pointer of what is wrong. */
  readonly path: string;
  readonly message: string;
}

/** Has values checked against a schema by something else than its compiled form. */
export function checkWith(schema: TSchema, check: (value: unknown) => Misfit | null): void {
  checks.set(schema, check);
}

/** Finds the first thing of a value that does not fit a schema; null when all of it fits. */
export function misfit(schema: TSchema, value: unknown): Misfit | null {
  let check = checks.get(schema);
  if (!check) {
    check = compiled(schema);
    checks.set(schema, check);
  }
  return check(value);
}

function compiled(schema: TSchema): (value: unknown) => Misfit | null {
  const checker = Compile(schema);
  return (value) => {
    if (checker.Check(value)) return null;
    const [first] = checker.Errors(value);
    return { path: first?.instancePath ?? '', message: first?.message ?? 'is wrong' };
  };
}

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import Format from 'typebox/format';
import { isInstant } from '#src/lib/validation/instant.ts';

// one and the same instant in bodies, in lines of many, over sockets and in stored payloads
Format.Set('date-time', isInstant);

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
    const [first, ...others] = checker.Errors(value);
    if (!first) return { path: '', message: 'is wrong' };
    const isUnion = [first, ...others].some(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
    // of a union the branch that the value goes deepest into is the one that was meant
    const depth = ({ instancePath }: typeof first) => instancePath.split('/').length;
    const clearest = isUnion ? others.reduce((best, one) => (depth(one) > depth(best) ? one : best), first) : first;
    return { path: clearest.instancePath, message: clearest.message };
  };
}

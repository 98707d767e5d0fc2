import { readDecimal } from '#src/lib/decimal.ts';
import { escapeStep } from '#src/lib/json-pointer.ts';
import type { AjvError } from './describe-validation.ts';

interface Shape {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
}

type NumberType = 'integer' | 'number';

/**
 * Finds the first parameter whose text would be converted to a number that it does not write in decimal: one that is not
 * finite (which no minimum or maximum would see), a whole number that is not exact (beyond 2^53 - 1), hexadecimal, blanks.
 * Text that no conversion takes for a number is left to the schema.
 *
 * @param schema of a path, a query or headers: an object of texts and lists of texts
 * @returns the search, which gives null where all is well
 */
export function findWrongNumber(schema: object): (data: unknown) => AjvError | null {
  const types = Object.entries((schema as Shape).properties ?? {}).flatMap(([name, shape]) => {
    const type = numberType(shape);
    return type === null ? [] : [[name, type] as const];
  });
  return (data) => {
    for (const [name, type] of types) {
      const value = (data as Readonly<Record<string, unknown>>)[name];
      const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
      const at = texts.findIndex((text) => typeof text === 'string' && isWrong(text, type));
      if (at < 0) continue;
      const instancePath = `/${escapeStep(name)}${Array.isArray(value) ? `/${at}` : ''}`;
      return { keyword: 'decimal', instancePath, params: { type }, data: texts[at] };
    }
    return null;
  };
}

function isWrong(text: string, type: NumberType): boolean {
  if (text === '' || Number.isNaN(Number(text))) return false;
  const value = readDecimal(text);
  if (value === null) return true;
  return type === 'integer' && Number.isInteger(value) && !Number.isSafeInteger(value);
}

/**
 * Returns the kind of number that a parameter, or an item of a list, wants; null where it may be any text, or wants no
 * number.
 */
function numberType(shape: Shape): NumberType | null {
  const branches = shape.anyOf ?? shape.oneOf;
  if (branches) {
    if (branches.some(isAnyText)) return null;
    return branches.map(numberType).find((type) => type !== null) ?? null;
  }
  if (shape.items) return numberType(shape.items);
  const types = [shape.type ?? typeof (shape.const ?? shape.enum?.[0])].flat();
  if (types.includes('string') && shape.enum === undefined) return null;
  return types.includes('number') ? 'number' : types.includes('integer') ? 'integer' : null;
}

function isAnyText({ type, const: only, enum: words }: Shape): boolean {
  return [type].flat().includes('string') && only === undefined && words === undefined;
}

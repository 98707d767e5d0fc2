import type { FromSchema } from './infer-schema.ts';

/** Schema of a library that keeps the Standard Schema convention: zod, ArkType, Valibot and others. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: number;
    readonly vendor: string;
    readonly validate?: (value: unknown) => Validated<Output> | Promise<Validated<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
      readonly output: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
    };
  };
}

type Validated<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Schema of a payload, a result or of progress: JSON Schema 2020-12 as TypeBox makes it or by hand, or a library's. */
export type Schema = object | boolean;

/** Value that goes into a schema: the payload of a submit, the result that a run returns. */
export type InputOf<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? Exclude<T, undefined> extends { readonly input: infer I }
    ? I
    : unknown
  : FromSchema<S>;

/** Value that comes out of a schema: the payload that a run gets, the result that a caller reads. */
export type OutputOf<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? Exclude<T, undefined> extends { readonly output: infer O }
    ? O
    : unknown
  : FromSchema<S>;

/**
 * JSON Schema of one side of a schema, for a contract.
 *
 * @param place names the schema in errors, such as `payload of acme.resize-image`
 * @throws TypeError for a schema of a library that cannot say its JSON Schema
 */
export function jsonSchemaOf(schema: Schema, side: 'input' | 'output', place: string): unknown {
  if (!isStandard(schema)) return schema;
  const { vendor, jsonSchema } = schema['~standard'];
  try {
    if (jsonSchema) return jsonSchema[side]({ target: 'draft-2020-12' });
    const { toJSONSchema: convert } = schema as { toJSONSchema?: unknown };
    if (typeof convert === 'function') return convert.call(schema, { io: side }) as unknown;
  } catch (cause) {
    throw new TypeError(`${place}: ${vendor} cannot say it as JSON Schema (${messageOf(cause)}).`, { cause });
  }
  throw new TypeError(
    `${place}: expected JSON Schema, or a schema that can say its JSON Schema, got one of ${vendor} that cannot; give its JSON Schema instead.`,
  );
}

/**
 * Checks a value by the schema of a library, and gives it as that schema makes it: with defaults, transformed. JSON
 * Schema is checked by the server alone, and its values stay as they are.
 *
 * @returns the value, or the faults in a sentence
 */
export async function passThrough(
  schema: Schema,
  value: unknown,
): Promise<{ readonly value: unknown } | { readonly fault: string }> {
  const validate = isStandard(schema) ? schema['~standard'].validate : undefined;
  if (!validate) return { value };
  const checked = await validate(value);
  if (checked.issues === undefined) return { value: checked.value };
  return { fault: checked.issues.map(sentenceOf).join('; ') };
}

function isStandard(schema: Schema): schema is StandardSchema {
  // ArkType's are functions
  return (typeof schema === 'object' || typeof schema === 'function') && '~standard' in schema;
}

function sentenceOf({ message, path = [] }: Issue): string {
  const names = path.map((part) => String(typeof part === 'object' ? part.key : part));
  return names.length === 0 ? message : `${names.join('.')}: ${message}`;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

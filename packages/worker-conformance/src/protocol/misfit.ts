import { bodySchemas, reportListSchema, reportSchema, type Schema } from './schemas.ts';

/** Keywords as the checks of them read them. */
interface Keywords {
  readonly const: unknown;
  readonly enum: readonly unknown[];
  readonly minimum: number;
  readonly maximum: number;
  readonly minLength: number;
  readonly maxLength: number;
  readonly pattern: string;
  readonly format: string;
  readonly minItems: number;
  readonly maxItems: number;
  readonly maxProperties: number;
  readonly items: Schema;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, Schema>>;
  readonly additionalProperties: unknown;
}

/** Steps to a value. */
type Path = readonly (string | number)[];

/** A place that does not fit, as a sentence and as a JSON pointer. */
export interface Fault {
  readonly message: string;
  readonly path: string;
}

type Check = (schema: Keywords, value: never, path: Path) => Fault | null;

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
};

const formats: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i,
};

/** Characters of a text as JSON Schema counts them: code points. */
const charactersIn = (text: string): number => Array.from(text).length;

const shown = (value: unknown): string => {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > 120 ? `${json.slice(0, 120)}…` : json;
};
const unless = (holds: boolean, path: Path, expected: string, value: unknown, member: Path = []): Fault | null =>
  holds
    ? null
    : {
        message: `${placeOf(path) || 'the body'}: expected ${expected}, got ${shown(value)}`,
        path: pointerOf([...path, ...member]),
      };

const placeOf = (path: Path): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');

const pointerOf = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Looks at each keyword of a schema; values are of the right type by then. */
const checks: Readonly<Record<string, Check>> = {
  const: ({ const: one }, value, path) => unless(value === one, path, shown(one), value),
  enum: ({ enum: all }, value, path) => unless(all.includes(value), path, `one of ${shown(all)}`, value),
  minimum: ({ minimum }, value, path) => unless(value >= minimum, path, `at least ${minimum}`, value),
  maximum: ({ maximum }, value, path) => unless(value <= maximum, path, `at most ${maximum}`, value),
  minLength: ({ minLength }, value: string, path) =>
    unless(charactersIn(value) >= minLength, path, `at least ${minLength} characters`, value),
  maxLength: ({ maxLength }, value: string, path) =>
    unless(charactersIn(value) <= maxLength, path, `at most ${maxLength} characters`, value),
  pattern: ({ pattern }, value, path) =>
    unless(new RegExp(pattern, 'u').test(value), path, `a text that fits ${pattern}`, value),
  format: ({ format }, value, path) => unless(formats[format]?.test(value) ?? true, path, `a ${format}`, value),
  minItems: ({ minItems }, value: unknown[], path) =>
    unless(value.length >= minItems, path, `at least ${minItems} items`, value),
  maxItems: ({ maxItems }, value: unknown[], path) =>
    unless(value.length <= maxItems, path, `at most ${maxItems} items`, value),
  maxProperties: ({ maxProperties }, value: object, path) =>
    unless(Object.keys(value).length <= maxProperties, path, `at most ${maxProperties} members`, value),
  items: ({ items }, value: unknown[], path) => firstOf(value, (one, index) => misfit(items, one, [...path, index])),
  required: ({ required }, value: object, path) =>
    firstOf(required, (one) => unless(one in value, path, `a member ${one}`, value, [one])),
  properties: ({ properties, additionalProperties }, value: object, path) =>
    firstOf(Object.entries(value), ([key, inner]) => {
      const known = properties[key];
      const place = [...path, key];
      if (known) return misfit(known, inner, place);
      return unless(additionalProperties !== false, place, `no such member of ${placeOf(path) || 'the body'}`, inner);
    }),
};

/** The first place where a value does not fit a schema; null where it fits. */
function misfit(schema: Schema, value: unknown, path: Path): Fault | null {
  const { type, anyOf } = schema;
  if (anyOf) return noneOf(anyOf as readonly Schema[], value, path);
  if (typeof type === 'string' && !types[type]?.(value)) return unless(false, path, type, value);
  return firstOf(Object.keys(schema), (keyword) => checks[keyword]?.(schema as never, value as never, path) ?? null);
}

/** Finds the fault in a value by the one of several shapes that it says it has, by its `type` or `kind`; else by its own type. */
function noneOf(all: readonly Schema[], value: unknown, path: Path): Fault | null {
  const { type, kind } = (value ?? {}) as { readonly type?: unknown; readonly kind?: unknown };
  const meant = all.find(({ type: own, properties }) => {
    if (properties === undefined) return types[String(own)]?.(value);
    const { type: ownType, kind: ownKind } = properties as Record<string, Schema>;
    return ownKind ? ownKind['const'] === kind : ownType?.['const'] === type;
  });
  if (meant) return misfit(meant, value, path);
  return unless(false, path, 'one of the kinds of the protocol', value);
}

function firstOf<T>(all: readonly T[], look: (one: T, index: number) => Fault | null): Fault | null {
  for (const [index, one] of all.entries()) {
    const wrong = look(one, index);
    if (wrong !== null) return wrong;
  }
  return null;
}

const bodies = { register: bodySchemas.register, poll: bodySchemas.poll, report: reportListSchema } as const;

/** The fault in the body of a request, as a sentence; null where it fits. Of reports it is the list: see {@link reportFault}. */
export function faultOf(kind: keyof typeof bodies, body: unknown): string | null {
  return misfit(bodies[kind], body, [])?.message ?? null;
}

/** The fault in one report, which fails none beside it; null where it fits. */
export function reportFault(report: unknown): Fault | null {
  const fault = misfit(reportSchema, report, ['report']);
  return fault && { ...fault, path: fault.path.replace('/report', '') };
}

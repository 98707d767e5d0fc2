import { maskKeys } from '#src/lib/crypto/mask-keys.ts';
import { escapeStep, pointerSteps } from '#src/lib/json-pointer.ts';
import { counted } from '#src/lib/text/counted.ts';

/** A field of a request that is wrong: where it is, what was expected and what came. */
interface FieldError {
  readonly field: string;
  readonly message: string;
  readonly value: unknown;
  /** JSON pointer of the field in the part of the request. */
  readonly pointer: string;
}

/** An Ajv error with `verbose: true`. */
export interface AjvError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string | undefined;
  readonly data?: unknown;
  readonly schema?: unknown;
}

const parts: Record<string, string> = { querystring: 'query', params: 'path', headers: 'header' };

/** Describes to a client a value that does not fit its schema: where it is, what was expected, what came. */
export function describeValidation(errors: readonly AjvError[], part = 'body'): FieldError {
  const error = clearest(errors);
  const root = parts[part] ?? part;
  if (!error) return { field: root, message: `${root}: expected something else.`, value: null, pointer: '' };
  const name = memberName(error);
  const field = root + path(error.instancePath) + (name === null ? '' : `.${name}`);
  const expected = expectations[error.keyword]?.(error) ?? error.message ?? 'something else';
  const value = name === null ? error.data : memberValue(error);
  const got =
    error.keyword === 'required' ? 'nothing' : error.keyword === 'additionalProperties' ? kindOf(value) : shown(value);
  return {
    field,
    message: `${field}: expected ${expected}, got ${got}.`,
    value: error.keyword === 'required' ? null : shortened(value),
    pointer: error.instancePath + (name === null ? '' : `/${escapeStep(name)}`),
  };
}

/**
 * A failed union reports each of its branches before itself, and a union within a branch before that. Where the value names
 * one of them (`{"type": "json_schema", …}`), or all but one want a value of another type or other members, that one says
 * what is wrong; else only the union itself says what would have fitted.
 */
function clearest(errors: readonly AjvError[]): AjvError | undefined {
  const union = errors.findLast(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  if (!union) return errors[0];
  const ofBranch = (index: number) =>
    errors.filter(({ schemaPath }) => schemaPath?.startsWith(`${union.schemaPath}/${index}/`));
  const named = namedBranch(union);
  if (named !== null && ofBranch(named).length > 0) return clearest(ofBranch(named));
  const isOfAnother = ({ keyword, instancePath }: AjvError) =>
    instancePath === union.instancePath && (keyword === 'type' || keyword === 'const' || keyword === 'enum');
  const branches = Array.isArray(union.schema) ? [...union.schema.keys()] : [];
  const possible = branches.map(ofBranch).filter((branch) => branch.length > 0 && !branch.every(isOfAnother));
  // with the members of one branch alone
  const isOfOtherMembers = ({ keyword, instancePath }: AjvError) =>
    keyword === 'const' ||
    keyword === 'enum' ||
    (instancePath === union.instancePath && (keyword === 'required' || keyword === 'additionalProperties'));
  const whole = possible.filter((branch) => !branch.some(isOfOtherMembers));
  const [meant, ...others] = whole.length === 1 ? whole : possible;
  return meant && others.length === 0 ? clearest(meant) : union;
}

/** Finds the one branch of a union that the value names by a member with a fixed value; null for none. */
function namedBranch({ schema, data }: AjvError): number | null {
  if (typeof data !== 'object' || data === null || !Array.isArray(schema)) return null;
  const named = (schema as readonly Branch[]).flatMap(({ properties = {} }, index) => {
    const fixed = Object.entries(properties).filter(([, one]) => one.const !== undefined || one.enum !== undefined);
    const fits = ([name, one]: (typeof fixed)[number]) =>
      [one.const, ...(one.enum ?? [])].includes((data as Record<string, unknown>)[name]);
    return fixed.length > 0 && fixed.every(fits) ? [index] : [];
  });
  const [only, ...more] = named;
  return only !== undefined && more.length === 0 ? only : null;
}

interface Branch {
  readonly properties?: Readonly<Record<string, { readonly const?: unknown; readonly enum?: readonly unknown[] }>>;
}

const count = (noun: string) => (error: AjvError) => `${noun} ${String(error.params['limit'])}`;
const measure = (adverb: string, many: string, one: string) => (error: AjvError) =>
  `${adverb} ${counted(Number(error.params['limit']), one, many)}`;

const expectations: Record<string, (error: AjvError) => string> = {
  type: ({ params }) => [params['type']].flat().join(' or '),
  required: () => 'a value',
  additionalProperties: () => 'no such property',
  enum: ({ params }) => oneOf(params['allowedValues']) ?? 'another value',
  const: ({ params }) => shown(params['allowedValue']),
  anyOf: ({ schema }) => alternatives(schema),
  oneOf: ({ schema }) => alternatives(schema),
  minimum: count('a number of at least'),
  maximum: count('a number of at most'),
  exclusiveMinimum: count('a number above'),
  exclusiveMaximum: count('a number below'),
  minLength: measure('at least', 'characters', 'character'),
  maxLength: measure('at most', 'characters', 'character'),
  minItems: measure('at least', 'items', 'item'),
  maxItems: measure('at most', 'items', 'item'),
  minProperties: measure('at least', 'properties', 'property'),
  maxProperties: measure('at most', 'properties', 'property'),
  uniqueItems: ({ params }) => `no value twice (items ${String(params['j'])} and ${String(params['i'])} are the same)`,
  pattern: ({ params }) => `text like ${String(params['pattern'])}`,
  format: ({ params }) => `a ${String(params['format'])}`,
  decimal: ({ params }) =>
    params['type'] === 'integer'
      ? `a whole number in decimal digits, up to ${Number.MAX_SAFE_INTEGER}`
      : 'a finite number in decimal digits',
  multipleOf: ({ params }) => `a multiple of ${String(params['multipleOf'])}`,
};

function alternatives(schema: unknown): string {
  const branches = Array.isArray(schema) ? (schema as Record<string, unknown>[]) : [];
  const words = branches.map((one) =>
    'const' in one
      ? shown(one['const'])
      : (oneOf(one['enum']) ??
        textOf(one['title']) ??
        withMembers(one['required']) ??
        textOf(one['type']) ??
        'another form'),
  );
  return [...new Set(words)].join(' or ');
}

function oneOf(values: unknown): string | undefined {
  return Array.isArray(values) ? `one of ${values.map(shown).join(', ')}` : undefined;
}

function withMembers(names: unknown): string | undefined {
  return Array.isArray(names) && names.length > 0 ? `an object with ${names.join(' and ')}` : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** `/scenarios/0/days` as `.scenarios[0].days`. */
function path(pointer: string): string {
  return pointerSteps(pointer)
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('');
}

/** Finds the name of a member that is missing, or that there should not be; null where the value itself is wrong. */
function memberName({ keyword, params }: AjvError): string | null {
  const name =
    keyword === 'required'
      ? params['missingProperty']
      : keyword === 'additionalProperties'
        ? params['additionalProperty']
        : null;
  return typeof name === 'string' ? name.slice(0, 100) : null;
}

function memberValue({ data, params }: AjvError): unknown {
  const name = params['additionalProperty'];
  return typeof name === 'string' && typeof data === 'object' && data !== null
    ? (data as Record<string, unknown>)[name]
    : null;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** A value as a sentence may carry it: short, and with no key of ours in it. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `an array of ${counted(value.length, 'item', 'items')}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return maskKeys(JSON.stringify(value)).slice(0, 200);
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value) || (typeof value === 'object' && value !== null)) return kindOf(value);
  return typeof value === 'string' ? maskKeys(value).slice(0, 200) : (value ?? null);
}

import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import type { Misfit } from '#queues/misfit.ts';
import { whenUsed } from '#src/lib/async/when-used.ts';
import { costOf, partsOf } from './check-cost.ts';
import { type ForeignSchema, isRecord } from './foreign-schema.ts';

/**
 * Evaluations that one check may cost, under half a second of CPU: a schema of 300 parts and a value of 256 KiB would allow
 * 10^7, and a schema that calls itself twice 2^depth. What a pattern reads counts as well.
 */
const MOST_EVALUATIONS = 1_000_000;
/** Evaluations that a check of the smallest value may cost, and those that each part of a value adds. */
const LEAST_EVALUATIONS = 20_000;
const EVALUATIONS_A_PART = 300;
/** Parts of a value beyond which more of them allow no more evaluations. */
const ENOUGH_PARTS = MOST_EVALUATIONS / EVALUATIONS_A_PART;
/** Instructions of a pattern's program that read one character for the price of one evaluation (measured: 100 ns each). */
const INSTRUCTIONS = 4;

const COUNT = 'x-proofline-count';

const budget = { left: 0 };

class CheckTooLong extends Error {}

function spend(evaluations: number): true {
  budget.left -= evaluations;
  if (budget.left < 0) throw new CheckTooLong();
  return true;
}

/** Names of the formats that are checked; any other says something to people alone. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isDate(`${text}T00:00:00Z`) && !/-00/.test(text),
  'date-time': (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text) && isDate(text),
  email: (text) => text.length <= 320 && /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text),
  hostname: (text) =>
    text.length <= 253 && text.split('.').every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label)),
  ipv4: (text) => isIP(text) === 4,
  ipv6: (text) => isIP(text) === 6,
  uri: (text) => text.length <= 8_192 && /^[a-z][a-z0-9+.-]*:/i.test(text) && URL.canParse(text),
  uuid: (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
};

function isDate(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}

const linearTime = Object.assign(
  (pattern: string) => {
    const expression = RE2JS.compile(pattern);
    const weight = expression.programSize() / INSTRUCTIONS;
    return {
      test: (text: string) => spend(Math.ceil(text.length * weight)) && expression.matcher(text).find(),
      // Ajv tells patterns apart by their text
      toString: () => pattern,
    };
  },
  { code: 'RE2JS' },
);

/** One instance a schema: Ajv keeps what it has compiled for ever, and these come and go. */
function compile(schema: ForeignSchema | boolean): ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    ownProperties: true,
    // the drafts' own schemas cost 30 ms to compile: once, below
    meta: false,
    validateSchema: false,
    formats,
    // a definition is compiled once, and not again in each place that refers to it
    inlineRefs: false,
    code: { regExp: linearTime, optimize: false },
  });
  ajv.addKeyword({
    keyword: COUNT,
    before: 'type',
    compile: (_is: true, part: ForeignSchema) => {
      const cost = costOf(part);
      return (value: unknown) => spend(cost(value));
    },
  });
  return ajv.compile(counted(schema) as ForeignSchema);
}

const drafts = whenUsed(() => new Ajv2020({ strict: false, logger: false }));

const single = new Set(
  'additionalProperties contains else if items not propertyNames then unevaluatedItems unevaluatedProperties'.split(
    ' ',
  ),
);
const several = new Set('allOf anyOf oneOf prefixItems'.split(' '));
const named = new Set('$defs dependentSchemas patternProperties properties'.split(' '));

/** The same schema, each part of which counts its evaluations. */
function counted(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const parts = Object.entries(schema).map(([name, value]) => {
    if (single.has(name)) return [name, counted(value)] as const;
    if (several.has(name) && Array.isArray(value)) return [name, value.map(counted)] as const;
    if (named.has(name) && isRecord(value))
      return [name, Object.fromEntries(Object.entries(value).map(([key, one]) => [key, counted(one)]))] as const;
    return [name, value] as const;
  });
  return { [COUNT]: true, ...Object.fromEntries(parts) };
}

const compiled = new LRUCache<string, ValidateFunction>({ max: 500 });

/**
 * Checks a value against the schema of a registered contract, in bounded time. The schema must have passed `schemaFault`.
 *
 * @returns the first misfit, or null where the value fits
 */
export function foreignMisfit(schema: ForeignSchema | boolean, value: unknown): Misfit | null {
  const digest = digestOf(schema);
  let validate = compiled.get(digest);
  if (!validate) {
    validate = compile(schema);
    compiled.set(digest, validate);
  }
  const most = Math.min(MOST_EVALUATIONS, LEAST_EVALUATIONS + EVALUATIONS_A_PART * partsOf(value, ENOUGH_PARTS));
  budget.left = most;
  try {
    return validate(value) ? null : misfitOf(validate.errors?.[0]);
  } catch (error) {
    if (error instanceof RangeError) return { path: '', message: 'is nested too deep for its schema to be checked' };
    if (!(error instanceof CheckTooLong)) throw error;
    return { path: '', message: `takes more than ${most} evaluations to be checked against its schema` };
  }
}

/**
 * Compiles a schema, to know that it can be.
 *
 * @returns why it cannot; null where it can
 */
export function compileFault(schema: ForeignSchema | boolean): string | null {
  try {
    const checker = drafts();
    if (checker.validateSchema(schema) !== true) {
      const { path, message } = misfitOf(checker.errors?.[0]);
      return `${path === '' ? 'it' : path} ${message}`;
    }
    compile(schema);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 300) : String(error);
  }
}

function misfitOf(error: ErrorObject | undefined): Misfit {
  if (!error) return { path: '', message: 'does not fit' };
  const { instancePath, message = 'does not fit', params } = error;
  const property: unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
  const allowed: unknown = params['allowedValues'];
  const more = typeof property === 'string' ? ` (${property})` : Array.isArray(allowed) ? `: ${listed(allowed)}` : '';
  return { path: instancePath, message: `${message}${more}` };
}

function listed(values: readonly unknown[]): string {
  const shown = values.slice(0, 20).map((value) => JSON.stringify(value));
  return shown.join(', ') + (values.length > shown.length ? ', …' : '');
}

/** By what was registered: the same object is asked for a thousand times a second. */
const digests = new WeakMap<object, string>();

function digestOf(schema: ForeignSchema | boolean): string {
  if (typeof schema === 'boolean') return String(schema);
  let digest = digests.get(schema);
  if (digest === undefined) {
    digest = hash('sha256', JSON.stringify(schema), 'hex');
    digests.set(schema, digest);
  }
  return digest;
}

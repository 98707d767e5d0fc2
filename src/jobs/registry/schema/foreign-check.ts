import { hash } from 'node:crypto';
import { _, Ajv2020, type ErrorObject, type KeywordCxt, type ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import type { Misfit } from '#queues/misfit.ts';
import { whenUsed } from '#src/lib/async/when-used.ts';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';
import { costOf, countParts } from './check-cost.ts';
import { compileCost, MOST_COMPILE_COST, MOST_UNROLLED } from './compile-cost.ts';
import { formats } from './formats.ts';
import { type ForeignSchema, isRecord, mapSubschemas } from './keywords.ts';
import { countMultiplesExactly } from './multiple-of.ts';
import { compiledPattern } from './patterns.ts';
import { plainSchema } from './plain-schema.ts';

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

const linearTime = Object.assign(
  (pattern: string) => {
    const expression = compiledPattern(pattern);
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
function compile(schema: ForeignSchema | boolean, allErrors = false): ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    allErrors,
    logger: false,
    ownProperties: true,
    // the drafts' own schemas cost 30 ms to compile: once, below
    meta: false,
    validateSchema: false,
    formats,
    // a definition is compiled once, and not again in each place that refers to it
    inlineRefs: false,
    loopRequired: MOST_UNROLLED,
    loopEnum: MOST_UNROLLED,
    code: { regExp: linearTime, optimize: false },
  });
  countMultiplesExactly(ajv);
  ajv.addKeyword({
    keyword: COUNT,
    before: 'type',
    // a line of code each: a keyword with a function of its own takes twice as long to compile
    code: ({ gen, data, parentSchema }: KeywordCxt) => {
      const cost = costOf(parentSchema);
      gen.code(_`${gen.scopeValue('keyword', { ref: (value: unknown) => spend(cost(value)) })}(${data})`);
    },
  });
  return ajv.compile(counted(schema) as ForeignSchema);
}

const drafts = whenUsed(() => new Ajv2020({ strict: false, logger: false }));

/** The same schema, each part of which counts its evaluations. */
function counted(schema: unknown): unknown {
  return isRecord(schema) ? { [COUNT]: true, ...mapSubschemas(schema, counted) } : schema;
}

const compiled = new LRUCache<string, ValidateFunction>({ max: 500 });
const compiledForAll = new LRUCache<string, ValidateFunction>({ max: 100 });
/** Evaluations of a check that goes on after the first misfit: each may leave one. */
const EVALUATIONS_FOR_ALL = 100_000;

/** Evaluations that several checks may cost together. */
export interface Evaluations {
  left: number;
}

/**
 * Checks a value against the schema of a registered contract, in bounded time. The schema must have passed `schemaFault`.
 *
 * @param shared evaluations that are left for this check and others; what it costs is taken from them
 * @returns the first misfit, or null where the value fits
 */
export function foreignMisfit(schema: ForeignSchema | boolean, value: unknown, shared?: Evaluations): Misfit | null {
  const validate = validatorOf(schema);
  const enough = Math.min(MOST_EVALUATIONS, LEAST_EVALUATIONS + EVALUATIONS_A_PART * countParts(value, ENOUGH_PARTS));
  const most = Math.min(enough, shared?.left ?? enough);
  budget.left = most;
  try {
    return validate(value) ? null : misfitOf(validate.errors?.[0]);
  } catch (error) {
    if (error instanceof RangeError) return { path: '', message: 'is nested too deep for its schema to be checked' };
    if (!(error instanceof CheckTooLong)) throw error;
    return { path: '', message: `takes more than ${most} evaluations to be checked against its schema` };
  } finally {
    if (shared) shared.left -= most - Math.max(0, budget.left);
  }
}

/** Compiles a schema, or finds it compiled. */
function validatorOf(schema: ForeignSchema | boolean, allErrors = false): ValidateFunction {
  const kept = allErrors ? compiledForAll : compiled;
  const digest = digestOf(schema);
  const known = kept.get(digest);
  if (known) return known;
  const made = compile(plainSchema(schema), allErrors);
  kept.set(digest, made);
  return made;
}

/** One of the things of a value that do not fit a schema. */
export interface SchemaError extends Misfit {
  /** Keyword of the schema that it does not fit, such as `required`. */
  readonly keyword: string;
}

/**
 * Lists all that does not fit a schema, in bounded time; none where that is too long to be checked. The schema must have
 * passed `schemaFault`.
 */
export function foreignErrors(schema: ForeignSchema | boolean, value: unknown): readonly SchemaError[] {
  const validate = validatorOf(schema, true);
  budget.left = EVALUATIONS_FOR_ALL;
  try {
    if (validate(value)) return [];
    return (validate.errors ?? []).map((error) => ({ ...misfitOf(error), keyword: error.keyword }));
  } catch (error) {
    if (error instanceof RangeError || error instanceof CheckTooLong) return [];
    throw error;
  }
}

/**
 * Compiles a schema, to know that it can be; the first check of a value finds it compiled.
 *
 * @returns why it cannot; null where it can
 */
export function compileFault(schema: ForeignSchema | boolean): string | null {
  if (compileCost(plainSchema(schema)) > MOST_COMPILE_COST)
    return `it takes more than ${MOST_COMPILE_COST} units of work to be compiled`;
  const checker = drafts();
  if (checker.validateSchema(schema) !== true) {
    const { path, message } = misfitOf(checker.errors?.[0]);
    return `${path === '' ? 'it' : path} ${message}`;
  }
  try {
    validatorOf(schema);
    return null;
  } catch {
    // what the compiler says is about its own insides
    return 'no check can be made: some of its keywords contradict each other, or stand too deep in each other';
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

/** By what was registered, whatever the order of its keywords: the same object is asked for a thousand times a second. */
const digests = new WeakMap<object, string>();

function digestOf(schema: ForeignSchema | boolean): string {
  if (typeof schema === 'boolean') return String(schema);
  let digest = digests.get(schema);
  if (digest === undefined) {
    digest = hash('sha256', canonicalText(plainSchema(schema)), 'hex');
    digests.set(schema, digest);
  }
  return digest;
}

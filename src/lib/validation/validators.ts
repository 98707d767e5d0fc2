import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { FastifySchema, FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import { whenUsed } from '#src/lib/async/when-used.ts';
import { isInstant } from './instant.ts';
import { knownValues } from './known-values.ts';
import { findWrongNumber } from './numbers-in-text.ts';

type Shared = Readonly<Record<string, unknown>>;
type Compiler = FastifySchemaCompiler<FastifySchema>;
type Check = ReturnType<Compiler>;

/** As we write it; ajv-formats also takes the prefix `urn:uuid:`, which Postgres does not. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Fastify's validator factory, with two Ajv of JSON Schema 2020-12: bodies are taken as they are (a text is not a
 * number, an unknown property is refused), while paths, queries and headers, which are all text, are converted.
 */
export function buildValidators(shared: Shared): Compiler {
  const body = whenUsed(() => make({ coerceTypes: false }, shared));
  const rest = whenUsed(() => make({ coerceTypes: 'array' }, shared));
  return ({ schema, httpPart }) => (httpPart === 'body' ? checkWhenUsed(body, schema) : checkTexts(rest, schema));
}

/** For routes that take the body as bytes: its schema is documentation; the code that reads the bytes checks them. */
export function buildRawValidators(shared: Shared): Compiler {
  const rest = whenUsed(() => make({ coerceTypes: 'array' }, shared));
  return ({ schema, httpPart }) => (httpPart === 'body' ? () => true : checkTexts(rest, schema));
}

/** A check that is compiled by the first request that needs it: all of them together would take half of a start. */
function checkWhenUsed(ajv: () => Ajv2020, schema: object): Check {
  const compiled = whenUsed(() => ajv().compile(schema));
  const check: Check = (data) => {
    const fits = compiled()(data);
    // Fastify asks the check for what the last call found
    check.errors = compiled().errors ?? null;
    return fits;
  };
  return check;
}

/** A check of what is all text; numbers in it are looked at before they are converted, here and nowhere else. */
function checkTexts(ajv: () => Ajv2020, schema: object): Check {
  const fit = checkWhenUsed(ajv, schema);
  const wrongNumber = findWrongNumber(schema);
  const check: Check = (data) => {
    const wrong = wrongNumber(data);
    const fits = wrong === null && fit(data);
    check.errors = wrong ? [wrong as FastifySchemaValidationError] : (fit.errors ?? null);
    return fits;
  };
  return check;
}

function make(options: Options, shared: Shared): Ajv2020 {
  const ajv = new Ajv2020({
    strict: 'log',
    strictTypes: false,
    strictTuples: false,
    // what is required of one branch of a union is beside the properties, not in it
    strictRequired: false,
    allowUnionTypes: true,
    useDefaults: true,
    removeAdditional: false,
    allErrors: false,
    addUsedSchema: false,
    // compiling the schema of schemas, once for each scope of routes, took two thirds of the start; the description of
    // every surface, which holds the same schemas, is checked against it by tests
    validateSchema: false,
    // errors carry the value, for the sentence that names it
    verbose: true,
    ...options,
  });
  // what values there are, of what is looked up: said by the document, and another one is not found
  ajv.addKeyword(knownValues);
  formats.default(ajv);
  ajv.addFormat('date-time', { type: 'string', validate: isInstant });
  ajv.addFormat('uuid', uuid);
  for (const schema of Object.values(shared)) ajv.addSchema(schema as object);
  return ajv;
}

import { isDeepStrictEqual } from 'node:util';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';
import {
  beginComparison,
  type Comparison,
  ComparisonTooLong,
  MOST_STEPS,
  mayTake,
  sizeOf,
  take,
} from './comparison.ts';
import { referenceFault } from './compatible-references.ts';
import { at, type ContractFault } from './contract-fault.ts';
import { type ForeignSchema, isRecord } from './keywords.ts';
import { placeIn, plainSchema } from './plain-schema.ts';

type Schema = ForeignSchema | boolean;

/** Keywords of which two cannot be compared in general: they must be the same. */
const opaque = [
  '$ref',
  'allOf',
  'anyOf',
  'contains',
  'dependentRequired',
  'dependentSchemas',
  'else',
  'format',
  'if',
  'maxContains',
  'minContains',
  'multipleOf',
  'not',
  'oneOf',
  'pattern',
  'patternProperties',
  'prefixItems',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
] as const;
/** Keywords without which a schema can only take more, whatever stands beside them. */
const removable: ReadonlySet<string> = new Set([
  'dependentRequired',
  'format',
  'maxContains',
  'multipleOf',
  'not',
  'pattern',
  'propertyNames',
]);
/** Bounds of which the later schema must have no larger value, or none. */
const lower = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const;
/** Bounds of which it must have no smaller value, or none. */
const upper = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const;

/**
 * Finds the first place at which a later schema refuses what an earlier one took. Two schemas between which that cannot be
 * decided count as such: null means that every value that fitted still fits.
 *
 * @param path JSON pointer of the later schema in its contract
 * @param comparison steps that are left for this change: one that needs more is refused where they end
 */
export function narrowing(
  earlier: Schema,
  later: Schema,
  path: string,
  comparison: Comparison = beginComparison(),
): ContractFault | null {
  const [before, now] = [plainSchema(earlier), plainSchema(later)];
  const inPlace = (place: string) => path + placeIn(later, place.slice(path.length));
  try {
    const fault = narrowerPart(comparison, before, now, path) ?? referenceFault(comparison, before, now, path);
    return fault && { ...fault, path: inPlace(fault.path) };
  } catch (error) {
    if (!(error instanceof ComparisonTooLong)) throw error;
    const message = `expected a change that is compared in ${MOST_STEPS} steps, all schemas of the contract together, got one whose steps end here`;
    return { path: inPlace(error.path), message, isUndecided: true };
  }
}

function narrowerPart(comparison: Comparison, earlier: Schema, later: Schema, path: string): ContractFault | null {
  take(comparison, 1, path);
  if (later === true || earlier === false || earlier === later) return null;
  if (later === false) return { path, message: 'expected a schema that takes what the one before took, got false' };
  const before = earlier === true ? {} : earlier;
  // each keyword is compared once in full, and the whole before that
  take(comparison, 2 * (sizeOf(before) + sizeOf(later)), path);
  // the same text with other definitions below it is another schema
  if (isDeepStrictEqual(withoutDefinitions(before), withoutDefinitions(later)))
    return definitionsFault(before, later, path);
  return (
    definitionsFault(before, later, path) ??
    enumFault(comparison, before, later, path) ??
    typeFault(before, later, path) ??
    opaqueFault(before, later, path) ??
    boundFault(before, later, path) ??
    restFault(before, later, path) ??
    objectFault(comparison, before, later, path) ??
    itemsFault(comparison, before, later, path)
  );
}

function withoutDefinitions(schema: ForeignSchema): ForeignSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$defs'));
}

/** Definitions may be added; those of before stay as they are, since a reference uses them. */
function definitionsFault(earlier: ForeignSchema, later: ForeignSchema, path: string): ContractFault | null {
  const [before, now] = [definitions(earlier), definitions(later)];
  const changed = Object.keys(before).some((name) => !isDeepStrictEqual(before[name], now[name]));
  return changed
    ? { path: at(path, '$defs'), message: 'expected the definitions of before, since a reference uses them' }
    : null;
}

const definitions = (schema: ForeignSchema) => recordOf(schema['$defs']);

function enumFault(
  comparison: Comparison,
  before: ForeignSchema,
  later: ForeignSchema,
  path: string,
): ContractFault | null {
  for (const name of ['enum', 'const'] as const) {
    if (later[name] === undefined) continue;
    const allowed = new Set((name === 'const' ? [later['const']] : listOf(later['enum'])).map(canonicalText));
    const taken = 'const' in before ? [before['const']] : 'enum' in before ? listOf(before['enum']) : null;
    if (taken === null)
      return { path: at(path, name), message: 'expected every value that was taken before, got a list of some' };
    const missing = taken.filter((value) => !allowed.has(canonicalText(value)));
    if (missing.length === 0) continue;
    const gone = missing.find(mayTake(comparison, before, at(path, name)));
    if (gone !== undefined)
      return { path: at(path, name), message: `expected ${JSON.stringify(gone)}, which was taken before` };
  }
  return null;
}

const everyType = ['array', 'boolean', 'null', 'number', 'object', 'string'];

function typesOf({ type }: ForeignSchema): readonly string[] {
  if (type === undefined) return everyType;
  return typeof type === 'string' ? [type] : listOf(type).map(String);
}

function typeFault(before: ForeignSchema, later: ForeignSchema, path: string): ContractFault | null {
  const types = typesOf(later);
  const gone = typesOf(before).find(
    (type) => !types.includes(type) && !(type === 'integer' && types.includes('number')),
  );
  return gone === undefined ? null : { path: at(path, 'type'), message: `expected ${gone}, which was taken before` };
}

function opaqueFault(before: ForeignSchema, later: ForeignSchema, path: string): ContractFault | null {
  const name = opaque.find(
    (one) => !(later[one] === undefined && removable.has(one)) && !isDeepStrictEqual(before[one], later[one]),
  );
  if (name === undefined) return null;
  const said = before[name] === undefined ? 'none' : 'the one of before';
  return { path: at(path, name), message: `expected ${said}: whether another takes all that was taken cannot be told` };
}

function boundFault(before: ForeignSchema, later: ForeignSchema, path: string): ContractFault | null {
  for (const name of [...lower, ...upper]) {
    const bound = later[name];
    if (typeof bound !== 'number') continue;
    const known = before[name];
    const isWider = typeof known === 'number' && (lower.some((one) => one === name) ? bound <= known : bound >= known);
    if (!isWider)
      return {
        path: at(path, name),
        message: `expected ${known === undefined ? 'no such bound' : `one no narrower than ${JSON.stringify(known)}`}, got ${bound}`,
      };
  }
  if (later['uniqueItems'] === true && before['uniqueItems'] !== true)
    return { path: at(path, 'uniqueItems'), message: 'expected none, as before' };
  return null;
}

/** Keywords by which a schema takes what no other keyword has looked at, with the one that looks at all of it. */
const rests = [
  ['unevaluatedProperties', 'additionalProperties'],
  ['unevaluatedItems', 'items'],
] as const;

/** Finds a part of a value that an `unevaluated` keyword takes less of, since the later schema looks at it nowhere else. */
function restFault(before: ForeignSchema, later: ForeignSchema, path: string): ContractFault | null {
  for (const [rest, all] of rests) {
    if (later[rest] === undefined || later[all] !== undefined) continue;
    const message = `expected it to stay beside ${rest}, which takes less`;
    if (before[all] !== undefined) return { path: at(path, all), message };
    const [earlier, now] = [recordOf(before['properties']), recordOf(later['properties'])];
    const gone = all === 'items' ? undefined : Object.keys(earlier).find((name) => !Object.hasOwn(now, name));
    if (gone !== undefined) return { path: at(at(path, 'properties'), gone), message };
  }
  return null;
}

function objectFault(
  comparison: Comparison,
  before: ForeignSchema,
  later: ForeignSchema,
  path: string,
): ContractFault | null {
  const required = new Set(listOf(before['required']));
  const added = listOf(later['required']).find((name) => !required.has(name));
  if (added !== undefined)
    return { path: at(path, 'required'), message: `expected ${JSON.stringify(added)} to stay optional` };
  const [earlier, now] = [recordOf(before['properties']), recordOf(later['properties'])];
  const hasPatterns = Object.keys(recordOf(before['patternProperties'])).length > 0;
  const isNamed = (name: string) => Object.hasOwn(earlier, name) && Object.hasOwn(now, name);
  const other = Object.keys({ ...earlier, ...now }).find((name) => !isNamed(name));
  // which of the two took a property of that name is not told here
  if (hasPatterns && other !== undefined)
    return { path: at(at(path, 'properties'), other), message: 'expected the names of before, beside their patterns' };
  const [rest, restNow] = [schemaOf(before['additionalProperties']), schemaOf(later['additionalProperties'])];
  for (const name of new Set([...Object.keys(earlier), ...Object.keys(now)])) {
    const has = Object.hasOwn(now, name);
    const where = has ? at(at(path, 'properties'), name) : at(path, 'additionalProperties');
    const one = Object.hasOwn(earlier, name) ? schemaOf(earlier[name]) : rest;
    const fault = narrowerPart(comparison, one, has ? schemaOf(now[name]) : restNow, where);
    if (fault) return has ? fault : { ...fault, message: `${fault.message} (${name} was a property of its own)` };
  }
  return narrowerPart(comparison, rest, restNow, at(path, 'additionalProperties'));
}

function itemsFault(
  comparison: Comparison,
  before: ForeignSchema,
  later: ForeignSchema,
  path: string,
): ContractFault | null {
  return narrowerPart(comparison, schemaOf(before['items']), schemaOf(later['items']), at(path, 'items'));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function recordOf(value: unknown): ForeignSchema {
  return isRecord(value) ? value : {};
}

function schemaOf(value: unknown): Schema {
  return isRecord(value) || typeof value === 'boolean' ? value : true;
}

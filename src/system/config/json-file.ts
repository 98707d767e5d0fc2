import { readFileSync } from 'node:fs';
import type { Static, TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';
import { AppError } from '#src/lib/errors.ts';
import { atPointer, pointerSteps } from '#src/lib/json-pointer.ts';
import { repeatedName } from '#src/lib/text/json-names.ts';

/**
 * The content of a JSON file that a setting names.
 *
 * @param variable the setting
 * @throws AppError `invalid_configuration` with one sentence: the file, the field in it, what was expected and came.
 */
export function readJsonFile<S extends TSchema>(variable: string, path: string, schema: Validator<{}, S>): Static<S> {
  const text = readText(variable, path);
  const value = parsed(variable, path, text);
  const repeated = repeatedName(text);
  if (repeated)
    throw wrongField(
      variable,
      path,
      repeated.words,
      `expected every name once in an object, got it again at character ${repeated.index}`,
    );
  if (schema.Check(value)) return value;
  throw misfit(variable, path, schema, value);
}

function readText(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unreadable one';
    throw new AppError(
      'invalid_configuration',
      `${variable}: expected a file that can be read at ${path}, got ${code}.`,
    );
  }
}

function parsed(variable: string, path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // the parser's own words say where; they quote a few characters of a file that holds no secret
    const why = error instanceof Error ? error.message : 'something else';
    throw new AppError(
      'invalid_configuration',
      `${variable}: expected JSON in ${path}, got text that is not JSON (${why}).`,
    );
  }
}

type Misfit = ReturnType<Validator['Errors']>[number];

function misfit(variable: string, path: string, schema: Pick<Validator, 'Errors'>, value: unknown): AppError {
  const errors = schema.Errors(value);
  // a key that is not known, where there is one, is the likeliest reason of what else is missing
  const error = errors.find(({ keyword }) => keyword === 'additionalProperties') ?? errors[0];
  if (!error) return wrongField(variable, path, 'the file', 'expected what it is for, got something else');
  const field = fieldOf(error.instancePath);
  const [expected, member] = expectationOf(error);
  const at = member === undefined ? field : `${field}${member}`;
  return wrongField(
    variable,
    path,
    at.replace(/^\./, '') || 'the file',
    `expected ${expected}, got ${shown(error, value)}`,
  );
}

/** Returns what was expected, and the member that it is about where that is one below the place of the error. */
function expectationOf(error: Misfit): readonly [expected: string, member?: string] {
  if (error.keyword === 'additionalProperties')
    return ['a known key', memberName(error.params.additionalProperties[0])];
  if (error.keyword === 'required') return ['a value', memberName(error.params.requiredProperties[0])];
  if (error.keyword === 'enum')
    return [`one of ${error.params.allowedValues.map((one) => JSON.stringify(one)).join(', ')}`];
  if (error.keyword === 'type') return [`a value of type ${[error.params.type].flat().join(' or ')}`];
  return [`a value that fits its schema (${error.message})`];
}

const memberName = (name: string | undefined): string => (/^\w+$/.test(name ?? '') ? `.${name}` : `["${name}"]`);

/** `/providers/0/capabilities/video.edit` as `providers[0].capabilities["video.edit"]`. */
function fieldOf(pointer: string): string {
  return pointerSteps(pointer)
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : memberName(step)))
    .join('');
}

function shown(error: Misfit, value: unknown): string {
  if (error.keyword === 'additionalProperties') return 'one that is not';
  if (error.keyword === 'required') return 'nothing';
  const found = atPointer(value, error.instancePath);
  return (JSON.stringify(found) ?? 'nothing').slice(0, 100);
}

/** Describes the error in a field of such a file: `problem` is `expected X, got Y`, without a full stop. */
export function wrongField(variable: string, path: string, field: string, problem: string): AppError {
  return new AppError('invalid_configuration', `${variable}: ${path}, ${field}: ${problem}.`, { variable, field });
}

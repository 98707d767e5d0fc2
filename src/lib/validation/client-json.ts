import secure from 'secure-json-parse';
import { AppError } from '#src/lib/errors.ts';
import { findInexact, type InexactInteger } from '#src/lib/text/inexact-integer.ts';
import { repeatedName } from '#src/lib/text/json-names.ts';
import { findOverflow } from './number-overflow.ts';

/**
 * Parses JSON that a client sent outside of a JSON body, such as a line of many, as bodies are parsed.
 *
 * @throws AppError `malformed_body` for text that is not JSON, that has a name twice in an object, or that has
 *   `__proto__`; `invalid_request` for a number that no double holds
 */
export function clientJson(text: string): unknown {
  let value: unknown;
  try {
    value = secure.parse(text, { protoAction: 'error', constructorAction: 'error' });
  } catch (error) {
    const forbidden = forbiddenName(text, error);
    if (forbidden) throw forbidden;
    const why = error instanceof Error ? error.message.slice(0, 200) : 'unknown reason';
    throw new AppError('malformed_body', `expected JSON, got text that is not JSON: ${why}.`, {}, error);
  }
  const fault = faultOf(text, value);
  if (fault) throw fault;
  return value;
}

/**
 * Describes the name for which JSON was not parsed, one that programs take for more than a name; null where the text is no
 * JSON at all.
 */
export function forbiddenName(text: string, error: unknown): AppError | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  return new AppError(
    'malformed_body',
    'expected objects without a member __proto__, and without a constructor that has a prototype, got one with such a name: give it another.',
    {},
    error,
  );
}

/**
 * Finds an integer that would be changed without a word: a payload is handed on as it was sent, or not taken. Null where
 * there is none.
 *
 * @param within way of the part that is looked at, such as `.params`; the whole without one
 * @param root name of the whole in the sentence
 */
export function inexactFault(text: string, within = '', root = 'body'): AppError | null {
  const found = findInexact(text, within);
  return found && inexactError(found, root);
}

/** The refusal of an integer that would be changed. */
export function inexactError({ place, words }: InexactInteger, root: string): AppError {
  const field = `${root}${place}`;
  return new AppError(
    'invalid_request',
    `${field}: expected an integer that a double holds exactly, got ${words.slice(0, 100)}, which would become ${Number(words)}: send it as text.`,
    { field, value: words.slice(0, 100) },
  );
}

/** Finds why JSON that can be parsed is refused all the same: two readers would understand it differently; else null. */
export function faultOf(text: string, value: unknown): AppError | null {
  const overflow = findOverflow(text, value);
  if (overflow !== null) return tooLargeNumber(`body${overflow}`);
  const repeated = repeatedName(text);
  if (!repeated) return null;
  const { words, index } = repeated;
  return new AppError(
    'malformed_body',
    `expected every name once in an object, got ${words.slice(0, 100)} again at character ${index}.`,
  );
}

function tooLargeNumber(field: string): AppError {
  return new AppError('invalid_request', `${field}: expected a finite number, got one beyond 1.8e308.`, {
    field,
    value: 'a number',
  });
}

import secure from 'secure-json-parse';
import { AppError } from '#src/lib/errors.ts';
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
    const why = error instanceof Error ? error.message.slice(0, 200) : 'unknown reason';
    throw new AppError('malformed_body', `expected JSON, got text that is not JSON: ${why}.`, {}, error);
  }
  const fault = faultOf(text, value);
  if (fault) throw fault;
  return value;
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

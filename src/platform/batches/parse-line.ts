import { misfit } from '#queues/misfit.ts';
import { assertShallow } from '#src/lib/assert-shallow.ts';
import { AppError } from '#src/lib/errors.ts';
import { findOverflow } from '#src/lib/validation/number-overflow.ts';
import { type FoundWork, findWork, pathOf } from './batch-works.ts';
import type { BatchLine } from './read-lines.ts';

/** A line that can be processed. */
export interface Request extends FoundWork {
  readonly customId: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Reason why a line cannot be processed. */
export interface BadLine {
  readonly customId: string | null;
  readonly code: string;
  readonly message: string;
  /** True where a request of its own would have been answered with this error: the body is wrong, not the line. */
  readonly answered: boolean;
}

/** Characters of a `custom_id`. */
const longestId = 512;

/**
 * Reads the request of a line, or the reason why it has none.
 *
 * @param endpoint endpoint that all lines have to name; null where any will do
 */
export function parseLine({ text }: BatchLine, endpoint: string | null, maxBytes: number): Request | BadLine {
  if (text === null)
    return bad(null, 'line_too_long', `expected a line of at most ${maxBytes} bytes, got a longer one.`);
  const line = objectOf(text);
  if (!line) return bad(null, 'invalid_json_line', 'expected a JSON object, got a line that is not one.');
  const { custom_id: id, method, url, body } = line;
  if (!isId(id)) {
    const message = `custom_id: expected a text of 1 to ${longestId} characters, got ${shown(id)}.`;
    return bad(null, id === undefined ? 'missing_required_parameter' : 'invalid_custom_id', message);
  }
  if (method !== 'POST') return bad(id, 'invalid_method', `method: expected "POST", got ${shown(method)}.`);
  const path = typeof url === 'string' ? pathOf(url) : null;
  const found = path === null ? null : findWork(path);
  if (!found) return bad(id, 'invalid_url', `url: expected a route that batches know, got ${shown(url)}.`);
  if (endpoint !== null && findWork(endpoint)?.work !== found.work) {
    return bad(id, 'mismatched_url', `url: expected the endpoint of the batch, ${endpoint}, got ${shown(url)}.`);
  }
  const deep = tooDeep(body);
  if (deep !== null) return { ...bad(id, 'invalid_request', deep), answered: true };
  const overflow = findOverflow(text, body);
  if (overflow !== null) {
    const message = `body${overflow}: expected a finite number, got one beyond 1.8e308.`;
    return { ...bad(id, 'invalid_request', message), answered: true };
  }
  const request = isObject(body) ? { ...body, ...found.fromPath } : body;
  const wrong = misfit(found.work.body, request);
  if (!wrong) return { ...found, customId: id, body: request as Request['body'] };
  const field = `body${wrong.path.replaceAll('/', '.')}`;
  return { ...bad(id, 'invalid_request', `${field}: ${wrong.message}.`), answered: true };
}

/** The id of a line whose other parts do not matter any more; null where it has none. */
export function customIdOf({ text }: BatchLine): string | null {
  const id = text === null ? undefined : objectOf(text)?.['custom_id'];
  return isId(id) ? id : null;
}

/** Describes in a sentence that a body is nested too deeply; null where it is not. */
function tooDeep(body: unknown): string | null {
  try {
    assertShallow(body);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

const bad = (customId: string | null, code: string, message: string): BadLine => ({
  customId,
  code,
  message,
  answered: false,
});

function objectOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Checks for an id that can be stored and found again. */
const isId = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= longestId &&
  value.isWellFormed() &&
  !value.includes('\0');

const shown = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value).slice(0, 100));

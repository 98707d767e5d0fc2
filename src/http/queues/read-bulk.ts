import { misfit } from '#queues/misfit.ts';
import { assertShallow } from '#src/lib/assert-shallow.ts';
import { AppError } from '#src/lib/errors.ts';
import { BulkItem } from './submit-body.ts';

/** Jobs of one request. */
export const MOST_ITEMS = 10_000;

/** One job of a request, or why it cannot be read. */
export type ReadItem = { readonly item: BulkItem } | { readonly error: AppError };

/**
 * Reads the jobs of a request: lines of JSON, of which empty ones are left out, or an array.
 *
 * @throws AppError `malformed_body` for an array that is no JSON, `invalid_request` for none or more than 10,000
 */
export function readBulk(body: Buffer, type: string | undefined): readonly ReadItem[] {
  const text = body.toString();
  const read = /^application\/(.+\+)?json\b/i.test(type ?? '') ? ofArray(text) : ofLines(text);
  if (read.length > 0 && read.length <= MOST_ITEMS) return read;
  throw new AppError('invalid_request', `body: expected 1 to ${MOST_ITEMS} jobs, got ${read.length}.`, {
    field: 'body',
  });
}

function ofArray(text: string): readonly ReadItem[] {
  const value = parsed(text);
  if (value instanceof AppError) throw value;
  if (Array.isArray(value)) return value.map(checked);
  throw new AppError('invalid_request', 'body: expected an array of jobs, got something else.', { field: 'body' });
}

function ofLines(text: string): readonly ReadItem[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, MOST_ITEMS + 1).map((line) => {
    const value = parsed(line);
    return value instanceof AppError ? { error: value } : checked(value);
  });
}

function checked(value: unknown): ReadItem {
  const wrong = misfit(BulkItem, value);
  if (wrong) {
    const message = `expected a job, got one that does not fit: ${wrong.path || '/'} ${wrong.message}.`;
    return { error: new AppError('invalid_request', message, { path: wrong.path }) };
  }
  const item = value as BulkItem;
  try {
    assertShallow(item.payload);
    return { item };
  } catch (error) {
    return { error: error as AppError };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : 'unknown reason';
    return new AppError('malformed_body', `expected JSON, got text that is not JSON: ${why}.`);
  }
}

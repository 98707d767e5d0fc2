import { misfit } from '#queues/misfit.ts';
import { assertShallow } from '#src/lib/assert-shallow.ts';
import { AppError } from '#src/lib/errors.ts';
import { jsonItems } from '#src/lib/text/json-items.ts';
import { clientJson, inexactFault } from '#src/lib/validation/client-json.ts';
import { describerOf } from '#src/lib/validation/describe-value.ts';
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
  try {
    const value = exactJson(text);
    if (Array.isArray(value)) return value.map((one) => readOne(() => checked(one)));
  } catch (error) {
    // one job of many may be the reason: it is refused alone
    if (!isArray(text)) throw error;
    return jsonItems(text, MOST_ITEMS + 1).map((one) => readOne(() => checked(exactJson(one))));
  }
  throw new AppError('invalid_request', 'body: expected an array of jobs, got something else.', { field: 'body' });
}

function isArray(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

function ofLines(text: string): readonly ReadItem[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, MOST_ITEMS + 1).map((line) => readOne(() => checked(exactJson(line))));
}

/** @throws AppError `invalid_request` for an integer that would be changed */
function exactJson(text: string): unknown {
  const value = clientJson(text);
  const fault = inexactFault(text);
  if (fault) throw fault;
  return value;
}

function readOne(read: () => ReadItem): ReadItem {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError) return { error };
    throw error;
  }
}

const describe = describerOf(BulkItem, 'body');

function checked(value: unknown): ReadItem {
  const wrong = misfit(BulkItem, value);
  if (wrong) {
    const { message, pointer } = describe(value) ?? {
      message: `body: expected a job, got one whose ${wrong.path || '/'} ${wrong.message}.`,
      pointer: wrong.path,
    };
    throw new AppError('invalid_request', message, { path: pointer });
  }
  const item = value as BulkItem;
  assertShallow(item.payload);
  return { item };
}

import { AppError } from '#src/lib/errors.ts';
import type { Cursor } from './stream-source.ts';

/**
 * The cursor in an event id (`<epoch>.<n>`); null for none.
 *
 * @throws AppError `invalid_request` for a text that is no id of ours.
 */
export function parseCursor(id: string | undefined, field = 'last_event_id'): Cursor | null {
  if (!id) return null;
  const [, epoch = '', n = ''] = /^([\w-]{1,100})\.(\d{1,15})$/.exec(id) ?? [];
  if (epoch) return { epoch, n: Number(n) };
  throw new AppError(
    'invalid_request',
    `${field}: expected the id of an event such as 1a2b.7, got ${JSON.stringify(id.slice(0, 100))}.`,
    {
      field,
      value: id.slice(0, 100),
    },
  );
}

import { AppError } from '#src/lib/errors.ts';
import type { Item } from './items.ts';

export interface ItemPage {
  readonly object: 'list';
  readonly data: readonly Item[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
}

/**
 * A page of items, behind the one of the name `after` in that order.
 *
 * @throws AppError `invalid_request` where none has that name.
 */
export function pageOfItems(
  items: readonly Item[],
  { limit, order, after }: { readonly limit: number; readonly order: 'asc' | 'desc'; readonly after?: string },
): ItemPage {
  const ordered = order === 'asc' ? items : items.toReversed();
  const at = after === undefined ? -1 : ordered.findIndex(({ id }) => id === after);
  if (after !== undefined && at < 0)
    throw new AppError('invalid_request', `after: expected the id of one of the items, got ${JSON.stringify(after)}.`, {
      field: 'query.after',
      value: after,
    });
  const data = ordered.slice(at + 1, at + 1 + limit);
  return {
    object: 'list',
    data,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: at + 1 + limit < ordered.length,
  };
}

import { type Static, type TSchema, Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';

/** Prefixes of the ids that clients of OpenAI's kind see. */
const prefixes = { file: 'file-', batch: 'batch_' } as const;
type Kind = keyof typeof prefixes;

/** A UUID as such clients see it: `file-0123…`, without dashes. */
export function publicId(kind: Kind, uuid: string): string {
  return prefixes[kind] + uuid.replaceAll('-', '');
}

/** The UUID behind such an id; null for what is none of this kind. */
export function uuidOf(kind: Kind, id: string): string | null {
  const hex = id.startsWith(prefixes[kind]) ? id.slice(prefixes[kind].length) : '';
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(hex);
  return parts === null ? null : parts.slice(1).join('-');
}

/** Paging parameters of lists for clients of OpenAI's kind. */
export const ListQuery = Type.Object({
  after: Type.Optional(Type.String({ maxLength: 100, description: '`last_id` of the page before' })),
  limit: Type.Integer({ minimum: 1, maximum: 10_000, default: 100, description: 'Most entries of a page' }),
});
export type ListQuery = Static<typeof ListQuery>;

/** A page of a list, as such clients read it. */
export function pageOf<T extends TSchema>(item: T, what: string) {
  const end = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
  return Type.Object({
    object: Type.Enum(['list'], { type: 'string' }),
    data: Type.Array(item, { description: what }),
    first_id: end('The first on this page; null on an empty one'),
    last_id: end('The last on this page: `after` of the next'),
    has_more: Type.Boolean({ description: 'True where there is a next page' }),
  });
}

/** Builds a page from entries; callers read one more than `limit` to learn whether there are more. */
export function listOf<T extends { readonly id: string }>(entries: readonly T[], limit: number) {
  const data = entries.slice(0, limit);
  return {
    object: 'list' as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: entries.length > limit,
  };
}

/** @throws AppError `invalid_request` for what is no id of this kind */
export function cursorOf(kind: 'file' | 'batch', after: string | undefined): string | undefined {
  if (after === undefined) return undefined;
  const uuid = uuidOf(kind, after);
  if (uuid !== null) return uuid;
  const message = `after: expected last_id of the page before, got ${JSON.stringify(after)}.`;
  throw new AppError('invalid_request', message, { field: 'query.after', value: after });
}

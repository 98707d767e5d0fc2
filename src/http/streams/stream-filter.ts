import { type TOptional, type TSchema, Type } from 'typebox';
import type { Filter } from './stream-source.ts';

/** One field by which a stream can be narrowed. */
export interface FilterField {
  /** One value. */
  readonly item: TSchema;
  readonly about: string;
  /** The value as it is compared; as it was given, without this. @throws AppError for one there is not. */
  readonly read?: (text: string) => string;
  readonly of: (type: string, data: unknown) => string;
}

/** Filter by which a stream can be narrowed. */
export interface Filtering {
  readonly fields: Readonly<Record<string, FilterField>>;
  /** The part of the stream's snapshot that fits; the whole of it, without this. */
  readonly narrow?: (snapshot: unknown, wants: Filter['wants']) => unknown;
  /** Properties of a query. */
  readonly query: Readonly<Record<string, TOptional>>;
  /** Schema of a client's messages on a WebSocket. */
  readonly message: TSchema;
}

/** The values wanted, by field; a field that is left out takes every value. */
export type Subscription = Readonly<Record<string, readonly string[]>>;

const MOST_VALUES = 50;

/** A filter with its schemas: of each field a list, which may be left out. */
export function defineFilter(filter: Pick<Filtering, 'fields' | 'narrow'>): Filtering {
  const lists = (more: string) =>
    Object.fromEntries(
      Object.entries(filter.fields).map(([name, { item, about }]) => [
        name,
        Type.Optional(Type.Array(item, { minItems: 1, maxItems: MOST_VALUES, description: `${about}${more}` })),
      ]),
    );
  const type = Type.Enum(['subscribe', 'unsubscribe'], {
    description: 'unsubscribe names a subscription by the same words that made it',
  });
  return {
    ...filter,
    query: lists('; several with commas or as repeated parameters'),
    message: Type.Object({ type, ...lists('') }, { additionalProperties: false }),
  };
}

/** Reads what a client gave, which fits the schemas: the same wish is the same subscription. */
export function readSubscription({ fields }: Filtering, input: Readonly<Record<string, unknown>>): Subscription {
  const wanted: Record<string, readonly string[]> = {};
  for (const [name, { read = String }] of Object.entries(fields)) {
    const values = input[name] as readonly string[] | undefined;
    if (values) wanted[name] = [...new Set(values.map((value) => read(value)))].toSorted();
  }
  return wanted;
}

/** The subscription in a query. */
export function querySubscription(filtering: Filtering, query: unknown): Subscription {
  return readSubscription(filtering, query as Readonly<Record<string, unknown>>);
}

/** Takes what fits at least one of the subscriptions; null when that is everything. */
export function filterOf({ fields, narrow }: Filtering, subscriptions: readonly Subscription[]): Filter | null {
  if (subscriptions.some((one) => Object.keys(one).length === 0)) return null;
  const sets = subscriptions.map((one) =>
    Object.entries(one).map(([name, values]) => [fields[name]?.of, new Set(values)] as const),
  );
  const wants: Filter['wants'] = (type, data) =>
    sets.some((set) => set.every(([of, values]) => of && values.has(of(type, data))));
  return { wants, narrow: (snapshot) => (narrow ? narrow(snapshot, wants) : snapshot) };
}

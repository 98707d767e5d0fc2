import { type CommonQueryMethods, sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { type CallRow, callColumns, callRow } from '#src/governance/budgets/call-row.ts';
import { AppError } from '#src/lib/errors.ts';
import { row } from '#src/system/postgres/postgres.ts';

export const callLists = ['unknown', 'decided'] as const;

export interface CallFilter {
  /** Calls whose outcome is unknown, the longest first; or those that were decided, the newest first. */
  readonly list: (typeof callLists)[number];
  readonly owner?: string | undefined;
  readonly provider?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const Totals = Type.Object({ calls: Type.Integer(), held: Type.Integer() });
/** Totals of all unknown calls. `held` is in millionths of a dollar. */
export type UnknownTotals = Static<typeof Totals>;

const lists = {
  unknown: { where: sql.fragment`state = 'unknown'`, order: sql.fragment`asc`, beyond: sql.fragment`>` },
  decided: { where: sql.fragment`decided_by is not null`, order: sql.fragment`desc`, beyond: sql.fragment`<` },
} as const;

/** @throws AppError `invalid_request` for a cursor that does not fit */
export async function listCalls(
  { db }: { readonly db: CommonQueryMethods },
  { list, owner, provider, limit, cursor }: CallFilter,
): Promise<{ readonly calls: readonly CallRow[]; readonly nextCursor: string | null }> {
  const { where, order, beyond } = lists[list];
  const after = cursor === undefined ? null : readCursor(cursor);
  const from = after
    ? sql.fragment`and (ended_at, job, provider) ${beyond} (timestamptz 'epoch' + ${after.micros}::int8 * interval '1 us', ${after.job}::uuid, ${after.provider})`
    : sql.fragment``;
  const calls = await db.any(sql.type(callRow)`
    select ${callColumns} from provider_calls
    where ${where} ${from}
      and (${owner ?? null}::text is null or owner = ${owner ?? null})
      and (${provider ?? null}::text is null or provider = ${provider ?? null})
    order by ended_at ${order}, job ${order}, provider ${order} limit ${limit}`);
  const last = calls.at(-1);
  if (calls.length < limit || !last) return { calls, nextCursor: null };
  const micros = await db.oneFirst(sql.type(row(Type.Object({ micros: Type.String() })))`
    select (extract(epoch from ended_at) * 1000000)::int8::text as micros from provider_calls
    where job = ${last.job} and provider = ${last.provider}`);
  return { calls, nextCursor: `${micros}.${last.job}.${last.provider}` };
}

/** Counts the unknown calls, and sums what they hold. */
export async function unknownTotals({ db }: { readonly db: CommonQueryMethods }): Promise<UnknownTotals> {
  return await db.one(sql.type(row(Totals))`
    select count(*) as calls, coalesce(sum(coalesce(held, quoted)), 0)::int8 as held from provider_calls
    where state = 'unknown'`);
}

function readCursor(text: string): { micros: string; job: string; provider: string } {
  const [, micros, job, provider] = /^(\d{1,17})\.([0-9a-f-]{36})\.([a-z][a-z0-9-]{0,39})$/.exec(text) ?? [];
  if (micros !== undefined && job !== undefined && provider !== undefined) return { micros, job, provider };
  throw new AppError(
    'invalid_request',
    `cursor: expected next_cursor of the page before, got ${JSON.stringify(text.slice(0, 100))}.`,
    { field: 'query.cursor' },
  );
}

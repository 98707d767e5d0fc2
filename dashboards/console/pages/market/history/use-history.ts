import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ApiError } from '#console/api/api-error.ts';
import { type Answer, type Call, send } from '#console/api/client.ts';
import type { MarketSymbol } from '#console/pages/market/parts/symbols.ts';

/** Histories that are rows of figures through time. */
export type HistoryCall = Extract<Call, `GET /v1/history/${'levels' | 'flips' | 'regime' | 'dsi'}`>;
export type HistoryRow<K extends HistoryCall> = Answer<K>['data']['rows'][number];

/** Rows that one page has, and the most that are read: a chart shows no more than that well. */
const PAGE = 1_000;
const MOST = 50_000;

export interface History<Row> {
  readonly rows: readonly Row[];
  /** True while pages are still coming. */
  readonly isReading: boolean;
  /** True where there are more rows than are read. */
  readonly isCut: boolean;
  readonly error: ApiError | null;
  readonly retry: () => void;
  readonly latest: Answer<HistoryCall> | null;
}

/** Reads past figures, oldest first, page by page as they come. They are read once: the past does not change. */
export function useHistory<K extends HistoryCall>(call: K, symbol: MarketSymbol, days: number): History<HistoryRow<K>> {
  const { data, error, hasNextPage, isFetching, isPending, fetchNextPage, refetch } = useInfiniteQuery<
    Answer<K>,
    ApiError,
    { readonly pages: readonly Answer<K>[] },
    readonly unknown[],
    string | undefined
  >({
    queryKey: [call, { symbol, days }],
    initialPageParam: undefined,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const from = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
      const answer = await send(call, { query: { symbol, from, limit: PAGE, cursor } }, signal);
      return (await answer.json()) as Answer<K>;
    },
    getNextPageParam: ({ data: { next_cursor } }) => next_cursor ?? undefined,
  });
  const pages = data?.pages ?? [];
  const rows = pages.flatMap(({ data: page }) => page.rows as readonly HistoryRow<K>[]);
  const isCut = rows.length >= MOST && hasNextPage;
  const isMore = hasNextPage && !isCut && !isFetching && !error;
  useEffect(() => {
    if (isMore) void fetchNextPage();
  }, [isMore, fetchNextPage]);
  return {
    rows,
    isReading: isPending || isFetching,
    isCut,
    error,
    retry: () => void refetch(),
    latest: pages.at(-1) ?? null,
  };
}

import { useInfiniteQuery } from '@tanstack/react-query';
import type { ApiError } from '#console/api/api-error.ts';
import { type Answer, call } from '#console/api/client.ts';
import { callKey } from '#console/api/use-call.ts';

type Missions = Answer<'GET /api/v1/missions'>;

/** One's missions, newest first, a page after the other; read anew whenever they are looked at. */
export function useMissions() {
  return useInfiniteQuery<Missions, ApiError, { pages: Missions[] }, readonly unknown[], string | null>({
    queryKey: [...callKey('GET /api/v1/missions'), 'pages'],
    initialPageParam: null,
    queryFn: async ({ pageParam }) =>
      await call('GET /api/v1/missions', { query: { limit: 30, ...(pageParam !== null && { cursor: pageParam }) } }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });
}

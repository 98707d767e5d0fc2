import { useInfiniteQuery } from '@tanstack/react-query';
import type { ApiError } from '#console/api/api-error.ts';
import { type Answer, type CallInput, call } from '#console/api/client.ts';
import { callKey } from '#console/api/use-call.ts';

type Query = NonNullable<CallInput<'GET /v1/jobs'>['query']>;

/** Filter of the list of jobs, as the address of the page has it. */
export type Filter = Pick<Query, 'text' | 'owner' | 'queue' | 'state' | 'parent'>;

export type Job = Answer<'GET /v1/jobs'>['data'][number];

/** Jobs that fit, newest first, a page after the other. */
export function useJobs(filter: Filter) {
  return useInfiniteQuery<
    Answer<'GET /v1/jobs'>,
    ApiError,
    { pages: Answer<'GET /v1/jobs'>[] },
    readonly unknown[],
    string | null
  >({
    queryKey: [...callKey('GET /v1/jobs', { query: filter }), 'pages'],
    initialPageParam: null,
    queryFn: async ({ pageParam }) =>
      await call('GET /v1/jobs', { query: { ...filter, limit: 50, ...(pageParam !== null && { cursor: pageParam }) } }),
    getNextPageParam: ({ next_cursor: next }) => next,
    // the list stays while another is looked for
    placeholderData: (before) => before,
  });
}

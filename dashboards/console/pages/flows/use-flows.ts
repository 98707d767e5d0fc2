import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ApiError } from '#console/api/api-error.ts';
import { type Answer, type CallInput, call } from '#console/api/client.ts';
import { callKey } from '#console/api/use-call.ts';
import { useStream } from '#console/api/use-stream.ts';

type List = Answer<'GET /v1/flows'>;
type Query = NonNullable<CallInput<'GET /v1/flows'>['query']>;

/** Flows that are shown. */
export type FlowFilter = Pick<Query, 'state' | 'text'>;
export type FlowItem = List['data'][number];

/** Milliseconds between two reads at least, while jobs of flows end all the time. */
const READ_MS = 1_000;

/** Flows that fit, the newest first, a page after the other. */
export function useFlows(filter: FlowFilter) {
  return useInfiniteQuery<List, ApiError, { pages: List[] }, readonly unknown[], string | null>({
    queryKey: [...callKey('GET /v1/flows', { query: filter }), 'pages'],
    initialPageParam: null,
    queryFn: async ({ pageParam }) =>
      await call('GET /v1/flows', {
        query: { ...filter, limit: 50, ...(pageParam !== null && { before: pageParam }) },
      }),
    getNextPageParam: ({ next }) => next,
    // the list stays while another is looked for
    placeholderData: (before) => before,
  });
}

/** Reads flows again when one of them, or a job of one, has changed. */
export function useFlowChanges() {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readAgain = () => {
    timer.current = undefined;
    void client.invalidateQueries({ queryKey: callKey('GET /v1/flows') });
  };
  return useStream('/v1/jobs/events', {
    types: ['job'],
    onEvent: ({ type, data }) => {
      const job = type === 'job' ? (data as { readonly queue: string; readonly parent_id: string | null }) : null;
      // of what a reset leaves out, any may have been of a flow
      if (job === null || job.queue === 'flows.run' || job.parent_id !== null)
        timer.current ??= setTimeout(readAgain, READ_MS);
    },
  });
}

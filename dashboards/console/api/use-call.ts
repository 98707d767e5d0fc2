import {
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import type { ApiError } from './api-error.ts';
import { type Answer, type Asked, type Call, send } from './client.ts';

/** Name of an answer among those that were read: what events invalidate or write. All of a call: `callKey('GET /v1/jobs')`. */
export function callKey<K extends Call>(name: K, asked?: Asked<K>): readonly unknown[] {
  return asked === undefined ? [name] : [name, asked];
}

/** Reads something and keeps it; the same question is asked once, however many parts of a page ask it. */
export function useCall<K extends Call>(
  name: K,
  asked: Asked<K>,
  options: Pick<UseQueryOptions<Answer<K>, ApiError>, 'enabled' | 'placeholderData' | 'staleTime'> = {},
): UseQueryResult<Answer<K>, ApiError> {
  return useQuery<Answer<K>, ApiError>({
    queryKey: callKey(name, asked),
    queryFn: async ({ signal }) => (await (await send(name, asked, signal)).json()) as Answer<K>,
    ...options,
  });
}

/** Changes something. `onDone` gets what came back: write it, or invalidate what it changes. */
export function useChange<K extends Call>(
  name: K,
  onDone: (answer: Answer<K>, asked: Asked<K>) => void | Promise<void>,
): UseMutationResult<Answer<K>, ApiError, Asked<K>> {
  return useMutation<Answer<K>, ApiError, Asked<K>>({
    mutationFn: async (asked) => {
      const answer = await send(name, asked);
      return (answer.status === 204 ? null : await answer.json()) as Answer<K>;
    },
    onSuccess: (answer, asked) => onDone(answer, asked),
  });
}

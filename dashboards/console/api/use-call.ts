import {
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import type { ApiError } from './api-error.ts';
import { type Answer, type Call, type CallInput, send } from './client.ts';

/**
 * Name of an answer among those that were read: what events invalidate or write. All of a call: `callKey('GET
 * /v1/jobs')`.
 */
export function callKey<K extends Call>(name: K, input?: CallInput<K>): readonly unknown[] {
  return input === undefined ? [name] : [name, input];
}

/** Reads something and keeps it; the same call is sent once, however many parts of a page make it. */
export function useCall<K extends Call>(
  name: K,
  input: CallInput<K>,
  options: Pick<
    UseQueryOptions<Answer<K>, ApiError>,
    'enabled' | 'placeholderData' | 'refetchInterval' | 'staleTime'
  > = {},
): UseQueryResult<Answer<K>, ApiError> {
  return useQuery<Answer<K>, ApiError>({
    queryKey: callKey(name, input),
    queryFn: async ({ signal }) => (await (await send(name, input, signal)).json()) as Answer<K>,
    ...options,
  });
}

/** Changes something. `onDone` gets what came back: write it, or invalidate what it changes. */
export function useChange<K extends Call>(
  name: K,
  onDone: (answer: Answer<K>, input: CallInput<K>) => void | Promise<void>,
): UseMutationResult<Answer<K>, ApiError, CallInput<K>> {
  return useMutation<Answer<K>, ApiError, CallInput<K>>({
    mutationFn: async (input) => {
      const answer = await send(name, input);
      return (answer.status === 204 ? null : await answer.json()) as Answer<K>;
    },
    onSuccess: (answer, input) => onDone(answer, input),
  });
}

import type { ApiError } from '#console/api/api-error.ts';
import { useCall } from '#console/api/use-call.ts';
import type { Approval } from '#console/pages/studio/parts/studio-types.ts';
import { canonicalDigest } from './canonical-digest.ts';

/** Payload of the job that a decision is about, as far as it is here. */
export type ShownPayload =
  | { readonly state: 'whole'; readonly value: unknown }
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: ApiError; readonly again: () => void }
  /** Other bytes than those that the decision is bound to. */
  | { readonly state: 'other' };

/**
 * Reads all of a payload. An effect holds only the beginning of a large one, and its digest: the rest is loaded from the
 * job, and is whole where its digest, computed here, is that of the effect.
 */
export function usePayload({ kind, subject, effect }: Pick<Approval, 'kind' | 'subject' | 'effect'>): ShownPayload {
  const isCut = kind === 'job' && effect['payloadBegins'] !== undefined;
  const { data, error, refetch } = useCall(
    'GET /v1/jobs/{id}',
    { path: { id: subject } },
    { enabled: isCut, staleTime: Number.POSITIVE_INFINITY },
  );
  if (!isCut) return { state: 'whole', value: effect['payload'] };
  if (data === undefined) return error ? { state: 'failed', error, again: () => void refetch() } : { state: 'loading' };
  const isRight = canonicalDigest(data.payload ?? null) === effect['payloadSha256'];
  return isRight ? { state: 'whole', value: data.payload } : { state: 'other' };
}

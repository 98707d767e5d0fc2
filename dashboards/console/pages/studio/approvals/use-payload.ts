import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { useMemo } from 'react';
import type { ApiError } from '#console/api/api-error.ts';
import { useCall } from '#console/api/use-call.ts';
import type { Approval } from '#console/pages/studio/parts/studio-types.ts';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';

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
  const loaded = data?.payload;
  const isRight = useMemo(
    () => isCut && bytesToHex(sha256(utf8ToBytes(canonicalText(loaded ?? null)))) === effect['payloadSha256'],
    [isCut, loaded, effect],
  );
  if (!isCut) return { state: 'whole', value: effect['payload'] };
  if (isRight) return { state: 'whole', value: loaded };
  if (data !== undefined) return { state: 'other' };
  return error ? { state: 'failed', error, again: () => void refetch() } : { state: 'loading' };
}

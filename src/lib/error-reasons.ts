import type { ErrorCode } from './error-codes.ts';

/**
 * The cases of each code that covers several: `details.reason` of an error of this code is one of them, so that a
 * program can tell them apart. `docs/errors.md` lists the same; a test holds the two equal.
 */
export const errorReasons = {
  forbidden: [
    'scope',
    'operator',
    'csrf_token',
    'origin',
    'host',
    'session',
    'more_than_yours',
    'terms',
    'human_scope',
    'key_holds_more',
    'key_made_by_another',
    'link_expired',
    'link_invalid',
    'signature',
    'token',
    'not_listed',
    'unverified_email',
    'sign_in_refused',
    'operator_link',
    'address',
    'private_address',
    'namespace',
  ],
  human_required: ['human', 'proof', 'assurance'],
  invalid_invite: ['unknown', 'used', 'expired'],
  invalid_approval: [
    'unknown',
    'pending',
    'unused',
    'declined',
    'used',
    'expired',
    'other_job',
    'other_kind',
    'other_effect',
  ],
} as const satisfies Partial<Record<ErrorCode, readonly string[]>>;

/** A code whose errors name their case. Every code of status 403 is one. */
export type ReasonedCode = keyof typeof errorReasons;

export type ErrorReason<Code extends ReasonedCode = ReasonedCode> = (typeof errorReasons)[Code][number];

type Row = { readonly status: number; readonly title: string; readonly retryable: boolean };

/**
 * Every error code: its HTTP status, its title, and whether the same request or job may succeed later.
 * `docs/errors.md` lists the same codes; a test holds the two equal.
 */
export const errorCodes = {
  invalid_request: { status: 400, title: 'Invalid Request', retryable: false },
  malformed_body: { status: 400, title: 'Malformed Body', retryable: false },
  unauthorized: { status: 401, title: 'Unauthorized', retryable: false },
  forbidden: { status: 403, title: 'Forbidden', retryable: false },
  human_required: { status: 403, title: 'Human Required', retryable: false },
  invalid_invite: { status: 403, title: 'Invalid Invite', retryable: false },
  invalid_approval: { status: 403, title: 'Invalid Approval', retryable: false },
  not_found: { status: 404, title: 'Not Found', retryable: false },
  unknown_symbol: { status: 404, title: 'Unknown Symbol', retryable: false },
  no_chain: { status: 404, title: 'No Chain', retryable: false },
  method_not_allowed: { status: 405, title: 'Method Not Allowed', retryable: false },
  not_acceptable: { status: 406, title: 'Not Acceptable', retryable: false },
  idempotency_conflict: { status: 409, title: 'Idempotency Conflict', retryable: false },
  state_conflict: { status: 409, title: 'State Conflict', retryable: false },
  invalid_challenge: { status: 409, title: 'Invalid Challenge', retryable: false },
  payload_too_large: { status: 413, title: 'Payload Too Large', retryable: false },
  unsupported_media_type: { status: 415, title: 'Unsupported Media Type', retryable: false },
  range_not_satisfiable: { status: 416, title: 'Range Not Satisfiable', retryable: false },
  upgrade_required: { status: 426, title: 'Upgrade Required', retryable: false },
  invalid_chain: { status: 422, title: 'Invalid Chain', retryable: false },
  invalid_payload: { status: 422, title: 'Invalid Payload', retryable: false },
  unanswerable: { status: 422, title: 'Unanswerable Question', retryable: false },
  unplannable: { status: 422, title: 'Unplannable Goal', retryable: false },
  budget_exceeded: { status: 422, title: 'Budget Exceeded', retryable: false },
  mission_failed: { status: 422, title: 'Mission Failed', retryable: false },
  invalid_proof: { status: 422, title: 'Invalid Proof', retryable: false },
  provider_refused: { status: 422, title: 'Provider Refused', retryable: false },
  invalid_result: { status: 500, title: 'Invalid Result', retryable: false },
  rate_limited: { status: 429, title: 'Rate Limited', retryable: true },
  quota_exceeded: { status: 429, title: 'Quota Exceeded', retryable: true },
  internal: { status: 500, title: 'Internal Error', retryable: true },
  invalid_configuration: { status: 500, title: 'Invalid Configuration', retryable: false },
  poisoned: { status: 500, title: 'Poisoned Job', retryable: false },
  outcome_unknown: { status: 500, title: 'Outcome Unknown', retryable: false },
  stale_claim: { status: 500, title: 'Stale Claim', retryable: true },
  thread_failed: { status: 500, title: 'Thread Failed', retryable: true },
  cancelled: { status: 409, title: 'Cancelled', retryable: false },
  job_timeout: { status: 504, title: 'Job Timed Out', retryable: true },
  provider_failed: { status: 502, title: 'Provider Failed', retryable: true },
  providers_exhausted: { status: 503, title: 'Provider Unavailable', retryable: true },
  media_unavailable: { status: 503, title: 'Media Unavailable', retryable: false },
  storage_full: { status: 507, title: 'Storage Full', retryable: true },
  unavailable: { status: 503, title: 'Service Unavailable', retryable: true },
} as const satisfies Record<string, Row>;

export type ErrorCode = keyof typeof errorCodes;

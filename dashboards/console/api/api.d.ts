/* Written from the OpenAPI document by build-types.ts: `npx vitest run --project integration test/console/api-types.int.test.ts -u`. */

/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Scope".
 */
export type Scope = ("studio.read" | "studio.brief" | "studio.plan" | "studio.render" | "studio.publish" | "studio.worker" | "platform.mcp.read" | "platform.mcp.execute" | "jobs.submit" | "jobs.work" | "jobs.manage")
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChallengePersonRequest".
 */
export type ChallengePersonRequest = ({

} | null)
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RedriveJobRequest".
 */
export type RedriveJobRequest = ({
unknown_effects?: ("send_again" | "assume_done")
} | null)
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ActOnJobsRequest".
 */
export type ActOnJobsRequest = (PreviewAction | BeginAction)
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SignalJobRequest".
 */
export type SignalJobRequest = ({
payload?: unknown
} | null)
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PauseQueueRequest".
 */
export type PauseQueueRequest = ({
reason?: string
} | null)
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "JobWebhook".
 */
export type JobWebhook = ({
url: string
} | {
endpoint: string
})
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "FlowWebhook".
 */
export type FlowWebhook = ({
url: string
} | {
endpoint: string
})
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ErrorCode".
 */
export type ErrorCode = ("invalid_request" | "malformed_body" | "unauthorized" | "forbidden" | "human_required" | "invalid_invite" | "invalid_approval" | "not_found" | "unknown_symbol" | "no_chain" | "method_not_allowed" | "not_acceptable" | "idempotency_conflict" | "state_conflict" | "unique_conflict" | "incompatible_contract" | "invalid_challenge" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "upgrade_required" | "invalid_chain" | "invalid_contract" | "invalid_payload" | "step_too_large" | "too_many_steps" | "too_many_signals" | "dependency_failed" | "unanswerable" | "unplannable" | "budget_exceeded" | "mission_failed" | "invalid_proof" | "provider_refused" | "invalid_result" | "rate_limited" | "quota_exceeded" | "internal" | "invalid_configuration" | "content_lost" | "poisoned" | "outcome_unknown" | "stale_claim" | "thread_failed" | "cancelled" | "job_timeout" | "provider_failed" | "providers_exhausted" | "media_unavailable" | "storage_full" | "unavailable")
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WriteOffProviderCallRequest".
 */
export type WriteOffProviderCallRequest = ({
reason?: string
} | null)
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "EnvelopeType".
 */
export type EnvelopeType = "application/vnd.in-toto+json"
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Assurance".
 */
export type Assurance = ("enrolled" | "unique" | "present" | "unique+present")
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CreatePlanRequest".
 */
export type CreatePlanRequest = (CreatePlanRequest1 & {
briefId?: string
prompt?: string
mode?: ("video" | "avatar" | "persona" | "voice" | "campaign" | "publish")
routePolicy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
targetFormats?: string[]
budgetUsd?: number
})
export type CreatePlanRequest1 = {
[k: string]: unknown
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PublishAssetsRequest".
 */
export type PublishAssetsRequest = (PublishAssetsRequest1 & {
assetId?: string
planId?: string
channels: ("tiktok" | "instagram" | "youtube_shorts" | "linkedin" | "x_twitter" | "pinterest" | "shopify" | "gumroad" | "manual_export")[]
dryRun: boolean
approvalRef?: string
})
export type PublishAssetsRequest1 = {
[k: string]: unknown
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RunWorkerRequest".
 */
export type RunWorkerRequest = ({
limit?: number
} | null)
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChallengeApprovalRequest".
 */
export type ChallengeApprovalRequest = ({

} | null)
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudioKeyScope".
 */
export type StudioKeyScope = ("studio.read" | "studio.brief" | "studio.plan" | "studio.render" | "studio.publish" | "studio.worker" | "platform.mcp.read" | "platform.mcp.execute")
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ExecuteMissionRequest".
 */
export type ExecuteMissionRequest = ({

} | null)
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "DeclineStepRequest".
 */
export type DeclineStepRequest = ({

} | null)
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Sensitivity".
 */
export type Sensitivity = ("none" | "confirm" | "spend" | "publish" | "likeness" | "claim" | "outside")
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WorkState".
 */
export type WorkState = ("awaiting_approval" | "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled" | "planned" | "awaiting_human" | "executing" | "sealing" | "sealed")
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChatToolChoice".
 */
export type ChatToolChoice = (("none" | "auto" | "required") | {
type: "function"
function: {
name: string
}
})
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChatResponseFormat".
 */
export type ChatResponseFormat = ({
type: ("text" | "json_object")
} | {
type: "json_schema"
json_schema: {
name: string
description?: string
schema?: {
[k: string]: unknown
}
strict?: (boolean | null)
}
})
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ResponseContentPart".
 */
export type ResponseContentPart = ({
type: "input_text"
text: string
} | {
type: "input_image"
image_url: string
detail: ("auto" | "low" | "high")
} | {
type: "output_text"
text: string
annotations: {
[k: string]: unknown
}[]
logprobs: {
[k: string]: unknown
}[]
} | {
type: "refusal"
refusal: string
})
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ResponseTextFormatSet".
 */
export type ResponseTextFormatSet = ({
type: "text"
} | {
type: "json_object"
} | {
type: "json_schema"
name: string
schema: ({
[k: string]: unknown
} | null)
strict: boolean
description: (string | null)
})
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ResponseTextFormat".
 */
export type ResponseTextFormat = ({
type: "text"
} | {
type: "json_object"
} | {
type: "json_schema"
name: string
schema: {
[k: string]: unknown
}
strict?: (boolean | null)
description?: (string | null)
})
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "AnchorStatus".
 */
export type AnchorStatus = ("waiting" | "new" | "signed" | "included" | "safe" | "finalized" | "void")
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "AnswerStatus".
 */
export type AnswerStatus = ("ok" | "stale" | "degraded_chain" | "no_chain" | "no_constituents" | "no_data" | "no_figure" | "no_flow" | "no_gamma" | "no_history" | "no_moves" | "no_position" | "no_positions" | "no_prices" | "no_prints" | "no_proxy_price" | "no_quotes" | "no_range" | "no_realised_volatility" | "no_session" | "no_short_volume" | "no_tapes" | "no_trade_tape" | "no_volatility" | "no_volume" | "insufficient_history" | "missing_beta" | "missing_beta_and_volatility" | "missing_volatility" | "too_few_observations" | "too_few_strikes" | "undefined_without_volatility" | "arbitrage" | "inaccurate" | "infeasible" | "open_band" | "poor_fit" | "small_net_gamma" | "zero_net_gamma" | "empty" | "incomplete" | "no_causes" | "not_available" | "not_understood" | "outside_domain" | "too_long" | "unknown_symbol")
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "FeedStatus".
 */
export type FeedStatus = ("ok" | "unavailable" | "refused" | "invalid" | "half_chain")
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MarketSymbol".
 */
export type MarketSymbol = ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Generation".
 */
export type Generation = (1 | 2 | 3 | "ensemble")
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "FlipStatus".
 */
export type FlipStatus = ("ok" | "none_in_range" | "tangent" | "degraded_chain")
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PortfolioStressStatus".
 */
export type PortfolioStressStatus = ("ok" | "undefined_without_volatility")
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudioErrorCode".
 */
export type StudioErrorCode = ("invalid_request" | "malformed_body" | "unauthorized" | "forbidden" | "human_required" | "invalid_invite" | "invalid_approval" | "not_found" | "unknown_symbol" | "no_chain" | "method_not_allowed" | "not_acceptable" | "idempotency_conflict" | "state_conflict" | "unique_conflict" | "incompatible_contract" | "invalid_challenge" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "upgrade_required" | "invalid_chain" | "invalid_contract" | "invalid_payload" | "step_too_large" | "too_many_steps" | "too_many_signals" | "dependency_failed" | "unanswerable" | "unplannable" | "budget_exceeded" | "mission_failed" | "invalid_proof" | "provider_refused" | "invalid_result" | "rate_limited" | "quota_exceeded" | "internal" | "invalid_configuration" | "content_lost" | "poisoned" | "outcome_unknown" | "stale_claim" | "thread_failed" | "cancelled" | "job_timeout" | "provider_failed" | "providers_exhausted" | "media_unavailable" | "storage_full" | "unavailable" | "rate_limit_exceeded")
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ResponseEvent".
 */
export type ResponseEvent = ({
type: ("response.created" | "response.queued" | "response.in_progress" | "response.completed" | "response.incomplete" | "response.failed")
sequence_number: number
response: ModelResponse
} | {
type: ("response.output_item.added" | "response.output_item.done")
sequence_number: number
output_index: number
item: (ResponseMessageItem | ResponseFunctionCall)
} | {
type: ("response.content_part.added" | "response.content_part.done")
sequence_number: number
item_id: string
output_index: number
content_index: number
part: ResponseContentPart
} | {
type: "response.output_text.delta"
sequence_number: number
item_id: string
output_index: number
content_index: number
delta: string
logprobs: {
[k: string]: unknown
}[]
} | {
type: "response.output_text.done"
sequence_number: number
item_id: string
output_index: number
content_index: number
text: string
logprobs: {
[k: string]: unknown
}[]
} | {
type: "response.refusal.delta"
sequence_number: number
item_id: string
output_index: number
content_index: number
delta: string
} | {
type: "response.refusal.done"
sequence_number: number
item_id: string
output_index: number
content_index: number
refusal: string
} | {
type: "response.function_call_arguments.delta"
sequence_number: number
item_id: string
output_index: number
delta: string
} | {
type: "response.function_call_arguments.done"
sequence_number: number
item_id: string
output_index: number
name: string
arguments: string
})

export interface Api {
"GET /.well-known/oauth-protected-resource/api/mcp": {
answer: ResourceMetadata
}
"GET /.well-known/oauth-protected-resource": {
answer: ResourceMetadata
}
"GET /v1/health": {
answer: ReadHealthAnswer
}
"GET /auth/sign-in": {
answer: never
query?: {
return_to?: string
prompt?: ("login" | "select_account")
}
}
"GET /auth/callback": {
answer: never
query: {
state: string
}
}
"POST /auth/sign-out": {
answer: null
}
"GET /auth/session": {
answer: SignedIn
}
"GET /auth/visitor": {
answer: Visitor
}
"POST /auth/link": {
answer: null
body: SignInByLinkRequest
}
"POST /auth/human/challenge": {
answer: ChallengePersonAnswer
body: ChallengePersonRequest
}
"POST /auth/human": {
answer: ProvePersonAnswer
body: ProvePersonRequest
}
"GET /v1/jobs": {
answer: ListJobsAnswer
query?: {
owner?: string
queue?: string
state?: ("awaiting_approval" | "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled")
parent?: string
text?: string
limit?: number
cursor?: string
}
}
"GET /v1/jobs/{id}": {
answer: Job
path: {
id: string
}
}
"DELETE /v1/jobs/{id}": {
answer: Job
path: {
id: string
}
}
"POST /v1/jobs/{id}/redrive": {
answer: Job
path: {
id: string
}
body: RedriveJobRequest
}
"GET /v1/jobs/{id}/events": {
answer: null
path: {
id: string
}
query?: {
token?: string
last_event_id?: string
}
}
"POST /v1/jobs/actions": {
answer: (JobActionPreview | Job)
body: ActOnJobsRequest
}
"POST /v1/jobs/{id}/signals/{name}": {
answer: SignalAnswer
path: {
id: string
name: string
}
headers?: {
"idempotency-key"?: string
}
body: SignalJobRequest
}
"GET /v1/jobs/{id}/logs": {
answer: ReadJobLogAnswer
path: {
id: string
}
query?: {
after?: string
limit?: number
}
}
"GET /v1/jobs/{id}/logs/events": {
answer: null
path: {
id: string
}
query?: {
last_event_id?: string
}
}
"GET /v1/jobs/{id}/timeline": {
answer: JobTimeline
path: {
id: string
}
}
"GET /v1/queues": {
answer: ListQueuesAnswer
}
"GET /v1/fleets": {
answer: ListFleetsAnswer
}
"POST /v1/queues/{name}/pause": {
answer: QueueView
path: {
name: string
}
body: PauseQueueRequest
}
"POST /v1/queues/{name}/resume": {
answer: QueueView
path: {
name: string
}
}
"GET /v1/queues/{name}/history": {
answer: ReadQueueHistoryAnswer
path: {
name: string
}
query?: {
from?: string
to?: string
step?: string
group?: string
}
}
"GET /v1/operations/history": {
answer: ReadHistoryAnswer
query?: {
from?: string
to?: string
step?: string
}
}
"GET /v1/queues/{name}": {
answer: ReadQueueContractsAnswer
path: {
name: string
}
}
"PUT /v1/queues/{name}": {
answer: QueueContract
path: {
name: string
}
body: RegisterQueueRequest
}
"GET /v1/queues/{name}/contracts/{digest}": {
answer: QueueContractText
path: {
name: string
digest: string
}
}
"GET /v1/namespaces": {
answer: ListNamespacesAnswer
}
"GET /v1/queues/{name}/rules": {
answer: ListQueueRulesAnswer
path: {
name: string
}
}
"PUT /v1/queues/{name}/rules": {
answer: QueueRule
path: {
name: string
}
body: PutQueueRuleRequest
}
"DELETE /v1/queues/{name}/rules": {
answer: null
path: {
name: string
}
query: {
kind: ("queue" | "group" | "owner" | "key")
name?: string
}
}
"GET /v1/queues/{name}/groups": {
answer: ListQueueGroupsAnswer
path: {
name: string
}
}
"POST /v1/queues/{name}/jobs": {
answer: unknown
path: {
name: string
}
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: SubmitJobRequest
}
"POST /v1/jobs/bulk": {
answer: string
query?: {
atomic?: boolean
}
body: SubmitJobsRequest
}
"GET /v1/schedules": {
answer: ListSchedulesAnswer
query?: {
limit?: number
after?: string
owner?: string
}
}
"GET /v1/schedule-times": {
answer: RuleTimes
query?: {
cron?: string
every_ms?: number
zone?: string
}
}
"PUT /v1/schedules/{name}": {
answer: Schedule
path: {
name: string
}
body: PutScheduleRequest
}
"GET /v1/schedules/{name}": {
answer: ScheduleDetail
path: {
name: string
}
query?: {
owner?: string
}
}
"DELETE /v1/schedules/{name}": {
answer: null
path: {
name: string
}
query?: {
owner?: string
}
}
"POST /v1/schedules/{name}/pause": {
answer: Schedule
path: {
name: string
}
query?: {
owner?: string
}
}
"POST /v1/schedules/{name}/resume": {
answer: Schedule
path: {
name: string
}
query?: {
owner?: string
}
}
"POST /v1/schedules/{name}/run": {
answer: RunScheduleAnswer202
path: {
name: string
}
}
"GET /v1/limits/mine": {
answer: ReadOwnLimitsAnswer
}
"GET /v1/limits": {
answer: ListLimitsAnswer
query?: {
limit?: number
after?: string
}
}
"PUT /v1/limits": {
answer: Limit
body: SetLimitRequest
}
"DELETE /v1/limits": {
answer: null
query: {
kind: ("queue_depth" | "requests_per_minute" | "requests_per_day" | "schedules")
scope: ("key" | "owner" | "plan" | "default")
subject?: string
}
}
"GET /v1/limits/refusals": {
answer: ListLimitRefusalsAnswer
}
"GET /v1/jobs/{id}/approval": {
answer: JobApproval
path: {
id: string
}
}
"POST /v1/stream-tokens": {
answer: StreamToken
body: CreateStreamTokenRequest
}
"DELETE /v1/stream-tokens/{id}": {
answer: null
path: {
id: string
}
}
"GET /v1/webhook-endpoints": {
answer: ListWebhookEndpointsAnswer
}
"POST /v1/webhook-endpoints": {
answer: WebhookEndpointWithSecret
body: CreateWebhookEndpointRequest
}
"GET /v1/webhook-endpoints/{id}": {
answer: WebhookEndpoint
path: {
id: string
}
}
"PATCH /v1/webhook-endpoints/{id}": {
answer: WebhookEndpoint
path: {
id: string
}
body: ChangeWebhookEndpointRequest
}
"DELETE /v1/webhook-endpoints/{id}": {
answer: null
path: {
id: string
}
}
"POST /v1/webhook-endpoints/{id}/rotate-secret": {
answer: WebhookEndpointWithSecret
path: {
id: string
}
}
"POST /v1/webhook-endpoints/{id}/test": {
answer: WebhookTest
path: {
id: string
}
}
"GET /v1/webhook-deliveries": {
answer: ListWebhookEventDeliveriesAnswer
query?: {
endpoint?: string
state?: ("pending" | "sending" | "delivered" | "failed")
limit?: number
cursor?: string
}
}
"GET /v1/webhook-deliveries/{id}": {
answer: WebhookEventDeliveryDetail
path: {
id: string
}
}
"POST /v1/webhook-deliveries/{id}/replay": {
answer: WebhookEventDelivery
path: {
id: string
}
}
"POST /v1/webhook-endpoints/{id}/replay": {
answer: ReplayWebhookEndpointAnswer202
path: {
id: string
}
body: ReplayWebhookEndpointRequest
}
"POST /v1/flows": {
answer: Flow
headers?: {
"idempotency-key"?: string
}
body: SubmitFlowRequest
}
"GET /v1/flows": {
answer: ListFlowsAnswer
query?: {
limit?: number
before?: string
state?: ("awaiting_approval" | "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled")
text?: string
}
}
"GET /v1/flows/{id}": {
answer: Flow
path: {
id: string
}
}
"DELETE /v1/flows/{id}": {
answer: Flow
path: {
id: string
}
}
"POST /v1/flows/{id}/redrive": {
answer: Flow
path: {
id: string
}
}
"GET /v1/jobs/{id}/receipt": {
answer: JobReceipt
path: {
id: string
}
}
"POST /v1/workers": {
answer: RegisteredWorker
body: RegisterWorkerRequest
}
"GET /v1/workers": {
answer: ListWorkersAnswer
}
"POST /v1/workers/{worker}/poll": {
answer: PolledJobs
path: {
worker: string
}
body: PollJobsRequest
}
"POST /v1/workers/{worker}/report": {
answer: ReportAnswers
path: {
worker: string
}
body: ReportJobsRequest
}
"DELETE /v1/workers/{worker}": {
answer: null
path: {
worker: string
}
}
"GET /v1/provider-calls": {
answer: ListProviderCallsAnswer
query?: {
list?: ("unknown" | "decided")
owner?: string
provider?: string
limit?: number
cursor?: string
}
}
"POST /v1/provider-calls/{job}/{provider}/write-off": {
answer: ProviderCall
path: {
job: string
provider: string
}
body: WriteOffProviderCallRequest
}
"POST /v1/provider-calls/{job}/{provider}/bill": {
answer: ProviderCall
path: {
job: string
provider: string
}
body: BillProviderCallRequest
}
"GET /v1/operations/events": {
answer: null
query?: {
token?: string
last_event_id?: string
}
}
"GET /v1/jobs/events": {
answer: null
query?: {
token?: string
last_event_id?: string
}
}
"GET /v1/artefacts/{sha256}": {
answer: null
path: {
sha256: string
}
query: {
asset: string
expires?: number
signature?: string
}
headers?: {
range?: string
"if-range"?: string
"if-none-match"?: string
}
}
"GET /.well-known/jwks.json": {
answer: ReadSealKeysAnswer
}
"GET /.well-known/seal-manifest.json": {
answer: KeyManifest
}
"GET /.well-known/anchor-accounts.json": {
answer: ListAnchorAccountsAnswer
}
"GET /.well-known/seal-manifest-anchors.json": {
answer: ManifestAnchors
}
"GET /api/v1/receipts/{id}": {
answer: ReadReceiptAnswer
path: {
id: string
}
query?: {
onchain?: ("0" | "1")
}
}
"GET /api/v1/receipts/{id}/verify": {
answer: Attestation
path: {
id: string
}
query?: {
onchain?: ("0" | "1")
}
}
"GET /api/v1/receipts/{id}.dsse": {
answer: ReadReceiptEnvelopeAnswer
path: {
id: string
}
}
"GET /api/v1/anchors": {
answer: ListAnchorsAnswer
query?: {
chain?: string
cursor?: string
limit?: number
}
}
"POST /v1/providers/{provider}/webhook/{job}": {
answer: null
path: {
provider: string
job: string
}
query: {
token: string
}
body: TellProviderTaskRequest
}
"POST /api/v1/humans/challenge": {
answer: HumanChallenge
body: MakeHumanChallengeRequest
}
"POST /api/v1/humans/enrol": {
answer: EnrolHumanAnswer
body: EnrolHumanRequest
}
"GET /api/v1/humans/group": {
answer: HumanGroup
}
"POST /api/v1/humans/invites": {
answer: InviteHumanAnswer
body: InviteHumanRequest
}
"GET /api/v1/humans/invites": {
answer: ListInvitesAnswer
}
"DELETE /api/v1/humans/invites/{id}": {
answer: HumanInvite
path: {
id: string
}
}
"GET /api/v1/humans": {
answer: ListHumansAnswer
}
"DELETE /api/v1/humans/{id}": {
answer: RemoveHumanAnswer
path: {
id: string
}
}
"POST /api/v1/keys": {
answer: MintKeyAnswer
body: MintKeyRequest
}
"GET /api/v1/keys": {
answer: ListKeysAnswer
}
"PATCH /api/v1/keys/{id}": {
answer: ApiKey
path: {
id: string
}
body: ChangeKeyRequest
}
"DELETE /api/v1/keys/{id}": {
answer: ApiKey
path: {
id: string
}
}
"GET /api/studio/v1": {
answer: StudioEnvelope
}
"GET /api/studio/v1/capabilities": {
answer: StudioEnvelope
}
"GET /api/studio/v1/monitoring": {
answer: StudioEnvelope
}
"GET /api/studio/v1/openapi": {
answer: DescribeStudioAnswer
}
"POST /api/studio/v1/brief": {
answer: StudioEnvelope
headers?: {
"idempotency-key"?: string
}
body: CreateBriefRequest
}
"POST /api/studio/v1/plan": {
answer: StudioEnvelope
headers?: {
"idempotency-key"?: string
}
body: CreatePlanRequest
}
"GET /api/studio/v1/briefs": {
answer: ListStudioBriefsAnswer
query?: {
limit?: number
cursor?: string
}
}
"GET /api/studio/v1/briefs/{id}": {
answer: ReadStudioBriefAnswer
path: {
id: string
}
}
"GET /api/studio/v1/plans": {
answer: ListStudioPlansAnswer
query?: {
limit?: number
cursor?: string
brief?: string
}
}
"GET /api/studio/v1/plans/{id}": {
answer: ReadStudioPlanAnswer
path: {
id: string
}
}
"GET /api/studio/v1/jobs": {
answer: ListStudioJobsAnswer
query?: {
limit?: number
cursor?: string
plan?: string
}
}
"GET /api/studio/v1/jobs/{id}": {
answer: ReadStudioJobAnswer
path: {
id: string
}
}
"GET /api/studio/v1/assets": {
answer: ListStudioAssetsAnswer
query?: {
limit?: number
cursor?: string
job?: string
}
}
"GET /api/studio/v1/assets/{id}": {
answer: ReadStudioAssetAnswer
path: {
id: string
}
}
"GET /api/studio/v1/explore": {
answer: StudioEnvelope
query: {
mode: ("providers" | "workflows" | "assets" | "jobs" | "plans" | "approvals" | "metrics" | "api")
query?: string
capability?: string
limit?: number
}
}
"GET /api/studio/v1/analyze": {
answer: StudioEnvelope
query: {
scope: ("providers" | "jobs" | "approvals" | "spend" | "publishing" | "assets")
window?: ("24h" | "7d" | "30d" | "90d")
mode?: ("video" | "avatar" | "persona" | "voice" | "campaign" | "publish")
}
}
"POST /api/studio/v1/render": {
answer: StudioEnvelope
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: RenderPlanRequest
}
"POST /api/studio/v1/publish": {
answer: StudioEnvelope
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: PublishAssetsRequest
}
"POST /api/studio/v1/worker/run": {
answer: RunWorkerAnswer
body: RunWorkerRequest
}
"GET /api/studio/v1/approvals": {
answer: ListApprovalsAnswer
query?: {
status?: ("pending" | "granted" | "declined" | "used" | "expired")
subject?: string
limit?: number
cursor?: string
}
}
"GET /api/studio/v1/approvals/{id}": {
answer: StudioApproval
path: {
id: string
}
}
"POST /api/studio/v1/approvals/{id}/challenge": {
answer: ChallengeApprovalAnswer
path: {
id: string
}
body: ChallengeApprovalRequest
}
"POST /api/studio/v1/approvals/{id}/decision": {
answer: StudioApproval
path: {
id: string
}
body: DecideApprovalRequest
}
"GET /api/studio/v1/events": {
answer: null
query?: {
last_event_id?: string
}
}
"POST /api/studio/v1/keys": {
answer: StudioCreateKeyAnswer
body: StudioCreateKeyRequest
}
"GET /api/studio/v1/keys": {
answer: StudioListKeysAnswer
}
"PATCH /api/studio/v1/keys/{id}": {
answer: StudioKey
path: {
id: string
}
body: StudioUpdateKeyRequest
}
"DELETE /api/studio/v1/keys/{id}": {
answer: StudioRevokeKeyAnswer
path: {
id: string
}
}
"GET /api/studio/v1/keys/{id}/usage": {
answer: StudioKeyUsage
path: {
id: string
}
}
"GET /api/studio/v1/developer/access-check": {
answer: StudioAccessCheckAnswer
}
"GET /.well-known/mcp.json": {
answer: ReadMcpClientMetadataAnswer
}
"POST /api/v1/missions": {
answer: Mission
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: CreateMissionRequest
}
"GET /api/v1/missions": {
answer: ListMissionsAnswer
query?: {
limit?: number
cursor?: string
}
}
"GET /api/v1/missions/{id}": {
answer: Mission
path: {
id: string
}
}
"DELETE /api/v1/missions/{id}": {
answer: Mission
path: {
id: string
}
}
"POST /api/v1/missions/{id}/execute": {
answer: (Receipt | Mission)
path: {
id: string
}
headers?: {
prefer?: string
}
body: ExecuteMissionRequest
}
"POST /api/v1/missions/{id}/steps/{step}/approve": {
answer: (Receipt | Mission)
path: {
id: string
step: string
}
headers?: {
prefer?: string
}
body: ApproveStepRequest
}
"POST /api/v1/missions/{id}/steps/{step}/decline": {
answer: Mission
path: {
id: string
step: string
}
body: DeclineStepRequest
}
"GET /api/v1/missions/{id}/events": {
answer: null
path: {
id: string
}
query?: {
last_event_id?: string
}
}
"GET /api/v1/stats": {
answer: MissionStats
}
"GET /api/v1/webhook-secret": {
answer: ReadWebhookSecretAnswer
}
"GET /api/v2": {
answer: PlatformContract
}
"GET /api/v2/health": {
answer: PlatformHealth
}
"GET /api/v2/integrations/catalog": {
answer: Integrations
}
"GET /api/v2/capabilities": {
answer: ListPlatformCapabilitiesAnswer
}
"GET /api/v2/capabilities/{slug}": {
answer: CapabilityDescriptor
path: {
slug: string
}
}
"GET /api/v2/families": {
answer: ListFamiliesAnswer
}
"GET /api/v2/providers": {
answer: ListProvidersAnswer
}
"GET /api/v2/models": {
answer: ListModelsAnswer
}
"GET /api/v2/models/{id}": {
answer: PlatformModel
path: {
id: string
}
}
"GET /api/v2/personas": {
answer: ListPersonasAnswer
}
"POST /api/v2/chat/completions": {
answer: ChatCompletion
headers?: {
"idempotency-key"?: string
}
body: ChatCompletionRequest
}
"POST /api/v2/responses": {
answer: ModelResponse
headers?: {
"idempotency-key"?: string
}
body: ResponseCreation
}
"GET /api/v2/responses/{id}": {
answer: ModelResponse
path: {
id: string
}
query?: {
stream?: boolean
starting_after?: number
include_obfuscation?: boolean
include?: string[]
"include[]"?: string[]
}
}
"DELETE /api/v2/responses/{id}": {
answer: DeleteResponseAnswer
path: {
id: string
}
}
"POST /api/v2/responses/{id}/cancel": {
answer: ModelResponse
path: {
id: string
}
}
"GET /api/v2/responses/{id}/input_items": {
answer: ListInputItemsAnswer
path: {
id: string
}
query?: {
limit?: number
order?: ("asc" | "desc")
after?: string
include?: string[]
"include[]"?: string[]
}
}
"POST /api/v2/audio/speech": {
answer: (null | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: SpeechCreation
}
"POST /api/v2/audio/transcriptions": {
answer: (Transcript | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: TranscriptionCreation
}
"POST /api/v2/images/generate": {
answer: (MadeImages | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: ImageGeneration
}
"POST /api/v2/images/generations": {
answer: (MadeImages | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: ImageGeneration
}
"POST /api/v2/images/edit": {
answer: (MadeImages | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: ImageEdit
}
"POST /api/v2/images/edits": {
answer: (MadeImages | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: ImageEdit
}
"POST /api/v2/images/upscale": {
answer: (MadeImages | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: ImageUpscale
}
"POST /api/v2/videos/generate": {
answer: (MadeMedia | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: VideoGeneration
}
"POST /api/v2/videos/from-image": {
answer: (MadeMedia | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: VideoFromImage
}
"POST /api/v2/personas/{id}/video": {
answer: (MadeMedia | PendingWork)
path: {
id: string
}
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: PersonaVideo
}
"POST /api/v2/music/generate": {
answer: (MadeMedia | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: MusicGeneration
}
"POST /api/v2/music/compose": {
answer: (MadeMedia | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: VideoComposition
}
"POST /api/v2/videos": {
answer: Video
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: VideoCreation
}
"GET /api/v2/videos": {
answer: ListVideosAnswer
query?: {
limit?: number
after?: string
order?: ("asc" | "desc")
}
}
"GET /api/v2/videos/{id}": {
answer: Video
path: {
id: string
}
}
"DELETE /api/v2/videos/{id}": {
answer: DeleteVideoAnswer
path: {
id: string
}
}
"GET /api/v2/videos/{id}/content": {
answer: null
path: {
id: string
}
query?: {
variant?: ("video" | "thumbnail")
}
headers?: {
range?: string
"if-range"?: string
"if-none-match"?: string
}
}
"POST /api/v2/files": {
answer: PlatformFile
}
"GET /api/v2/files": {
answer: ListFilesAnswer
query?: {
after?: string
limit?: number
order?: ("asc" | "desc")
purpose?: ("assistants" | "batch" | "fine-tune" | "vision" | "user_data" | "evals" | "batch_output")
}
}
"GET /api/v2/files/{id}": {
answer: PlatformFile
path: {
id: string
}
}
"DELETE /api/v2/files/{id}": {
answer: DeleteFileAnswer
path: {
id: string
}
}
"GET /api/v2/files/{id}/content": {
answer: null
path: {
id: string
}
headers?: {
range?: string
"if-range"?: string
"if-none-match"?: string
}
}
"POST /api/v2/batch": {
answer: Batch
headers?: {
"idempotency-key"?: string
}
body: CreateBatchRequest
}
"GET /api/v2/batch/{id}": {
answer: Batch
path: {
id: string
}
}
"POST /api/v2/batch/{id}/cancel": {
answer: Batch
path: {
id: string
}
}
"POST /api/v2/batches": {
answer: Batch
headers?: {
"idempotency-key"?: string
}
body: CreateBatchOpenAiRequest
}
"GET /api/v2/batches": {
answer: ListBatchesAnswer
query?: {
after?: string
limit?: number
}
}
"GET /api/v2/batches/{id}": {
answer: Batch
path: {
id: string
}
}
"POST /api/v2/batches/{id}/cancel": {
answer: Batch
path: {
id: string
}
}
"GET /api/v2/webhooks": {
answer: ListWebhookDeliveriesAnswer
query?: {
limit?: number
cursor?: string
}
}
"POST /api/v2/webhooks/{id}/replay": {
answer: WebhookDelivery
path: {
id: string
}
}
"GET /api/v2/gov/mission-contracts": {
answer: ReadMissionContractsAnswer
query?: {
limit?: number
cursor?: string
}
}
"GET /api/v2/gov/receipts": {
answer: ListGovernanceReceiptsAnswer
query?: {
limit?: number
cursor?: string
}
}
"GET /api/v2/gov/approvals": {
answer: ListGovernanceApprovalsAnswer
query?: {
limit?: number
cursor?: string
status?: ("pending" | "granted" | "declined" | "used" | "expired")
}
}
"POST /api/v2/orchestrate/run": {
answer: Orchestration
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: OrchestrationCreation
}
"POST /v1/snapshot": {
answer: (ChainAnalyticsAnswer | Job)
query?: {
symbol?: string
}
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: CreateSnapshotRequest
}
"DELETE /v1/snapshot/{symbol}": {
answer: ForgetSnapshotAnswer
path: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
}
}
"GET /v1/gex/{symbol}": {
answer: (GexAnswer | Job)
path: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
}
query?: {
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
vol_regime?: ("sticky_strike" | "sticky_moneyness" | "ssr")
ssr?: number
}
headers?: {
prefer?: string
}
}
"GET /v1/gex": {
answer: (GexAnswer | Job)
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
vol_regime?: ("sticky_strike" | "sticky_moneyness" | "ssr")
ssr?: number
}
headers?: {
prefer?: string
}
}
"GET /v1/vex/{symbol}": {
answer: (ExposureAnswer | Job)
path: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
}
query?: {
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/vex": {
answer: (ExposureAnswer | Job)
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/cex/{symbol}": {
answer: (ExposureAnswer | Job)
path: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
}
query?: {
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/cex": {
answer: (ExposureAnswer | Job)
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/dsi/{symbol}": {
answer: (DealerStabilityIndexAnswer | Job)
path: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
}
query?: {
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
vol_regime?: ("sticky_strike" | "sticky_moneyness" | "ssr")
ssr?: number
}
headers?: {
prefer?: string
}
}
"GET /v1/dsi": {
answer: (DealerStabilityIndexAnswer | Job)
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
vol_regime?: ("sticky_strike" | "sticky_moneyness" | "ssr")
ssr?: number
}
headers?: {
prefer?: string
}
}
"GET /v1/regime/{symbol}": {
answer: (RegimeAnswer | Job)
path: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
}
query?: {
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/regime": {
answer: (RegimeAnswer | Job)
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/levels/{symbol}": {
answer: (LevelsAnswer | Job)
path: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
}
query?: {
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
vol_regime?: ("sticky_strike" | "sticky_moneyness" | "ssr")
ssr?: number
flip_draws?: number
}
headers?: {
prefer?: string
}
}
"GET /v1/levels": {
answer: (LevelsAnswer | Job)
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
vol_regime?: ("sticky_strike" | "sticky_moneyness" | "ssr")
ssr?: number
flip_draws?: number
}
headers?: {
prefer?: string
}
}
"GET /v1/charm/{symbol}": {
answer: (CharmAnswer | Job)
path: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
}
query?: {
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/charm": {
answer: (CharmAnswer | Job)
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/charm/{symbol}/schedule": {
answer: (CharmScheduleAnswer | Job)
path: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
}
query?: {
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/surface/{symbol}": {
answer: (VolatilitySurfaceAnswer | Job)
path: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
}
query?: {
from?: ("own" | "feed")
generation?: "1"
days?: number[]
years?: number[]
expiries?: string[]
k?: number[]
strikes?: number[]
quotes?: boolean
}
headers?: {
prefer?: string
}
}
"GET /v1/surface": {
answer: (VolatilitySurfaceAnswer | Job)
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: ("own" | "feed")
generation?: "1"
days?: number[]
years?: number[]
expiries?: string[]
k?: number[]
strikes?: number[]
quotes?: boolean
}
headers?: {
prefer?: string
}
}
"GET /v1/flow-forecast/{symbol}": {
answer: (FlowForecastAnswer | Job)
path: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
}
query?: {
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
spot_shock_pct?: number[]
vol_points?: number[]
hours?: number[]
vol_regime?: ("sticky_strike" | "sticky_moneyness" | "ssr")
ssr?: number
}
headers?: {
prefer?: string
}
}
"GET /v1/flow-forecast": {
answer: (FlowForecastAnswer | Job)
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
spot_shock_pct?: number[]
vol_points?: number[]
hours?: number[]
vol_regime?: ("sticky_strike" | "sticky_moneyness" | "ssr")
ssr?: number
}
headers?: {
prefer?: string
}
}
"GET /v1/vcm/{symbol}": {
answer: (VannaCharmMomentumAnswer | Job)
path: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
}
query?: {
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
expected_vol_points?: number
horizon_hours?: number
}
headers?: {
prefer?: string
}
}
"GET /v1/vcm": {
answer: (VannaCharmMomentumAnswer | Job)
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
expected_vol_points?: number
horizon_hours?: number
}
headers?: {
prefer?: string
}
}
"GET /v1/positioning/{symbol}": {
answer: (DealerPositioningAnswer | Job)
path: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
}
query?: {
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/positioning": {
answer: (DealerPositioningAnswer | Job)
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/hedging-bands/{symbol}": {
answer: (HedgingBandsAnswer | Job)
path: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
}
query?: {
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
band_model?: ("whalley_wilmott" | "zakamouline")
cost?: number
risk_aversion?: number
}
headers?: {
prefer?: string
}
}
"GET /v1/hedging-bands": {
answer: (HedgingBandsAnswer | Job)
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
band_model?: ("whalley_wilmott" | "zakamouline")
cost?: number
risk_aversion?: number
}
headers?: {
prefer?: string
}
}
"GET /v1/gtbr/{symbol}": {
answer: (GammaThetaBurnAnswer | Job)
path: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
}
query?: {
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/gtbr": {
answer: (GammaThetaBurnAnswer | Job)
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/darkpool/{symbol}": {
answer: (DarkPoolAnswer | Job)
path: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
}
query?: {
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/darkpool": {
answer: (DarkPoolAnswer | Job)
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/signals/{symbol}": {
answer: (MarketSignalsAnswer | Job)
path: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
}
query?: {
from?: ("own" | "feed")
generation?: "1"
}
headers?: {
prefer?: string
}
}
"GET /v1/signals": {
answer: (MarketSignalsAnswer | Job)
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: ("own" | "feed")
generation?: "1"
}
headers?: {
prefer?: string
}
}
"GET /v1/shadow-gamma/{symbol}": {
answer: (ShadowGammaAnswer | Job)
path: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
}
query?: {
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
vol_regime?: ("sticky_strike" | "sticky_moneyness" | "ssr")
ssr?: number
}
headers?: {
prefer?: string
}
}
"GET /v1/shadow-gamma": {
answer: (ShadowGammaAnswer | Job)
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
vol_regime?: ("sticky_strike" | "sticky_moneyness" | "ssr")
ssr?: number
}
headers?: {
prefer?: string
}
}
"POST /v1/portfolio/analyze": {
answer: PortfolioAnalysisAnswer
body: AnalyzePortfolioRequest
}
"POST /v1/portfolio/optimize": {
answer: PortfolioOptimumAnswer
body: OptimizePortfolioRequest
}
"POST /v1/portfolio/stress": {
answer: (PortfolioStressResultAnswer | Job)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: StressPortfolioRequest
}
"GET /v1/history/regime": {
answer: ReadHistoryOfRegimeAnswer
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: string
to?: string
limit?: number
generation?: "1"
cursor?: string
format?: ("json" | "csv")
}
}
"GET /v1/history/dsi": {
answer: ReadHistoryOfDsiAnswer
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: string
to?: string
limit?: number
generation?: "1"
cursor?: string
format?: ("json" | "csv")
}
}
"GET /v1/history/levels": {
answer: ReadHistoryOfLevelsAnswer
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: string
to?: string
limit?: number
generation?: "1"
cursor?: string
format?: ("json" | "csv")
}
}
"GET /v1/history/flips": {
answer: ReadHistoryOfFlipsAnswer
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: string
to?: string
limit?: number
generation?: "1"
cursor?: string
format?: ("json" | "csv")
}
}
"GET /v1/history/backtest": {
answer: (ReadBacktestAnswer | Job)
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: string
to?: string
rule?: ("long_volatility_negative_gamma" | "momentum_negative_gamma" | "reversion_positive_gamma" | "above_flip" | "always_long")
}
headers?: {
prefer?: string
}
}
"GET /v1/history/statistics": {
answer: (StudyStatisticsAnswer | Job)
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
from?: string
to?: string
}
headers?: {
prefer?: string
}
}
"GET /v1/scorecard": {
answer: (GenerationScoresAnswer | Job)
query: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
seed?: number
}
headers?: {
prefer?: string
}
}
"GET /v1/oracle/tools": {
answer: ListOracleToolsAnswer
}
"POST /v1/oracle/query": {
answer: QueryOracleAnswer
body: QueryOracleRequest
}
"GET /v1/stream/{symbol}": {
answer: null
path: {
symbol: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")
}
query?: {
token?: string
types?: ("gex" | "levels" | "regime" | "signals")[]
last_event_id?: string
}
}
"GET /v1/alerts": {
answer: null
query?: {
symbols?: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")[]
kinds?: ("regime_change" | "flip_proximity" | "flip_breach" | "wall_test" | "wall_break" | "pin" | "charm_drift" | "vanna_squeeze" | "gtbr_breach" | "shadow_instability" | "dark_confirmation" | "anomaly")[]
last_event_id?: string
}
}
"POST /api/mcp": {
answer: never
body: SendMcpMessageRequest
}
"GET /api/mcp": {
answer: never
}
"DELETE /api/mcp": {
answer: never
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ResourceMetadata".
 */
export interface ResourceMetadata {
resource: string
resource_name: string
bearer_methods_supported: string[]
scopes_supported: string[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadHealthAnswer".
 */
export interface ReadHealthAnswer {
status: "ok"
version: string
uptime_seconds: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SignedIn".
 */
export interface SignedIn {
email: string
owner: string
operator: boolean
human: boolean
scopes: Scope[]
csrf_token: string
ends_at: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Visitor".
 */
export interface Visitor {
session: (SignedIn | null)
sign_in: boolean
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SignInByLinkRequest".
 */
export interface SignInByLinkRequest {
code: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChallengePersonAnswer".
 */
export interface ChallengePersonAnswer {
challengeId: string
body: {
[k: string]: unknown
}
sha256: string
expiresAt: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ProvePersonAnswer".
 */
export interface ProvePersonAnswer {
email: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ProvePersonRequest".
 */
export interface ProvePersonRequest {
challengeId: string
proof: SemaphoreProof
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SemaphoreProof".
 */
export interface SemaphoreProof {
merkleTreeDepth: 20
merkleTreeRoot: string
nullifier: string
message: string
scope: string
points: string[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListJobsAnswer".
 */
export interface ListJobsAnswer {
data: JobSummary[]
next_cursor: (string | null)
searched_to: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "JobSummary".
 */
export interface JobSummary {
id: string
kind: "job"
owner: string
queue: string
version: number
state: ("awaiting_approval" | "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled")
status: ("awaiting_approval" | "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled")
priority: number
attempt: number
failures: number
held: boolean
events: number
error: (JobFailure | null)
group: (string | null)
metadata: unknown
receipt: (("wanted" | "sealed") | null)
idempotency_key: (string | null)
parent_id: (string | null)
approval_id: (string | null)
created_at: string
queued_at: string
run_at: string
expires_at: (string | null)
started_at: (string | null)
finished_at: (string | null)
url: string
links: JobLinks
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "JobFailure".
 */
export interface JobFailure {
code: string
message: string
details?: unknown
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "JobLinks".
 */
export interface JobLinks {
self: string
events: string
websocket: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Job".
 */
export interface Job {
id: string
kind: "job"
owner: string
queue: string
version: number
state: ("awaiting_approval" | "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled")
status: ("awaiting_approval" | "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled")
priority: number
attempt: number
failures: number
held: boolean
events: number
error: (JobFailure | null)
group: (string | null)
metadata: unknown
receipt: (("wanted" | "sealed") | null)
idempotency_key: (string | null)
parent_id: (string | null)
approval_id: (string | null)
created_at: string
queued_at: string
run_at: string
expires_at: (string | null)
started_at: (string | null)
finished_at: (string | null)
url: string
links: JobLinks
payload: unknown
result: unknown
waits_for?: WaitsFor
parent?: JobParent
progress?: ActionProgress
warning?: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WaitsFor".
 */
export interface WaitsFor {
kind: ("sleep" | "signal" | "result" | "jobs" | "flow")
name: string
child?: string
until?: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "JobParent".
 */
export interface JobParent {
id: string
queue: (string | null)
state: (("awaiting_approval" | "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled") | null)
name: (string | null)
node: (string | null)
item: (number | null)
step: (string | null)
jobs: (number | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ActionProgress".
 */
export interface ActionProgress {
action: ("cancel" | "redrive" | "expire" | "reprioritise")
jobs: number
over: number
done: number
skipped: number
skippedBy: {
[k: string]: number
}
failed: number
failedBy: {
[k: string]: number
}
failures: {
id: string
code: string
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "JobActionPreview".
 */
export interface JobActionPreview {
token: string
action: ("cancel" | "redrive" | "expire" | "reprioritise")
priority: (number | null)
count: number
sample: JobSummary[]
expires_at: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PreviewAction".
 */
export interface PreviewAction {
action: ("cancel" | "redrive" | "expire" | "reprioritise")
priority?: number
filter: {
queue?: string
state?: ("awaiting_approval" | "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled")
owner?: string
parent?: string
group?: string
error_code?: string
older_than_s?: number
created_before?: string
created_after?: string
text?: string
ids?: string[]
}
preview: true
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "BeginAction".
 */
export interface BeginAction {
token: string
rate?: number
changed_share?: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SignalAnswer".
 */
export interface SignalAnswer {
job_id: string
name: string
accepted: boolean
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadJobLogAnswer".
 */
export interface ReadJobLogAnswer {
data: JobLogLine[]
next_cursor: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "JobLogLine".
 */
export interface JobLogLine {
id: string
at: string
level: ("debug" | "info" | "warn" | "error")
message: string
fields: {
[k: string]: unknown
}
attempt: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "JobTimeline".
 */
export interface JobTimeline {
events: {
n: number
type: string
at: string
data: {
[k: string]: unknown
}
}[]
attempts: {
attempt: number
started_at: string
ended_at: (string | null)
worker: (string | null)
outcome: ("running" | "succeeded" | "failed" | "released" | "suspended" | "cancelled")
error: (JobFailure | null)
}[]
steps: {
name: string
kind: ("step" | "child" | "sleep" | "signal" | "result")
child: (string | null)
since: (string | null)
until: (string | null)
at: (string | null)
}[]
signals: {
name: string
at: string
taken_at: (string | null)
}[]
effects: {
effect: string
state: ("intended" | "done" | "failed" | "unknown")
attempt: number
external_id: (string | null)
intended_at: string
decided_at: (string | null)
}[]
depends_on: {
job_id: string
state: (("succeeded" | "failed" | "cancelled") | null)
on_failure: ("fail" | "continue")
}[]
children: JobChild[]
parent: (JobParent | null)
receipt: (string | null)
logs: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "JobChild".
 */
export interface JobChild {
id: string
kind: "job"
owner: string
queue: string
version: number
state: ("awaiting_approval" | "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled")
status: ("awaiting_approval" | "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled")
priority: number
attempt: number
failures: number
held: boolean
events: number
error: (JobFailure | null)
group: (string | null)
metadata: unknown
receipt: (("wanted" | "sealed") | null)
idempotency_key: (string | null)
parent_id: (string | null)
approval_id: (string | null)
created_at: string
queued_at: string
run_at: string
expires_at: (string | null)
started_at: (string | null)
finished_at: (string | null)
url: string
links: JobLinks
node: (string | null)
item: (number | null)
step: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListQueuesAnswer".
 */
export interface ListQueuesAnswer {
at: string
whose: ("all" | "own")
data: QueueView[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "QueueView".
 */
export interface QueueView {
name: string
title: string
surface: string
fleets: string[]
workers: (number | null)
versions: {
version: number
workers: (number | null)
queued: number
delayed: number
oldest_waiting_seconds: number
warning: (string | null)
}[]
paused: ({
at: string
by: string
reason: (string | null)
} | null)
depth: {
queued: number
delayed: number
running: number
waiting: number
held: number
awaiting_approval: number
}
oldest_waiting_seconds: number
drain_seconds: (number | null)
finished: {
succeeded: number
failed: number
cancelled: number
}
per_minute: number
attempts: number
timeout_ms: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListFleetsAnswer".
 */
export interface ListFleetsAnswer {
at: string
data: FleetView[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "FleetView".
 */
export interface FleetView {
name: string
queues: string[]
workers: {
id: string
host: string
pid: number
started_at: string
beat_at: string
running: number
suspects: boolean
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadQueueHistoryAnswer".
 */
export interface ReadQueueHistoryAnswer {
queue: string
group: (string | null)
from: string
to: string
step_seconds: number
resolution_seconds: number
points: PastPoint[]
total: PastFigures
grafana: (string | null)
groups: {
name: string
submitted: number
started: number
succeeded: number
failed: number
cancelled: number
expired: number
retried: number
wait: ({
count: number
p50: number
p95: number
p99: number
} | null)
run: ({
count: number
p50: number
p95: number
p99: number
} | null)
}[]
rest: (PastFigures | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PastPoint".
 */
export interface PastPoint {
at: string
complete: boolean
submitted: number
started: number
succeeded: number
failed: number
cancelled: number
expired: number
retried: number
wait: ({
count: number
p50: number
p95: number
p99: number
} | null)
run: ({
count: number
p50: number
p95: number
p99: number
} | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PastFigures".
 */
export interface PastFigures {
submitted: number
started: number
succeeded: number
failed: number
cancelled: number
expired: number
retried: number
wait: ({
count: number
p50: number
p95: number
p99: number
} | null)
run: ({
count: number
p50: number
p95: number
p99: number
} | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadHistoryAnswer".
 */
export interface ReadHistoryAnswer {
whose: ("all" | "own")
from: string
to: string
step_seconds: number
resolution_seconds: number
points: PastPoint[]
total: PastFigures
grafana: (string | null)
queues: {
name: string
submitted: number
started: number
succeeded: number
failed: number
cancelled: number
expired: number
retried: number
wait: ({
count: number
p50: number
p95: number
p99: number
} | null)
run: ({
count: number
p50: number
p95: number
p99: number
} | null)
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadQueueContractsAnswer".
 */
export interface ReadQueueContractsAnswer {
data: QueueContract[]
versions: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "QueueContract".
 */
export interface QueueContract {
name: string
version: number
contract: ContractBody
digest: string
registered_by: string
registered_at: string
changed_at: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ContractBody".
 */
export interface ContractBody {
title: string
payload: unknown
result: unknown
progress?: unknown
attempts?: number
backoff_ms?: number
backoff_cap_ms?: number
timeout_ms?: number
priority?: number
retention?: {
ms?: number
count?: number
}
receipt?: boolean
approval?: ApprovalTerms
budget?: BudgetTerms
unique?: UniqueTerms
group?: string
max_payload_bytes?: number
max_result_bytes?: number
max_progress_bytes?: number
replaceable?: boolean
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ApprovalTerms".
 */
export interface ApprovalTerms {
why: string
areas?: ("liveProviderSpend" | "publishing" | "voiceAndLikeness" | "commercialClaims")[]
decide_within_s?: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "BudgetTerms".
 */
export interface BudgetTerms {
job_usd: number
month_usd?: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "UniqueTerms".
 */
export interface UniqueTerms {
key: string[]
while: ("queued" | "unfinished" | "forever")
conflict: ("return" | "replace" | "refuse")
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RegisterQueueRequest".
 */
export interface RegisterQueueRequest {
version?: number
contract: ContractBody
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "QueueContractText".
 */
export interface QueueContractText {
name: string
version: number
digest: string
contract: unknown
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListNamespacesAnswer".
 */
export interface ListNamespacesAnswer {
data: Namespace[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Namespace".
 */
export interface Namespace {
name: string
created_at: string
queues: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListQueueRulesAnswer".
 */
export interface ListQueueRulesAnswer {
data: QueueRule[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "QueueRule".
 */
export interface QueueRule {
kind: ("queue" | "group" | "owner" | "key")
name: (string | null)
weight: (number | null)
concurrency: (number | null)
rate: ({
jobs: number
per_seconds: number
} | null)
paused: boolean
reason: (string | null)
changed_by: string
changed_at: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PutQueueRuleRequest".
 */
export interface PutQueueRuleRequest {
kind: ("queue" | "group" | "owner" | "key")
name?: string
weight?: (number | null)
concurrency?: (number | null)
rate?: ({
jobs: number
per_seconds: number
} | null)
paused?: boolean
reason?: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListQueueGroupsAnswer".
 */
export interface ListQueueGroupsAnswer {
data: {
group: string
waiting: number
running: number
oldest_waiting_seconds: number
refused: number
}[]
rest: ({
waiting: number
running: number
oldest_waiting_seconds: number
refused: number
} | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SubmitJobRequest".
 */
export interface SubmitJobRequest {
priority?: number
group?: string
receipt?: boolean
approval?: (boolean | ApprovalTerms)
budget?: {
job_usd: number
}
unique?: Unique
webhook?: JobWebhook
metadata?: {
[k: string]: unknown
}
payload: unknown
version?: number
run_at?: string
delay_ms?: number
delay?: (number | string)
expires_at?: string
depends_on?: string[]
on_failure?: ("fail" | "continue")
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Unique".
 */
export interface Unique {
key: string
while: ("queued" | "unfinished" | "forever")
conflict: ("return" | "replace" | "refuse")
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SubmitJobsRequest".
 */
export interface SubmitJobsRequest {
queue: string
idempotency_key?: string
priority?: number
group?: string
receipt?: boolean
approval?: (boolean | ApprovalTerms)
budget?: {
job_usd: number
}
unique?: Unique
webhook?: JobWebhook
metadata?: {
[k: string]: unknown
}
payload: unknown
version?: number
run_at?: string
delay_ms?: number
delay?: (number | string)
expires_at?: string
depends_on?: string[]
on_failure?: ("fail" | "continue")
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListSchedulesAnswer".
 */
export interface ListSchedulesAnswer {
data: Schedule[]
next: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Schedule".
 */
export interface Schedule {
name: string
owner: string
queue: string
version: (number | null)
payload: unknown
cron: (string | null)
every_ms: (number | null)
zone: string
overlap: ("skip" | "queue" | "replace")
missed: ("none" | "last" | "all")
missed_within_s: number
options: ScheduleOptions
made_by: string
paused: boolean
next_at: (string | null)
last_at: (string | null)
last_job_id: (string | null)
last_run?: (ScheduleRun | null)
made_at: string
changed_at: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ScheduleOptions".
 */
export interface ScheduleOptions {
priority?: number
group?: string
receipt?: boolean
approval?: (boolean | ApprovalTerms)
budget?: {
job_usd: number
}
unique?: Unique
webhook?: JobWebhook
metadata?: {
[k: string]: unknown
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ScheduleRun".
 */
export interface ScheduleRun {
at: string
outcome: ("submitted" | "skipped" | "missed" | "refused")
job_id: (string | null)
job_state: (("awaiting_approval" | "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled") | null)
reason: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RuleTimes".
 */
export interface RuleTimes {
next: string[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PutScheduleRequest".
 */
export interface PutScheduleRequest {
queue: string
payload: unknown
version?: number
priority?: number
group?: string
receipt?: boolean
approval?: (boolean | ApprovalTerms)
budget?: {
job_usd: number
}
unique?: Unique
webhook?: JobWebhook
metadata?: {
[k: string]: unknown
}
cron?: string
every_ms?: number
zone?: string
overlap?: ("skip" | "queue" | "replace")
missed?: ("none" | "last" | "all")
missed_within_s?: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ScheduleDetail".
 */
export interface ScheduleDetail {
name: string
owner: string
queue: string
version: (number | null)
payload: unknown
cron: (string | null)
every_ms: (number | null)
zone: string
overlap: ("skip" | "queue" | "replace")
missed: ("none" | "last" | "all")
missed_within_s: number
options: ScheduleOptions
made_by: string
paused: boolean
next_at: (string | null)
last_at: (string | null)
last_job_id: (string | null)
last_run?: (ScheduleRun | null)
made_at: string
changed_at: string
next: string[]
runs: ScheduleRun[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RunScheduleAnswer202".
 */
export interface RunScheduleAnswer202 {
job_id: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadOwnLimitsAnswer".
 */
export interface ReadOwnLimitsAnswer {
data: {
kind: ("queue_depth" | "requests_per_minute" | "requests_per_day" | "schedules")
most: number
limit_of: ("key" | "owner" | "plan" | "default" | "setting")
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListLimitsAnswer".
 */
export interface ListLimitsAnswer {
data: Limit[]
next: (string | null)
settings: {
kind: ("queue_depth" | "requests_per_minute" | "requests_per_day" | "schedules")
tier: string
most: number
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Limit".
 */
export interface Limit {
kind: ("queue_depth" | "requests_per_minute" | "requests_per_day" | "schedules")
scope: ("key" | "owner" | "plan" | "default")
subject: string
most: number
set_by: string
set_at: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SetLimitRequest".
 */
export interface SetLimitRequest {
kind: ("queue_depth" | "requests_per_minute" | "requests_per_day" | "schedules")
scope: ("key" | "owner" | "plan" | "default")
subject?: string
most: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListLimitRefusalsAnswer".
 */
export interface ListLimitRefusalsAnswer {
data: {
owner: string
policy: string
queue: (string | null)
group: (string | null)
refused: number
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "JobApproval".
 */
export interface JobApproval {
id: string
state: ("pending" | "granted" | "declined" | "used" | "expired")
effect: {
[k: string]: unknown
}
effect_sha256: string
areas: ApprovalArea[]
needs_proof_of_personhood: boolean
decide_at: string
requested_by: string
decided_by: (string | null)
reason: (string | null)
created_at: string
expires_at: string
decided_at: (string | null)
used_at: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ApprovalArea".
 */
export interface ApprovalArea {
area: ("liveProviderSpend" | "publishing" | "voiceAndLikeness" | "commercialClaims")
why: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StreamToken".
 */
export interface StreamToken {
id: string
token: string
expires_at: string
sse: string
websocket: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CreateStreamTokenRequest".
 */
export interface CreateStreamTokenRequest {
job?: string
flow?: string
queue?: string
symbol?: string
ttl_s?: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListWebhookEndpointsAnswer".
 */
export interface ListWebhookEndpointsAnswer {
data: WebhookEndpoint[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WebhookEndpoint".
 */
export interface WebhookEndpoint {
id: string
url: string
title: string
format: ("raw" | "slack" | "discord" | "teams" | "mail")
events: string[]
queues: string[]
groups: string[]
symbols: string[]
every_owner: boolean
enabled: boolean
disabled_why: (string | null)
failing_since: (string | null)
rests_until: (string | null)
previous_secret_until: (string | null)
made_by: string
created_at: string
changed_at: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WebhookEndpointWithSecret".
 */
export interface WebhookEndpointWithSecret {
id: string
url: string
title: string
format: ("raw" | "slack" | "discord" | "teams" | "mail")
events: string[]
queues: string[]
groups: string[]
symbols: string[]
every_owner: boolean
enabled: boolean
disabled_why: (string | null)
failing_since: (string | null)
rests_until: (string | null)
previous_secret_until: (string | null)
made_by: string
created_at: string
changed_at: string
secret: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CreateWebhookEndpointRequest".
 */
export interface CreateWebhookEndpointRequest {
url: string
title?: string
events: string[]
format?: ("raw" | "slack" | "discord" | "teams" | "mail")
queues?: string[]
groups?: string[]
symbols?: string[]
every_owner?: boolean
enabled?: boolean
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChangeWebhookEndpointRequest".
 */
export interface ChangeWebhookEndpointRequest {
url?: string
title?: string
format?: ("raw" | "slack" | "discord" | "teams" | "mail")
events?: string[]
queues?: string[]
groups?: string[]
symbols?: string[]
every_owner?: boolean
enabled?: boolean
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WebhookTest".
 */
export interface WebhookTest {
delivered: boolean
status: (number | null)
error: (string | null)
took_ms: number
answer: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListWebhookEventDeliveriesAnswer".
 */
export interface ListWebhookEventDeliveriesAnswer {
data: WebhookEventDelivery[]
next_cursor: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WebhookEventDelivery".
 */
export interface WebhookEventDelivery {
id: string
endpoint_id: string
type: string
state: ("pending" | "sending" | "delivered" | "failed")
attempts: number
replays: number
last_status: (number | null)
last_error: (string | null)
took_ms: (number | null)
created_at: string
attempted_at: (string | null)
next_at: (string | null)
delivered_at: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WebhookEventDeliveryDetail".
 */
export interface WebhookEventDeliveryDetail {
id: string
endpoint_id: string
type: string
state: ("pending" | "sending" | "delivered" | "failed")
attempts: number
replays: number
last_status: (number | null)
last_error: (string | null)
took_ms: (number | null)
created_at: string
attempted_at: (string | null)
next_at: (string | null)
delivered_at: (string | null)
message: unknown
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReplayWebhookEndpointAnswer202".
 */
export interface ReplayWebhookEndpointAnswer202 {
replayed: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReplayWebhookEndpointRequest".
 */
export interface ReplayWebhookEndpointRequest {
from: string
to?: string
state?: ("failed" | "delivered")
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Flow".
 */
export interface Flow {
id: string
name: (string | null)
state: ("awaiting_approval" | "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled")
error: (JobFailure | null)
metadata: unknown
created_at: string
finished_at: (string | null)
url: string
events: string
nodes: FlowNode[]
result: unknown
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "FlowNode".
 */
export interface FlowNode {
name: string
queue: string
version: number
depends_on: string[]
on_failure: ("fail" | "continue" | "skip")
for_each: boolean
state: ("pending" | "running" | "succeeded" | "failed" | "cancelled" | "skipped")
total: (number | null)
succeeded: number
failed: number
cancelled: number
job_id: (string | null)
error: (JobFailure | null)
warning: (string | null)
began_at: (string | null)
ended_at: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SubmitFlowRequest".
 */
export interface SubmitFlowRequest {
name?: string
nodes: FlowNodeBody[]
result?: unknown
metadata?: {
[k: string]: unknown
}
webhook?: FlowWebhook
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "FlowNodeBody".
 */
export interface FlowNodeBody {
name: string
queue: string
payload: unknown
on_failure?: ("fail" | "continue" | "skip")
for_each?: {
$from: string
path?: string
}
options?: NodeOptions
version?: number
depends_on?: string[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "NodeOptions".
 */
export interface NodeOptions {
priority?: number
group?: string
delay_ms?: number
metadata?: {
[k: string]: unknown
}
receipt?: boolean
approval?: (boolean | ApprovalTerms)
budget?: {
job_usd: number
}
delay?: (number | string)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListFlowsAnswer".
 */
export interface ListFlowsAnswer {
data: FlowSummary[]
next: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "FlowSummary".
 */
export interface FlowSummary {
id: string
name: (string | null)
state: ("awaiting_approval" | "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled")
error: (JobFailure | null)
metadata: unknown
created_at: string
finished_at: (string | null)
url: string
events: string
nodes: number
nodes_ended: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "JobReceipt".
 */
export interface JobReceipt {
id: string
state: ("wanted" | "sealed")
receipt: string
page: string
contract: ({
version: number
digest: string
text: string
} | null)
salts: {
payload: string
contract: string
result: string
effect: string
ledger: string
effects: string
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RegisteredWorker".
 */
export interface RegisteredWorker {
worker: string
lease_ms: number
beat_ms: number
wait_ms: number
queues: {
name: string
versions: number[]
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RegisterWorkerRequest".
 */
export interface RegisterWorkerRequest {
name?: string
queues: {
name: string
versions?: number[]
}[]
capacity: number
sdk?: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListWorkersAnswer".
 */
export interface ListWorkersAnswer {
data: WorkerView[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WorkerView".
 */
export interface WorkerView {
id: string
owner: string
name: string
queues: {
name: string
versions: number[]
}[]
capacity: number
credits: number
running: number
sdk: (string | null)
started_at: string
beat_at: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PolledJobs".
 */
export interface PolledJobs {
jobs: {
id: string
attempt: number
queue: string
version: number
token: string
payload: unknown
failures: number
created_at: string
deadline: string
steps: {
name: string
n: number
kind: ("step" | "child" | "sleep" | "signal" | "result")
after: number
value: unknown
}[]
trace: (string | null)
}[]
stop: {
id: string
attempt: number
reason: ("cancelled" | "lost")
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PollJobsRequest".
 */
export interface PollJobsRequest {
credits: number
wait_ms?: number
jobs: {
id: string
attempt: number
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReportAnswers".
 */
export interface ReportAnswers {
answers: {
status: ("accepted" | "stale" | "refused")
code?: ErrorCode
message?: string
path?: string
value?: unknown
child?: string
effect?: {
state: ("fresh" | "done" | "again" | "unknown")
key: string
outcome?: unknown
external_id?: (string | null)
}
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReportJobsRequest".
 */
export interface ReportJobsRequest {
reports: ({
job: string
attempt: number
token: string
type: "progress"
data: unknown
key?: string
} | {
job: string
attempt: number
token: string
type: "log"
level: ("debug" | "info" | "warn" | "error")
message: string
data?: {
[k: string]: unknown
}
} | {
job: string
attempt: number
token: string
type: "effect_intended"
name: string
request: unknown
} | {
job: string
attempt: number
token: string
type: "effect_done"
name: string
outcome: unknown
external_id?: string
cost_usd?: unknown
} | {
job: string
attempt: number
token: string
type: "effect_failed"
name: string
message: string
} | {
job: string
attempt: number
token: string
type: "effect_unknown"
name: string
} | {
job: string
attempt: number
token: string
type: "step"
name: string
after: number
value: unknown
} | {
job: string
attempt: number
token: string
type: "submit"
name: string
after: number
queue: string
payload: unknown
version?: number
delay_ms?: number
delay?: (number | string)
priority?: number
metadata?: {
[k: string]: unknown
}
unique?: Unique
} | {
job: string
attempt: number
token: string
type: "suspended"
on: ({
kind: "sleep"
name: string
until: string
} | {
kind: "signal"
name: string
timeout_ms?: number
} | {
kind: "result"
name: string
child: string
})
after: number
} | {
job: string
attempt: number
token: string
type: "succeeded"
result: unknown
} | {
job: string
attempt: number
token: string
type: "failed"
error: {
code?: string
message: string
details?: {
[k: string]: unknown
}
}
retryable?: boolean
} | {
job: string
attempt: number
token: string
type: "released"
})[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListProviderCallsAnswer".
 */
export interface ListProviderCallsAnswer {
at: string
unknown: {
calls: number
held_usd: number
}
rule: {
hours: number
end: ("written_off" | "billed")
}
data: ProviderCall[]
next_cursor: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ProviderCall".
 */
export interface ProviderCall {
job_id: string
provider: string
owner: string
surface: string
capability: string
status: ("unknown" | "written_off" | "billed" | "settled" | "released" | "reserved")
quoted_usd: number
held_usd: number
billed_usd: (number | null)
reason: (string | null)
external_id: (string | null)
created_at: string
since: (string | null)
ends_at: (string | null)
decided_by: (string | null)
decided_why: (string | null)
decisions: CallDecision[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CallDecision".
 */
export interface CallDecision {
at: string
decision: ("written_off" | "billed")
billed_usd: number
by: string
why: (string | null)
request_id: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "BillProviderCallRequest".
 */
export interface BillProviderCallRequest {
usd: number
reason?: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadSealKeysAnswer".
 */
export interface ReadSealKeysAnswer {
keys: {
kty: "OKP"
crv: "Ed25519"
x: string
kid: string
alg?: string
use?: string
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "KeyManifest".
 */
export interface KeyManifest {
type: "key-manifest/v1"
versions: {
body: {
version: number
previous: (string | null)
issuedAt: string
keys: SealKey[]
}
seal: ManifestSeal
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SealKey".
 */
export interface SealKey {
kid: string
publicKey: string
nbf: string
exp: (string | null)
revokedAt: (string | null)
reason: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ManifestSeal".
 */
export interface ManifestSeal {
alg: "Ed25519"
kid: string
payloadType: "application/vnd.proofline.key-manifest+json"
sig: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListAnchorAccountsAnswer".
 */
export interface ListAnchorAccountsAnswer {
accounts: {
chain: string
address: string
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ManifestAnchors".
 */
export interface ManifestAnchors {
versions: ManifestAnchor[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ManifestAnchor".
 */
export interface ManifestAnchor {
version: number
root: string
anchor: (ReceiptAnchor | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReceiptAnchor".
 */
export interface ReceiptAnchor {
chain: string
from: string
root: string
proof: {
alg: "rfc6962-sha256"
index: number
size: number
path: string[]
}
tx: string
block: {
number: number
hash: string
}
rawTx: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadReceiptAnswer".
 */
export interface ReadReceiptAnswer {
version: "receipt/v1"
id: string
root: string
statement: ReceiptStatement
seal: ReceiptSeal
events: ReceiptEvent[]
anchor: (ReceiptAnchor | null)
attestation: Attestation
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReceiptStatement".
 */
export interface ReceiptStatement {
_type: "https://in-toto.io/Statement/v1"
subject: ReceiptSubject[]
predicateType: "https://platform.example/receipt/v1"
predicate: {
receiptId: string
issuer: string
mission: ReceiptMission
events: {
count: number
genesis: string
head: string
}
outcome: ("succeeded" | "failed" | "cancelled")
human: ReceiptHumanProof[]
sealedAt: string
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReceiptSubject".
 */
export interface ReceiptSubject {
name: string
digest: {
sha256: string
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReceiptMission".
 */
export interface ReceiptMission {
id: string
goalSha256: string
planSha256: string
createdAt: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReceiptHumanProof".
 */
export interface ReceiptHumanProof {
step: string
assurance: ("enrolled" | "unique" | "present" | "unique+present")
provider: string
challengeSha256: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReceiptSeal".
 */
export interface ReceiptSeal {
alg: "Ed25519"
kid: string
payloadType: "application/vnd.in-toto+json"
sig: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReceiptEvent".
 */
export interface ReceiptEvent {
seq: number
type: string
at: string
data: {
[k: string]: unknown
}
prev: string
hash: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Attestation".
 */
export interface Attestation {
integrity: {
verdict: ("pass" | "fail" | "pending" | "not-checked")
reason: string
checks: AttestationCheck[]
}
authenticity: {
verdict: ("pass" | "fail" | "pending" | "not-checked")
reason: string
checks: AttestationCheck[]
}
anchor: {
verdict: ("pass" | "fail" | "pending" | "not-checked")
reason: string
checks: AttestationCheck[]
finality: (("included" | "safe" | "finalized") | null)
calldata: (string | null)
equalsRoot: (boolean | null)
root: (string | null)
inclusion: (("direct" | "merkle") | null)
anchoredAt: (string | null)
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "AttestationCheck".
 */
export interface AttestationCheck {
name: string
verdict: ("pass" | "fail" | "pending" | "not-checked")
reason: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadReceiptEnvelopeAnswer".
 */
export interface ReadReceiptEnvelopeAnswer {
payload: string
payloadType: EnvelopeType
signatures: {
keyid: string
sig: string
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListAnchorsAnswer".
 */
export interface ListAnchorsAnswer {
chain: string
data: ChainAnchor[]
nextCursor: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChainAnchor".
 */
export interface ChainAnchor {
number: number
status: ("new" | "signed" | "included" | "safe" | "finalized" | "void")
chain: string
from: string
nonce: number
root: (string | null)
leaves: string[]
attempts: AnchorAttempt[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "AnchorAttempt".
 */
export interface AnchorAttempt {
tx: string
nonce: number
why: ("first" | "bump" | "nonce_taken")
lost: number
block: ({
number: number
hash: string
} | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "TellProviderTaskRequest".
 */
export interface TellProviderTaskRequest {
[k: string]: unknown
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "HumanChallenge".
 */
export interface HumanChallenge {
challengeId: string
purpose: ("enrol" | "key" | "step" | "approval" | "person")
body: {
[k: string]: unknown
}
sha256: string
scope: string
expiresAt: string
worldId?: WorldIdEnrolment
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WorldIdEnrolment".
 */
export interface WorldIdEnrolment {
rpId: string
signal: string
environment: string
rpContext: WorldIdContext
action: string
sessionRpContext: {
rp_id: string
nonce: string
created_at: number
expires_at: number
signature: string
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WorldIdContext".
 */
export interface WorldIdContext {
rp_id: string
nonce: string
created_at: number
expires_at: number
signature: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MakeHumanChallengeRequest".
 */
export interface MakeHumanChallengeRequest {
purpose: ("enrol" | "key")
commitment?: string
provider?: ("operator-invite" | "world-id")
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "EnrolHumanAnswer".
 */
export interface EnrolHumanAnswer {
human: string
provider: string
assurance: Assurance
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "EnrolHumanRequest".
 */
export interface EnrolHumanRequest {
challengeId: string
commitment: string
proof: SemaphoreProof
invite?: string
worldId?: {
[k: string]: unknown
}
worldIdSession?: {
[k: string]: unknown
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "HumanGroup".
 */
export interface HumanGroup {
root: (string | null)
depth: 20
members: string[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "InviteHumanAnswer".
 */
export interface InviteHumanAnswer {
id: string
code: string
label: string
scopes: Scope[]
expiresAt: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "InviteHumanRequest".
 */
export interface InviteHumanRequest {
label: string
scopes?: Scope[]
days?: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListInvitesAnswer".
 */
export interface ListInvitesAnswer {
data: HumanInvite[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "HumanInvite".
 */
export interface HumanInvite {
id: string
label: string
scopes: Scope[]
tier: string
createdBy: string
createdAt: string
expiresAt: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListHumansAnswer".
 */
export interface ListHumansAnswer {
data: VerifiedHuman[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "VerifiedHuman".
 */
export interface VerifiedHuman {
id: string
provider: string
assurance: Assurance
label: (string | null)
scopes: Scope[]
tier: string
createdAt: string
removedAt: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RemoveHumanAnswer".
 */
export interface RemoveHumanAnswer {
id: string
keysRevoked: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MintKeyAnswer".
 */
export interface MintKeyAnswer {
id: string
name: string
start: string
last4: string
scopes: Scope[]
allowedIps: string[]
tier: string
rateLimitPerMinute: number
rateLimitPerDay: number
usageCount: number
boundToHuman: boolean
createdByProof: boolean
madeBy: (string | null)
expiresAt: (string | null)
revokedAt: (string | null)
lastUsedAt: (string | null)
createdAt: string
key: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MintKeyRequest".
 */
export interface MintKeyRequest {
challengeId?: string
proof?: SemaphoreProof
name?: string
scopes?: Scope[]
allowedIps?: string[]
expiresAt?: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListKeysAnswer".
 */
export interface ListKeysAnswer {
data: ApiKey[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ApiKey".
 */
export interface ApiKey {
id: string
name: string
start: string
last4: string
scopes: Scope[]
allowedIps: string[]
tier: string
rateLimitPerMinute: number
rateLimitPerDay: number
usageCount: number
boundToHuman: boolean
createdByProof: boolean
madeBy: (string | null)
expiresAt: (string | null)
revokedAt: (string | null)
lastUsedAt: (string | null)
createdAt: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChangeKeyRequest".
 */
export interface ChangeKeyRequest {
name?: string
scopes?: Scope[]
allowedIps?: string[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudioEnvelope".
 */
export interface StudioEnvelope {
tool: string
status: "ok"
warnings: string[]
resources: string[]
output: {
[k: string]: unknown
}
persistence?: {
[k: string]: unknown
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "DescribeStudioAnswer".
 */
export interface DescribeStudioAnswer {
[k: string]: unknown
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CreateBriefRequest".
 */
export interface CreateBriefRequest {
mode: ("video" | "avatar" | "persona" | "voice" | "campaign" | "publish")
prompt: string
title?: string
targetFormats?: string[]
channels?: ("tiktok" | "instagram" | "youtube_shorts" | "linkedin" | "x_twitter" | "pinterest" | "shopify" | "gumroad" | "manual_export")[]
managedByPlatform?: boolean
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListStudioBriefsAnswer".
 */
export interface ListStudioBriefsAnswer {
briefs: {
id: string
[k: string]: unknown
}[]
nextCursor: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadStudioBriefAnswer".
 */
export interface ReadStudioBriefAnswer {
id: string
[k: string]: unknown
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListStudioPlansAnswer".
 */
export interface ListStudioPlansAnswer {
plans: {
id: string
[k: string]: unknown
}[]
nextCursor: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadStudioPlanAnswer".
 */
export interface ReadStudioPlanAnswer {
id: string
[k: string]: unknown
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListStudioJobsAnswer".
 */
export interface ListStudioJobsAnswer {
jobs: {
id: string
[k: string]: unknown
}[]
nextCursor: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadStudioJobAnswer".
 */
export interface ReadStudioJobAnswer {
id: string
[k: string]: unknown
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListStudioAssetsAnswer".
 */
export interface ListStudioAssetsAnswer {
assets: {
id: string
[k: string]: unknown
}[]
nextCursor: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadStudioAssetAnswer".
 */
export interface ReadStudioAssetAnswer {
id: string
[k: string]: unknown
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RenderPlanRequest".
 */
export interface RenderPlanRequest {
planId: string
dryRun: boolean
approvalRef?: string
maxCostUsd?: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RunWorkerAnswer".
 */
export interface RunWorkerAnswer {
status: ("ok" | "disabled" | "blocked")
providerCallsEnabled: boolean
processed: number
items: {
[k: string]: unknown
}[]
reasons: string[]
[k: string]: unknown
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListApprovalsAnswer".
 */
export interface ListApprovalsAnswer {
approvals: StudioApproval[]
nextCursor: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudioApproval".
 */
export interface StudioApproval {
id: string
status: ("pending" | "granted" | "declined" | "used" | "expired")
kind: ("render" | "publish" | "job")
subject: string
effect: {
[k: string]: unknown
}
effectSha256: string
areas: ApprovalArea[]
needsProofOfPersonhood: boolean
jobId: (string | null)
requestedBy: string
decidedBy: (string | null)
reason: (string | null)
assurance: (Assurance | null)
decideAt: string
createdAt: string
expiresAt: string
decidedAt: (string | null)
usedAt: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChallengeApprovalAnswer".
 */
export interface ChallengeApprovalAnswer {
id: string
purpose: ("enrol" | "key" | "step" | "approval" | "person")
body: {
[k: string]: unknown
}
sha256: string
expiresAt: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "DecideApprovalRequest".
 */
export interface DecideApprovalRequest {
decision: ("grant" | "decline")
reason?: string
challengeId?: string
proof?: SemaphoreProof
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudioCreateKeyAnswer".
 */
export interface StudioCreateKeyAnswer {
id: string
name: string
keyPrefix: string
scopes: StudioKeyScope[]
madeBy: (string | null)
usageCount: number
rateLimitTier: string
rateLimitPerMinute: number
rateLimitPerDay: number
allowedIps: (string[] | null)
createdAt: string
expiresAt: (string | null)
revokedAt: (string | null)
lastUsedAt: (string | null)
key: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudioCreateKeyRequest".
 */
export interface StudioCreateKeyRequest {
name: string
scopes: StudioKeyScope[]
expiresAt?: string
allowedIps?: string[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudioListKeysAnswer".
 */
export interface StudioListKeysAnswer {
object: "list"
keys: StudioKey[]
count: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudioKey".
 */
export interface StudioKey {
id: string
name: string
keyPrefix: string
scopes: StudioKeyScope[]
madeBy: (string | null)
usageCount: number
rateLimitTier: string
rateLimitPerMinute: number
rateLimitPerDay: number
allowedIps: (string[] | null)
createdAt: string
expiresAt: (string | null)
revokedAt: (string | null)
lastUsedAt: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudioUpdateKeyRequest".
 */
export interface StudioUpdateKeyRequest {
name?: string
scopes?: StudioKeyScope[]
allowedIps?: string[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudioRevokeKeyAnswer".
 */
export interface StudioRevokeKeyAnswer {
id: string
object: "key"
revoked: true
revokedAt: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudioKeyUsage".
 */
export interface StudioKeyUsage {
stats: {
totalCalls: number
callsLast24h: number
callsLast7d: number
succeeded: number
failed: number
averageDurationMs: (number | null)
firstCallAt: (string | null)
lastCallAt: (string | null)
retentionDays: number
}
capabilityBreakdown: {
capability: string
calls: number
failed: number
averageDurationMs: (number | null)
lastCallAt: (string | null)
}[]
byDay: {
day: string
capability: string
calls: number
failed: number
}[]
logs: {
at: string
capability: string
via: ("http" | "mcp")
status: number
durationMs: number
requestId: string
ip: (string | null)
}[]
changes: {
at: string
action: ("created" | "updated" | "revoked")
changedBy: string
changes: unknown
requestId: string
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudioAccessCheckAnswer".
 */
export interface StudioAccessCheckAnswer {
status: "ok"
principal: {
type: ("session" | "key")
owner: string
keyId: (string | null)
email: (string | null)
scopes: StudioKeyScope[]
operator: boolean
human: boolean
rateLimitTier: string
rateLimitPerMinute: number
rateLimitPerDay: number
}
mcp: {
transport: string
read: boolean
execute: boolean
}
governance: {
[k: string]: string
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadMcpClientMetadataAnswer".
 */
export interface ReadMcpClientMetadataAnswer {
name: string
description: string
version: string
protocolVersions: string[]
transport: {
type: "streamable-http"
url: string
}
mcpServers: {
[k: string]: {
type: "http"
url: string
headers: {
[k: string]: string
}
}
}
authentication: {
schemes: string[]
scopes: StudioKeyScope[]
resourceMetadata: string
}
discovery: {
tool: string
arguments: {
[k: string]: string
}
}
tools: string[]
links: {
[k: string]: string
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Mission".
 */
export interface Mission {
missionId: string
state: ("planned" | "awaiting_human" | "executing" | "sealing" | "sealed" | "failed" | "cancelled")
status: ("planned" | "awaiting_human" | "executing" | "sealing" | "sealed" | "failed" | "cancelled")
goal: string
budgetUsd: (number | null)
spentUsd: number
error: (MissionFailure | null)
createdAt: string
executedAt: (string | null)
deadlineAt: (string | null)
finishedAt: (string | null)
sealedAt: (string | null)
links: MissionLinks
inputs: {
[k: string]: unknown
}
plan: MissionPlan
answer: (string | null)
steps: MissionStep[]
salt: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MissionFailure".
 */
export interface MissionFailure {
code: string
message: string
details?: unknown
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MissionLinks".
 */
export interface MissionLinks {
self: string
events: string
websocket: string
receipt: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MissionPlan".
 */
export interface MissionPlan {
planner: ("rules" | "model" | "client")
steps: MissionPlanStep[]
unmapped: string[]
notes: string[]
costUsd: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MissionPlanStep".
 */
export interface MissionPlanStep {
id: string
capability: string
title: string
input: {
[k: string]: unknown
}
dependsOn: string[]
sensitivity: ("none" | "confirm" | "spend" | "publish" | "likeness" | "claim" | "outside")
policy: {
name: string
decision: ("allow" | "human")
assurance: (Assurance | null)
}
costUsd: number
route?: RouteLeg[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RouteLeg".
 */
export interface RouteLeg {
provider: string
model: string
quotedUsd: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MissionStep".
 */
export interface MissionStep {
id: string
state: ("waiting" | "awaiting_human" | "approved" | "running" | "succeeded" | "failed" | "cancelled" | "skipped")
status: ("waiting" | "awaiting_human" | "approved" | "running" | "succeeded" | "failed" | "cancelled" | "skipped")
jobId: (string | null)
input: unknown
output: unknown
summary: (string | null)
outputSaltedSha256: (string | null)
effectSha256: (string | null)
challenge: (StepChallenge | null)
error: (MissionFailure | null)
startedAt: (string | null)
finishedAt: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StepChallenge".
 */
export interface StepChallenge {
id: string
body: {
[k: string]: string | number | null
}
sha256: string
expiresAt: string
worldId?: WorldIdPresence
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WorldIdPresence".
 */
export interface WorldIdPresence {
rpId: string
signal: string
environment: string
rpContext: WorldIdContext
sessionId: string
requireUserPresence: true
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CreateMissionRequest".
 */
export interface CreateMissionRequest {
goal: string
inputs?: {
[k: string]: unknown
}
steps?: ProposedStep[]
budgetUsd?: number
timeoutSeconds?: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ProposedStep".
 */
export interface ProposedStep {
id: string
capability: string
title?: string
input: {
[k: string]: unknown
}
dependsOn?: string[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListMissionsAnswer".
 */
export interface ListMissionsAnswer {
missions: MissionSummary[]
nextCursor: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MissionSummary".
 */
export interface MissionSummary {
missionId: string
state: ("planned" | "awaiting_human" | "executing" | "sealing" | "sealed" | "failed" | "cancelled")
status: ("planned" | "awaiting_human" | "executing" | "sealing" | "sealed" | "failed" | "cancelled")
goal: string
budgetUsd: (number | null)
spentUsd: number
error: (MissionFailure | null)
createdAt: string
executedAt: (string | null)
deadlineAt: (string | null)
finishedAt: (string | null)
sealedAt: (string | null)
links: MissionLinks
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Receipt".
 */
export interface Receipt {
version: "receipt/v1"
id: string
root: string
statement: ReceiptStatement
seal: ReceiptSeal
events: ReceiptEvent[]
anchor: (ReceiptAnchor | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ApproveStepRequest".
 */
export interface ApproveStepRequest {
challengeId: string
proof: SemaphoreProof
worldId?: {
[k: string]: unknown
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MissionStats".
 */
export interface MissionStats {
missions: {
planned: number
awaiting_human: number
executing: number
sealing: number
sealed: number
failed: number
cancelled: number
}
receipts: {
sealed: number
anchored: number
pending: number
}
anchors: {
batches: number
finalized: number
}
capabilities: {
name: string
title: string
sensitivity: Sensitivity
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadWebhookSecretAnswer".
 */
export interface ReadWebhookSecretAnswer {
secret: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PlatformContract".
 */
export interface PlatformContract {
object: "contract"
name: string
version: string
contract_version: "v2"
base_url: string
authentication: {
header: string
format: string
scopes: {
execution: Scope
reading: Scope
}
}
errors: {
media_type: string
also: string
}
routes: {
method: ("DELETE" | "GET" | "PATCH" | "POST" | "PUT")
path: string
purpose: string
auth: ("none" | "optional" | "key")
scope: (Scope | null)
human: boolean
kind: ("discovery" | "execution" | "orchestration" | "batch" | "record" | "governance")
openai: boolean
}[]
links: {
[k: string]: string
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PlatformHealth".
 */
export interface PlatformHealth {
status: ("ok" | "degraded" | "unavailable")
version: string
queue: {
reachable: boolean
reason: (string | null)
}
provider_calls: ("on" | "off")
capabilities: {
[k: string]: {
configured: number
healthy: number
}
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Integrations".
 */
export interface Integrations {
object: "catalog"
summary: {
surfaces: ("studio" | "missions" | "platform" | "analytics" | "service")[]
api_routes: number
api_routes_by_surface: {
[k: string]: number
}
public_routes: number
mcp_tools: number
mcp_tools_that_write: number
mcp_resources: number
providers: number
models: number
}
api: {
surface: ("studio" | "missions" | "platform" | "analytics" | "service")
method: ("DELETE" | "GET" | "PATCH" | "POST" | "PUT")
path: string
purpose: string
auth: ("none" | "optional" | "key")
scope: (Scope | null)
human: boolean
}[]
mcp: {
endpoint: string
transport: "streamable-http"
tools: {
name: string
title: string
description: string
surfaces: ("studio" | "missions" | "platform" | "analytics" | "service")[]
scope: (Scope | null)
writes_state: boolean
}[]
resources: {
uri: string
title: string
description: string
}[]
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListPlatformCapabilitiesAnswer".
 */
export interface ListPlatformCapabilitiesAnswer {
object: "list"
data: CapabilitySummary[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CapabilitySummary".
 */
export interface CapabilitySummary {
slug: ("image.generate" | "image.edit" | "image.upscale" | "video.generate" | "video.from-image" | "video.cinematic-shot" | "video.edit" | "avatar.talking-head-text" | "tts.synthesize" | "audio.transcribe" | "music.generate" | "text.generate" | "orchestrate.run")
title: string
description: string
family: ("text" | "image" | "video" | "speech" | "transcription" | "music" | "avatar" | "orchestration")
status: ("available" | "unavailable")
routes: {
method: ("DELETE" | "GET" | "PATCH" | "POST" | "PUT")
path: string
purpose: string
scope: (Scope | null)
openai: boolean
}[]
providers: CapabilityProvider[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CapabilityProvider".
 */
export interface CapabilityProvider {
id: string
title: string
health: ProviderHealth
model: string
available: boolean
unavailable_because: (string | null)
price_usd: {
[k: string]: number
}
latency_ms: {
base: number
per_second: number
}
quality: number
limits: {
[k: string]: number
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ProviderHealth".
 */
export interface ProviderHealth {
state: ("healthy" | "degraded" | "unhealthy")
circuit: ("closed" | "open" | "half_open")
reason: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CapabilityDescriptor".
 */
export interface CapabilityDescriptor {
slug: ("image.generate" | "image.edit" | "image.upscale" | "video.generate" | "video.from-image" | "video.cinematic-shot" | "video.edit" | "avatar.talking-head-text" | "tts.synthesize" | "audio.transcribe" | "music.generate" | "text.generate" | "orchestrate.run")
title: string
description: string
family: ("text" | "image" | "video" | "speech" | "transcription" | "music" | "avatar" | "orchestration")
status: ("available" | "unavailable")
routes: {
method: ("DELETE" | "GET" | "PATCH" | "POST" | "PUT")
path: string
purpose: string
scope: (Scope | null)
openai: boolean
input_schema: ({
[k: string]: unknown
} | null)
}[]
providers: CapabilityProvider[]
policies: {
name: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
default: boolean
weights: {
[k: string]: number
}
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListFamiliesAnswer".
 */
export interface ListFamiliesAnswer {
object: "list"
data: {
id: ("text" | "image" | "video" | "speech" | "transcription" | "music" | "avatar" | "orchestration")
title: string
description: string
status: ("available" | "unavailable")
capabilities: string[]
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListProvidersAnswer".
 */
export interface ListProvidersAnswer {
object: "list"
data: PlatformProvider[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PlatformProvider".
 */
export interface PlatformProvider {
id: string
title: string
style: ("local-animatic" | "openai-compatible" | "replicate-style" | "fal-style")
health: ProviderHealth
concurrency: (number | null)
capabilities: {
slug: string
model: string
available: boolean
unavailable_because: (string | null)
price_usd: {
[k: string]: number
}
latency_ms: {
base: number
per_second: number
}
quality: number
limits: {
[k: string]: number
}
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListModelsAnswer".
 */
export interface ListModelsAnswer {
object: "list"
data: PlatformModel[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PlatformModel".
 */
export interface PlatformModel {
id: string
object: "model"
created: number
owned_by: string
capabilities: string[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListPersonasAnswer".
 */
export interface ListPersonasAnswer {
object: "list"
data: {
id: string
title: string
description: string
voice?: string
language?: string
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChatCompletion".
 */
export interface ChatCompletion {
id: string
object: "chat.completion"
created: number
model: string
choices: {
index: number
message: {
role: "assistant"
content: (string | null)
refusal: (string | null)
tool_calls?: ChatToolCall[]
}
logprobs: null
finish_reason: ("stop" | "length" | "tool_calls" | "content_filter")
}[]
usage?: ChatUsage
job: JobLink
run: {
id: string
provider: string
model: string
cost_usd: (number | null)
latency_ms: number
}
audit_receipt: null
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChatToolCall".
 */
export interface ChatToolCall {
id: string
type: "function"
function: {
name: string
arguments: string
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChatUsage".
 */
export interface ChatUsage {
prompt_tokens: number
completion_tokens: number
total_tokens: number
prompt_tokens_details?: {
cached_tokens: number
}
completion_tokens_details?: {
reasoning_tokens: number
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "JobLink".
 */
export interface JobLink {
id: string
kind: ("job" | "mission")
state: WorkState
status: WorkState
url: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChatCompletionRequest".
 */
export interface ChatCompletionRequest {
messages: ChatMessage[]
model?: (string | null)
stream?: (boolean | null)
stream_options?: ({
include_usage?: boolean
include_obfuscation?: boolean
} | null)
tools?: (ChatTool[] | null)
tool_choice?: (ChatToolChoice | null)
parallel_tool_calls?: (boolean | null)
response_format?: (ChatResponseFormat | null)
max_completion_tokens?: (number | null)
max_tokens?: (number | null)
temperature?: (number | null)
top_p?: (number | null)
presence_penalty?: (number | null)
frequency_penalty?: (number | null)
seed?: (number | null)
stop?: ((string | string[]) | null)
reasoning_effort?: (string | null)
verbosity?: (("low" | "medium" | "high") | null)
user?: (string | null)
n?: (1 | null)
logprobs?: (false | null)
top_logprobs?: (0 | null)
logit_bias?: ({

} | null)
modalities?: (("text")[] | null)
audio?: null
moderation?: null
web_search_options?: null
metadata?: unknown
store?: unknown
service_tier?: unknown
safety_identifier?: unknown
prompt_cache_key?: unknown
prompt_cache_retention?: unknown
prompt_cache_options?: unknown
prediction?: unknown
routing?: ChatRouting
cache?: ChatCaching
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChatMessage".
 */
export interface ChatMessage {
role: ("developer" | "system" | "user" | "assistant" | "tool")
content?: (string | ChatPart[] | null)
name?: (string | null)
tool_calls?: (ChatToolCallInput[] | null)
tool_call_id?: string
refusal?: (string | null)
annotations?: unknown
audio?: null
function_call?: null
parsed?: unknown
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChatPart".
 */
export interface ChatPart {
type: string
text?: string
refusal?: string
image_url?: {
url: string
detail?: ("auto" | "low" | "high")
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChatToolCallInput".
 */
export interface ChatToolCallInput {
id: string
type: "function"
function: {
name: string
arguments: string
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChatTool".
 */
export interface ChatTool {
type: "function"
function: {
name: string
description?: string
parameters?: {
[k: string]: unknown
}
strict?: (boolean | null)
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChatRouting".
 */
export interface ChatRouting {
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
providers?: string[]
exclude?: string[]
max_cost_usd?: number
fallback?: boolean
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChatCaching".
 */
export interface ChatCaching {
ttl_seconds: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ModelResponse".
 */
export interface ModelResponse {
id: string
object: "response"
created_at: number
completed_at: (number | null)
status: ("queued" | "in_progress" | "completed" | "incomplete" | "failed" | "cancelled")
incomplete_details: ({
reason: ("max_output_tokens" | "content_filter")
} | null)
error: (ResponseFailure | null)
output: (ResponseMessageItem | ResponseFunctionCall)[]
usage: (ResponseUsage | null)
model: string
previous_response_id: (string | null)
instructions: (string | null)
tools: ResponseToolSet[]
tool_choice: (("auto" | "none" | "required") | {
type: "function"
name: string
})
truncation: "disabled"
parallel_tool_calls: boolean
text: {
format: ResponseTextFormatSet
verbosity: ("low" | "medium" | "high")
}
top_p: number
presence_penalty: number
frequency_penalty: number
top_logprobs: number
temperature: number
reasoning: ({
effort: (string | null)
summary: null
} | null)
user: (string | null)
max_output_tokens: (number | null)
max_tool_calls: (number | null)
store: boolean
background: boolean
service_tier: "default"
metadata: {
[k: string]: string
}
safety_identifier: (string | null)
prompt_cache_key: (string | null)
access_programs: null
conversation: null
provider: (string | null)
job: JobLink
warnings?: string[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ResponseFailure".
 */
export interface ResponseFailure {
code: string
message: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ResponseMessageItem".
 */
export interface ResponseMessageItem {
type: "message"
id: string
role: ("user" | "assistant" | "system" | "developer")
status: ("in_progress" | "completed" | "incomplete")
content: ResponseContentPart[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ResponseFunctionCall".
 */
export interface ResponseFunctionCall {
type: "function_call"
id: string
call_id: string
name: string
arguments: string
status: ("in_progress" | "completed" | "incomplete")
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ResponseUsage".
 */
export interface ResponseUsage {
input_tokens: number
input_tokens_details: {
cached_tokens: number
cache_write_tokens: number
}
output_tokens: number
output_tokens_details: {
reasoning_tokens: number
}
total_tokens: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ResponseToolSet".
 */
export interface ResponseToolSet {
type: "function"
name: string
description: (string | null)
parameters: ({
[k: string]: unknown
} | null)
strict: (boolean | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ResponseCreation".
 */
export interface ResponseCreation {
model?: (string | null)
input: (string | {
type?: string
id?: (string | null)
}[])
instructions?: (string | null)
stream?: (boolean | null)
stream_options?: ({
include_obfuscation?: boolean
} | null)
background?: (boolean | null)
store?: (boolean | null)
previous_response_id?: (string | null)
conversation?: null
prompt?: null
tools?: (ResponseTool[] | null)
tool_choice?: ((("auto" | "none" | "required") | {
type: "function"
name: string
}) | null)
parallel_tool_calls?: (boolean | null)
max_output_tokens?: (number | null)
max_tool_calls?: (number | null)
temperature?: (number | null)
top_p?: (number | null)
presence_penalty?: (number | null)
frequency_penalty?: (number | null)
top_logprobs?: (number | null)
text?: ({
format?: ResponseTextFormat
verbosity?: (("low" | "medium" | "high") | null)
} | null)
reasoning?: ({
effort?: (string | null)
summary?: (string | null)
generate_summary?: (string | null)
context?: ("auto" | null)
mode?: ("standard" | null)
} | null)
truncation?: (("auto" | "disabled") | null)
moderation?: null
context_management?: null
metadata?: ({
[k: string]: string
} | null)
include?: (("reasoning.encrypted_content" | "message.input_image.image_url" | "file_search_call.results" | "web_search_call.results" | "web_search_call.action.sources" | "code_interpreter_call.outputs" | "computer_call_output.output.image_url")[] | null)
service_tier?: (("auto" | "default" | "flex" | "scale" | "priority" | "fast") | null)
prompt_cache_key?: (string | null)
prompt_cache_options?: unknown
prompt_cache_retention?: (("in_memory" | "in-memory" | "24h") | null)
safety_identifier?: (string | null)
user?: (string | null)
routing?: ResponseRouting
webhook?: WebhookTarget
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ResponseTool".
 */
export interface ResponseTool {
type: string
name?: string
description?: (string | null)
parameters?: ({
[k: string]: unknown
} | null)
strict?: (boolean | null)
[k: string]: unknown
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ResponseRouting".
 */
export interface ResponseRouting {
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
providers?: string[]
exclude?: string[]
max_cost_usd?: number
fallback?: boolean
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WebhookTarget".
 */
export interface WebhookTarget {
url: string
events?: ("completed" | "failed" | "cancelled")[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "DeleteResponseAnswer".
 */
export interface DeleteResponseAnswer {
id: string
object: "response"
deleted: boolean
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListInputItemsAnswer".
 */
export interface ListInputItemsAnswer {
object: "list"
data: (ResponseMessageItem | ResponseFunctionCall | ResponseFunctionOutput)[]
first_id: (string | null)
last_id: (string | null)
has_more: boolean
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ResponseFunctionOutput".
 */
export interface ResponseFunctionOutput {
type: "function_call_output"
id: string
call_id: string
output: (string | ResponseContentPart[])
status: ("in_progress" | "completed" | "incomplete")
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PendingWork".
 */
export interface PendingWork {
job: JobSummary
run: WorkRun
audit_receipt: null
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WorkRun".
 */
export interface WorkRun {
id: string
provider: (string | null)
model: (string | null)
cost_usd: (number | null)
warnings?: string[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SpeechCreation".
 */
export interface SpeechCreation {
input: string
voice?: (string | {
id: string
})
response_format?: ("mp3" | "opus" | "aac" | "flac" | "wav" | "pcm")
language?: string
speed?: number
instructions?: string
stream_format?: "audio"
model?: string
routing?: MediaRouting
webhook?: WebhookTarget
user?: string
safety_identifier?: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MediaRouting".
 */
export interface MediaRouting {
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
providers?: string[]
exclude?: string[]
max_cost_usd?: number
fallback?: boolean
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Transcript".
 */
export interface Transcript {
text: string
usage?: {
type: "duration"
seconds: number
}
job: JobSummary
run: WorkRun
audit_receipt: null
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "TranscriptionCreation".
 */
export interface TranscriptionCreation {
file: string
language?: string
prompt?: string
response_format?: ("json" | "text" | "srt" | "vtt")
temperature?: number
stream?: false
model?: string
routing?: MediaRouting
webhook?: WebhookTarget
user?: string
safety_identifier?: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MadeImages".
 */
export interface MadeImages {
created: number
data: {
url?: string
b64_json?: string
asset: MediaAsset
}[]
size?: string
output_format?: string
job: JobSummary
run: WorkRun
audit_receipt: null
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MediaAsset".
 */
export interface MediaAsset {
id: string
name: string
kind: ("image" | "video" | "audio" | "text" | "package" | "data")
media_type: string
bytes: number
sha256: string
width: (number | null)
height: (number | null)
duration: (number | null)
url: (string | null)
url_expires_at: (number | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ImageGeneration".
 */
export interface ImageGeneration {
prompt: string
n?: number
size?: string
response_format?: ("url" | "b64_json")
output_format?: ("png" | "jpeg" | "webp")
output_compression?: number
quality?: string
background?: string
stream?: false
partial_images?: 0
style?: string
moderation?: string
seed?: number
model?: string
routing?: MediaRouting
webhook?: WebhookTarget
user?: string
safety_identifier?: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ImageEdit".
 */
export interface ImageEdit {
image: (string | string[])
mask?: string
prompt: string
n?: number
size?: string
response_format?: ("url" | "b64_json")
output_format?: ("png" | "jpeg" | "webp")
output_compression?: number
quality?: string
background?: string
stream?: false
partial_images?: 0
input_fidelity?: string
model?: string
routing?: MediaRouting
webhook?: WebhookTarget
user?: string
safety_identifier?: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ImageUpscale".
 */
export interface ImageUpscale {
image: string
resolution?: number
response_format?: ("url" | "b64_json")
model?: string
routing?: MediaRouting
webhook?: WebhookTarget
user?: string
safety_identifier?: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MadeMedia".
 */
export interface MadeMedia {
created: number
data: MediaAsset[]
attachments: MediaAsset[]
job: JobSummary
run: WorkRun
audit_receipt: null
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "VideoGeneration".
 */
export interface VideoGeneration {
prompt: string
seconds?: (number | string)
size?: string
title?: string
model?: string
routing?: MediaRouting
webhook?: WebhookTarget
user?: string
safety_identifier?: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "VideoFromImage".
 */
export interface VideoFromImage {
image: string
prompt?: string
seconds?: (number | string)
size?: string
title?: string
model?: string
routing?: MediaRouting
webhook?: WebhookTarget
user?: string
safety_identifier?: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PersonaVideo".
 */
export interface PersonaVideo {
input: string
id?: string
seconds?: (number | string)
size?: string
title?: string
model?: string
routing?: MediaRouting
webhook?: WebhookTarget
user?: string
safety_identifier?: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MusicGeneration".
 */
export interface MusicGeneration {
prompt: string
seconds?: number
model?: string
routing?: MediaRouting
webhook?: WebhookTarget
user?: string
safety_identifier?: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "VideoComposition".
 */
export interface VideoComposition {
prompt?: string
sections: {
prompt: string
seconds: number
}[]
model?: string
routing?: MediaRouting
webhook?: WebhookTarget
user?: string
safety_identifier?: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Video".
 */
export interface Video {
id: string
object: "video"
status: ("queued" | "in_progress" | "completed" | "failed")
progress: number
created_at: number
completed_at: (number | null)
expires_at: (number | null)
error: ({
code: string
message: string
} | null)
model: string
prompt: (string | null)
remixed_from_video_id: null
seconds: string
size: string
job: JobSummary
run: WorkRun
audit_receipt: null
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "VideoCreation".
 */
export interface VideoCreation {
prompt: string
seconds?: (number | string)
size?: string
title?: string
model?: string
routing?: MediaRouting
webhook?: WebhookTarget
user?: string
safety_identifier?: string
input_reference?: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListVideosAnswer".
 */
export interface ListVideosAnswer {
object: "list"
data: Video[]
first_id: (string | null)
last_id: (string | null)
has_more: boolean
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "DeleteVideoAnswer".
 */
export interface DeleteVideoAnswer {
id: string
object: "video.deleted"
deleted: boolean
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PlatformFile".
 */
export interface PlatformFile {
id: string
object: "file"
bytes: number
created_at: number
expires_at: number
filename: string
purpose: ("assistants" | "batch" | "fine-tune" | "vision" | "user_data" | "evals" | "batch_output")
status: "processed"
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListFilesAnswer".
 */
export interface ListFilesAnswer {
object: "list"
data: PlatformFile[]
first_id: (string | null)
last_id: (string | null)
has_more: boolean
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "DeleteFileAnswer".
 */
export interface DeleteFileAnswer {
id: string
object: "file"
deleted: boolean
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Batch".
 */
export interface Batch {
id: string
object: "batch"
endpoint: string
errors: ({
object: "list"
data: {
code: string
message: string
line: (number | null)
param: (string | null)
}[]
} | null)
input_file_id: string
completion_window: "24h"
status: ("validating" | "failed" | "in_progress" | "finalizing" | "completed" | "expired" | "cancelling" | "cancelled")
output_file_id: (string | null)
error_file_id: (string | null)
created_at: number
in_progress_at: (number | null)
expires_at: number
finalizing_at: (number | null)
completed_at: (number | null)
failed_at: (number | null)
expired_at: (number | null)
cancelling_at: (number | null)
cancelled_at: (number | null)
request_counts: {
total: number
completed: number
failed: number
}
usage?: {
input_tokens: number
input_tokens_details: {
cached_tokens: number
}
output_tokens: number
output_tokens_details: {
reasoning_tokens: number
}
total_tokens: number
}
metadata: ({
[k: string]: string
} | null)
job: (JobSummary | null)
run: {
id: string
attempt: (number | null)
}
audit_receipt: null
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CreateBatchRequest".
 */
export interface CreateBatchRequest {
input_file_id?: string
requests?: {
custom_id?: unknown
method?: unknown
url?: unknown
body?: unknown
}[]
endpoint?: string
completion_window?: "24h"
metadata?: ({
[k: string]: string
} | null)
output_expires_after?: {
anchor: "created_at"
seconds: number
}
webhook?: WebhookTarget
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CreateBatchOpenAiRequest".
 */
export interface CreateBatchOpenAiRequest {
input_file_id?: string
requests?: {
custom_id?: unknown
method?: unknown
url?: unknown
body?: unknown
}[]
endpoint?: string
completion_window?: "24h"
metadata?: ({
[k: string]: string
} | null)
output_expires_after?: {
anchor: "created_at"
seconds: number
}
webhook?: WebhookTarget
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListBatchesAnswer".
 */
export interface ListBatchesAnswer {
object: "list"
data: Batch[]
first_id: (string | null)
last_id: (string | null)
has_more: boolean
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListWebhookDeliveriesAnswer".
 */
export interface ListWebhookDeliveriesAnswer {
data: WebhookDelivery[]
next_cursor: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WebhookDelivery".
 */
export interface WebhookDelivery {
id: string
job: JobLink
url: string
event: ("completed" | "failed" | "cancelled")
state: ("pending" | "delivered" | "failed")
status: ("pending" | "delivered" | "failed")
attempts: number
replays: number
last_status: (number | null)
last_error: (string | null)
created_at: string
delivered_at: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadMissionContractsAnswer".
 */
export interface ReadMissionContractsAnswer {
schemas: {
mission_request: {
[k: string]: unknown
}
plan: {
[k: string]: unknown
}
receipt: {
[k: string]: unknown
}
}
capabilities: {
name: string
title: string
sensitivity: Sensitivity
input_schema: {
[k: string]: unknown
}
}[]
policies: {
sensitivity: Sensitivity
name: string
decision: ("allow" | "human")
assurance: (Assurance | null)
}[]
approval_areas: {
area: string
rule: string
needs_proof_of_personhood: boolean
}[]
doctrine: {
[k: string]: string
}
object: "list"
authenticated: boolean
counts: {
[k: string]: number
}
data: MissionRecord[]
has_more: boolean
next_cursor: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MissionRecord".
 */
export interface MissionRecord {
id: string
state: ("planned" | "awaiting_human" | "executing" | "sealing" | "sealed" | "failed" | "cancelled")
status: ("planned" | "awaiting_human" | "executing" | "sealing" | "sealed" | "failed" | "cancelled")
goal: string
planner: ("rules" | "model" | "client")
steps: number
cost_usd: number
spent_usd: number
budget_usd: (number | null)
created_at: string
links: {
self: string
receipt: (string | null)
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListGovernanceReceiptsAnswer".
 */
export interface ListGovernanceReceiptsAnswer {
object: "list"
authenticated: boolean
counts: {
[k: string]: number
}
data: ReceiptRecord[]
has_more: boolean
next_cursor: (string | null)
schema: {
[k: string]: unknown
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReceiptRecord".
 */
export interface ReceiptRecord {
id: string
kind: ("mission" | "execution")
outcome: ("succeeded" | "failed" | "cancelled")
root: string
kid: string
sealed_at: string
anchor: {
status: AnchorStatus
anchored: boolean
}
links: {
self: string
verify: string
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListGovernanceApprovalsAnswer".
 */
export interface ListGovernanceApprovalsAnswer {
object: "list"
authenticated: boolean
counts: {
[k: string]: number
}
data: ApprovalRecord[]
has_more: boolean
next_cursor: (string | null)
schema: {
[k: string]: unknown
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ApprovalRecord".
 */
export interface ApprovalRecord {
id: string
status: ("pending" | "granted" | "declined" | "used" | "expired")
kind: ("render" | "publish" | "job")
subject: string
effect: {
[k: string]: unknown
}
effectSha256: string
areas: ApprovalArea[]
needsProofOfPersonhood: boolean
jobId: (string | null)
requestedBy: string
decidedBy: (string | null)
reason: (string | null)
assurance: (Assurance | null)
decideAt: string
createdAt: string
expiresAt: string
decidedAt: (string | null)
usedAt: (string | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Orchestration".
 */
export interface Orchestration {
id: string
object: "orchestration"
status: ("planned" | "awaiting_human" | "executing" | "sealing" | "sealed" | "failed" | "cancelled")
state: ("planned" | "awaiting_human" | "executing" | "sealing" | "sealed" | "failed" | "cancelled")
query: string
plan: MissionPlan
budget_usd: (number | null)
spent_usd: number
approvals: AwaitedApproval[]
links: {
mission: string
execute: string
events: string
receipt: (string | null)
}
job: {
id: string
kind: "mission"
state: ("planned" | "awaiting_human" | "executing" | "sealing" | "sealed" | "failed" | "cancelled")
status: ("planned" | "awaiting_human" | "executing" | "sealing" | "sealed" | "failed" | "cancelled")
created_at: string
finished_at: (string | null)
url: string
}
run: ({
id: string
started_at: string
deadline_at: (string | null)
steps: {
id: string
capability: string
status: ("waiting" | "awaiting_human" | "approved" | "running" | "succeeded" | "failed" | "cancelled" | "skipped")
job_id: (string | null)
}[]
} | null)
audit_receipt: (Receipt | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "AwaitedApproval".
 */
export interface AwaitedApproval {
step: string
capability: string
cost_usd: number
effect_sha256: (string | null)
assurance: (Assurance | null)
challenge: (StepChallenge | null)
approve_at: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "OrchestrationCreation".
 */
export interface OrchestrationCreation {
query: string
capabilities?: string[]
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
budget_usd?: number
timeout_seconds?: number
plan_only?: boolean
webhook?: WebhookTarget
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChainAnalyticsAnswer".
 */
export interface ChainAnalyticsAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ChainAnalytics
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChainAnalytics".
 */
export interface ChainAnalytics {
symbol: MarketSymbol
name: string
source: ("cboe_csv" | "cboe_json" | "synthetic")
as_of: string
spot: number
multiplier: number
adv_usd: number
generation: Generation
exercise: ("european" | "de_americanised")
exposures: BookExposures
profile_by_strike: StrikeExposure[]
gamma_profile: GammaProfile
flips: GammaFlips
levels: BookLevels
regime: GammaRegime
expiries: ExpiryExposure[]
quality: ChainQuality
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "BookExposures".
 */
export interface BookExposures {
dex: number
net_gex: number
gex_abs: number
vex: number
cex: number
tex: number
units: {
[k: string]: string
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StrikeExposure".
 */
export interface StrikeExposure {
strike: number
gex: number
call_gex: number
put_gex: number
gex_abs: number
call_open_interest: number
put_open_interest: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "GammaProfile".
 */
export interface GammaProfile {
spots: number[]
gex: number[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "GammaFlips".
 */
export interface GammaFlips {
status: FlipStatus
flips: GammaFlip[]
primary: (GammaFlip | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "GammaFlip".
 */
export interface GammaFlip {
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "BookLevels".
 */
export interface BookLevels {
call_wall: (number | null)
put_wall: (number | null)
abs_gamma: (number | null)
hvl: (number | null)
hvl_cumulative_gex: (number | null)
atm_volatility: (number | null)
expected_move_1d: (number | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "GammaRegime".
 */
export interface GammaRegime {
state: (("strong_positive" | "positive" | "transition" | "negative" | "strong_negative") | null)
ngr: (number | null)
gir: (number | null)
sigma_d_pct: (number | null)
confidence: (number | null)
reason: ("ngr" | "near_flip" | "low_confidence" | "no_gamma")
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ExpiryExposure".
 */
export interface ExpiryExposure {
root: string
date: string
settlement: ("am" | "pm")
settles_at: string
years: number
contracts: number
open_interest: number
gex: number
gex_abs: number
atm_volatility: (number | null)
max_pain: (number | null)
forward: number
rate: number
dividend: number
forward_method: ("parity" | "parity_pooled_rate" | "parity_near_money" | "spot")
forward_strikes: number
forward_standard_error: (number | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChainQuality".
 */
export interface ChainQuality {
contracts_used: number
dropped: {
[k: string]: number
}
volatility_sources: {
[k: string]: number
}
coverage: (number | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CreateSnapshotRequest".
 */
export interface CreateSnapshotRequest {
symbol: MarketSymbol
chain?: ({
[k: string]: unknown
} | string)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ForgetSnapshotAnswer".
 */
export interface ForgetSnapshotAnswer {
symbol: MarketSymbol
forgotten: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "GexAnswer".
 */
export interface GexAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: (GexData | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "GexData".
 */
export interface GexData {
feed: ("configured" | "own")
net_gex: number
gex_abs: number
estimate: ExposureEstimate
spot: number
exposures: BookExposures
profile_by_strike: StrikeExposure[]
gamma_profile: GammaProfile
flips: GammaFlips
levels: BookLevels
regime: GammaRegime
quality: ChainQuality
flips_by_bucket: BucketFlips
dex_estimate: ExposureEstimate
gex_by_strike: {
strike: number
gex: number
sd: (number | null)
p_positive: (number | null)
}[]
gex_by_expiry: {
expiry: string
years: number
gex: number
sd: (number | null)
p_positive: (number | null)
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ExposureEstimate".
 */
export interface ExposureEstimate {
value: number
sd: (number | null)
p_positive: (number | null)
generation: Generation
coverage: (number | null)
censored_share: (number | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "BucketFlips".
 */
export interface BucketFlips {
vol_regime: ("sticky_strike" | "sticky_moneyness" | "ssr")
zero_dte: BucketFlip
week: BucketFlip
monthly: BucketFlip
all: BucketFlip
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "BucketFlip".
 */
export interface BucketFlip {
expiries: number
gex: number
gex_abs: number
flips: GammaFlips
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ExposureAnswer".
 */
export interface ExposureAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: (ExposureData | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ExposureData".
 */
export interface ExposureData {
spot: number
estimate: ExposureEstimate
unit: string
net: number
calls: number
puts: number
gross: number
by_strike: {
strike: number
net: number
calls: number
puts: number
gross: number
sd: (number | null)
p_positive: (number | null)
}[]
by_expiry: {
expiry: string
years: number
net: number
calls: number
puts: number
gross: number
sd: (number | null)
p_positive: (number | null)
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "DealerStabilityIndexAnswer".
 */
export interface DealerStabilityIndexAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: (DealerStabilityIndex | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "DealerStabilityIndex".
 */
export interface DealerStabilityIndex {
status: ("ok" | "insufficient_history" | "no_gamma" | "no_volatility" | "no_volume")
dsi: (number | null)
dsi_gamma_only: (number | null)
raw_share: (number | null)
percentile_252d: (number | null)
trend_5d: (number | null)
band: ({
low: number
high: number
} | null)
reading: (("absorbing" | "neutral" | "amplifying") | null)
stabilising_coefficient: number
ssr: SkewStickiness
kappa: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SkewStickiness".
 */
export interface SkewStickiness {
status: ("ok" | "given" | "too_few_observations" | "no_moves")
ssr: number
raw: (number | null)
standard_error: (number | null)
weight: number
observations: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RegimeAnswer".
 */
export interface RegimeAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: (RegimeData | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RegimeData".
 */
export interface RegimeData {
spot: number
net_gex: number
gex_abs: number
flip: (number | null)
estimate: ExposureEstimate
state: (("strong_positive" | "positive" | "transition" | "negative" | "strong_negative") | null)
ngr: (number | null)
gir: (number | null)
sigma_d_pct: (number | null)
confidence: (number | null)
reason: ("ngr" | "near_flip" | "low_confidence" | "no_gamma")
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "LevelsAnswer".
 */
export interface LevelsAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: (LevelsData | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "LevelsData".
 */
export interface LevelsData {
spot: number
call_wall: (number | null)
put_wall: (number | null)
abs_gamma: (number | null)
hvl: (number | null)
hvl_cumulative_gex: (number | null)
atm_volatility: (number | null)
expected_move_1d: (number | null)
expected_range_1d: ({
lower: number
upper: number
} | null)
flip: (number | null)
vol_trigger: {
level: (number | null)
alias_of: "flip"
}
pin_strike: (number | null)
pin_status: ("ok" | "no_zero_dte" | "no_strike_in_range" | "no_volatility")
max_pain: {
expiry: string
level: (number | null)
}[]
flips: GammaFlips
flip_interval: LevelsInterval
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "LevelsInterval".
 */
export interface LevelsInterval {
generation: Generation
flip: (number | null)
status: ("ok" | "open_below" | "open_above" | "open" | "no_flip" | "no_sd")
method: ("shift" | "bootstrap")
low: (number | null)
high: (number | null)
resolved_share: (number | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CharmAnswer".
 */
export interface CharmAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: (Charm | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Charm".
 */
export interface Charm {
status: ("ok" | "no_position")
cex: number
flow_1h: number
flow_to_close: (number | null)
flow_1d: number
cex_per_minute: number
by_expiry: {
expiry: string
years: number
cex: number
flow_1h: number
flow_to_close: (number | null)
flow_1d: number
settles_within_1d: boolean
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CharmScheduleAnswer".
 */
export interface CharmScheduleAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: (CharmSchedule | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CharmSchedule".
 */
export interface CharmSchedule {
status: ("ok" | "no_session" | "no_flow")
windows: CharmWindow[]
total_usd: number
activation: ({
at: string
reason: ("cumulative" | "intensity")
} | null)
peak: (CharmWindow | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CharmWindow".
 */
export interface CharmWindow {
from: string
to: string
flow_usd: number
cumulative_usd: number
share_of_volume: (number | null)
direction: (("BUY" | "SELL") | null)
by_expiry: {
[k: string]: number
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "VolatilitySurfaceAnswer".
 */
export interface VolatilitySurfaceAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: (VolatilitySurface | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "VolatilitySurface".
 */
export interface VolatilitySurface {
model: "essvi"
certificate: {
least_g: number
least_calendar_gap: (number | null)
steepest_wing: number
holds: boolean
}
expiries: SurfaceExpiry[]
grid: SurfaceGrid
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SurfaceExpiry".
 */
export interface SurfaceExpiry {
label: string
years: number
forward: number
status: ("ok" | "thin" | "poor_fit" | "no_quotes" | "bad_time" | "same_time")
quotes: number
quotes_crossed: number
quotes_malformed: number
essvi: ({
theta: number
rho: number
psi: number
} | null)
atm_volatility: (number | null)
skew: (number | null)
fit_error: (SurfaceFitError | null)
svi: SviParameters
quoted?: QuotedVolatility
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SurfaceFitError".
 */
export interface SurfaceFitError {
volatility_points: number
half_spreads: number
inside: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SviParameters".
 */
export interface SviParameters {
status: ("ok" | "repaired" | "too_few_quotes" | "no_fit" | "arbitrage")
raw: ({
a: number
b: number
rho: number
m: number
sigma: number
} | null)
natural: ({
delta: number
mu: number
rho: number
omega: number
zeta: number
} | null)
jump_wing: ({
v: number
psi: number
p: number
c: number
vtilde: number
} | null)
least_g: (number | null)
left_wing: (number | null)
right_wing: (number | null)
atm_volatility: (number | null)
skew: (number | null)
fit_error: (SurfaceFitError | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "QuotedVolatility".
 */
export interface QuotedVolatility {
k: number[]
bid: number[]
mid: number[]
ask: number[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SurfaceGrid".
 */
export interface SurfaceGrid {
days: number[]
forwards: number[]
k: (number[] | null)
strikes: (number[] | null)
volatility: (number | null)[][]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "FlowForecastAnswer".
 */
export interface FlowForecastAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: (FlowForecast | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "FlowForecast".
 */
export interface FlowForecast {
status: ("ok" | "no_position" | "no_volatility")
scenarios: FlowScenario[]
horizons: FlowHorizon[]
largest: (("30m" | "close" | "1d") | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "FlowScenario".
 */
export interface FlowScenario {
spot_return_pct: number
hours: number
vol_points: number
flow_usd: number
gamma_usd: number
vanna_usd: number
charm_usd: number
residual_usd: number
impact_pct: (number | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "FlowHorizon".
 */
export interface FlowHorizon {
horizon: ("30m" | "close" | "1d")
hours: number
sessions: number
mean_usd: number
p10_usd: number
p50_usd: number
p90_usd: number
impact_pct: (number | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "VannaCharmMomentumAnswer".
 */
export interface VannaCharmMomentumAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: (VannaCharmMomentum | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "VannaCharmMomentum".
 */
export interface VannaCharmMomentum {
status: ("ok" | "no_volatility" | "no_volume")
vcm: (number | null)
vanna_flow_usd: (number | null)
charm_flow_usd: number
expected_vol_points: (number | null)
agreement: (number | null)
state: (("aligned_bid" | "aligned_offer" | "conflict" | "quiet") | null)
horizon_hours: number
volume_share: number
kappa: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "DealerPositioningAnswer".
 */
export interface DealerPositioningAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: (DealerPositioning | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "DealerPositioning".
 */
export interface DealerPositioning {
status: ("ok" | "no_positions")
generation: Generation
basis: ("convention" | "estimate")
coverage: (number | null)
censored_share: (number | null)
calls: PositioningSide
puts: PositioningSide
strikes: {
strike: number
calls: PositioningSide
puts: PositioningSide
total: PositioningSide
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PositioningSide".
 */
export interface PositioningSide {
state: ("bought" | "sold" | "balanced" | "unknown")
net: number
sd: (number | null)
z: (number | null)
p_bought: (number | null)
open_interest: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "HedgingBandsAnswer".
 */
export interface HedgingBandsAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: (HedgingBands | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "HedgingBands".
 */
export interface HedgingBands {
status: ("ok" | "open_band" | "no_volatility" | "zero_net_gamma" | "no_gamma")
model: ("whalley_wilmott" | "zakamouline")
gamma_shares: number
half_width_shares: (number | null)
half_width_pts: (number | null)
volatility_factor: (number | null)
lower: (HedgingBandEdge | null)
upper: (HedgingBandEdge | null)
exit: (HedgingBandReached | null)
zones: HedgingZone[]
cost: number
risk_aversion: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "HedgingBandEdge".
 */
export interface HedgingBandEdge {
level: number
hit: HedgingBandReached
flow_usd: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "HedgingBandReached".
 */
export interface HedgingBandReached {
p_1h: (number | null)
p_close: (number | null)
p_1d: (number | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "HedgingZone".
 */
export interface HedgingZone {
lower: number
upper: number
peak: number
sign: ("positive" | "negative")
gex_peak: number
hit: HedgingBandReached
expected_flow_usd: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "GammaThetaBurnAnswer".
 */
export interface GammaThetaBurnAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: (GammaThetaBurn | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "GammaThetaBurn".
 */
export interface GammaThetaBurn {
status: ("ok" | "no_realised_volatility" | "no_gamma")
gtbr: (number | null)
sigma_gamma: (number | null)
realised_volatility: (number | null)
net_carry_per_day: (number | null)
breakeven_move_pts_1d: (number | null)
range: ({
lower: number
upper: number
anchor: ("open" | "spot")
} | null)
burn_status: ("ok" | "no_session" | "no_prices" | "no_gamma")
burn_used: (number | null)
state: (("harvesting" | "balanced" | "burning") | null)
breach: (boolean | null)
net_gex: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "DarkPoolAnswer".
 */
export interface DarkPoolAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: (DarkPool | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "DarkPool".
 */
export interface DarkPool {
status: ("ok" | "no_tapes" | "no_short_volume" | "no_prints" | "no_gamma" | "too_few_strikes" | "no_proxy_price")
symbol: MarketSymbol
proxy: string
is_proxy: boolean
points_per_dollar: (number | null)
dpi: (number | null)
dpi_status: ("ok" | "no_data")
dpi_date: (string | null)
dpi_z: (number | null)
dpi_z_status: ("ok" | "no_data" | "short_history" | "no_variation")
tilt: (number | null)
dix: (number | null)
dix_status: ("ok" | "no_constituents")
dix_constituents: number
dix_z: (number | null)
dix_z_status: ("ok" | "no_data" | "short_history" | "no_variation")
prints: number
last_print: (string | null)
print_shares: number
node_share: (number | null)
nodes: {
price: number
shares: number
share: number
}[]
gci: (number | null)
gci_status: ("ok" | "no_prints" | "no_gamma" | "too_few_strikes" | "no_proxy_price")
gci_null_mean: (number | null)
gci_excess: (number | null)
gci_p_value: (number | null)
levels_status: ("ok" | "no_range")
levels: {
name: string
level: number
dark_share: number
uniform_share: number
confirmed: boolean
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MarketSignalsAnswer".
 */
export interface MarketSignalsAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: (MarketSignals | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MarketSignals".
 */
export interface MarketSignals {
status: "ok"
current: MarketSignal[]
recent: MarketSignal[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MarketSignal".
 */
export interface MarketSignal {
id: string
symbol: MarketSymbol
kind: ("regime_change" | "flip_proximity" | "flip_breach" | "wall_test" | "wall_break" | "pin" | "charm_drift" | "vanna_squeeze" | "gtbr_breach" | "shadow_instability" | "dark_confirmation" | "anomaly")
direction: ("up" | "down" | "expand" | "contract" | "none")
strength: number
confidence: (number | null)
horizon: ("30m" | "close" | "1d")
as_of: string
expires_at: string
spot: number
level: (number | null)
expected_move_pct: (number | null)
evidence: SignalEvidence[]
invalidation: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SignalEvidence".
 */
export interface SignalEvidence {
metric: string
value: number
threshold: (number | null)
unit: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ShadowGammaAnswer".
 */
export interface ShadowGammaAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: (ShadowGamma | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ShadowGamma".
 */
export interface ShadowGamma {
status: ("ok" | "small_net_gamma" | "no_volatility" | "no_gamma")
gex: number
gex_abs: number
shadow_gex: number
hidden_gamma: number
gamma_adjustment_factor: (number | null)
price_convexity: number
up_gamma: (number | null)
down_gamma: (number | null)
instability_ratio: (number | null)
sigma_d_pct: (number | null)
ssr: SkewStickiness
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PortfolioAnalysisAnswer".
 */
export interface PortfolioAnalysisAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: PortfolioAnalysis
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PortfolioAnalysis".
 */
export interface PortfolioAnalysis {
net_gex: number
gex_abs: number
net_gex_spx: (number | null)
effective_gamma: (number | null)
status: ("ok" | "missing_beta" | "missing_volatility" | "missing_beta_and_volatility")
unit: "$ of dealer delta gained per +1 % spot"
members: PortfolioMember[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PortfolioMember".
 */
export interface PortfolioMember {
symbol: MarketSymbol
weight: number
net_gex: number
weighted_gex: number
beta: (number | null)
weighted_gex_spx: (number | null)
gir: (number | null)
regime: (("strong_positive" | "positive" | "transition" | "negative" | "strong_negative") | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "AnalyzePortfolioRequest".
 */
export interface AnalyzePortfolioRequest {
symbols: MarketSymbol[]
weights?: number[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PortfolioOptimumAnswer".
 */
export interface PortfolioOptimumAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: (PortfolioOptimum | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PortfolioOptimum".
 */
export interface PortfolioOptimum {
status: ("ok" | "infeasible" | "inaccurate")
infeasible: (InfeasiblePortfolio | null)
variance_d: (number | null)
volatility_annual: (number | null)
effective_gamma: (number | null)
expected_return: (number | null)
kkt_residual: (number | null)
unique: (boolean | null)
budget_multiplier: (number | null)
return_multiplier: (number | null)
gamma_multiplier: (number | null)
iterations: number
members: OptimumMember[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "InfeasiblePortfolio".
 */
export interface InfeasiblePortfolio {
constraint: ("bounds" | "budget" | "target_return" | "target_gamma")
asked: (number | null)
attainable_low: (number | null)
attainable_high: (number | null)
message: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "OptimumMember".
 */
export interface OptimumMember {
symbol: MarketSymbol
weight: (number | null)
sigma_d: number
regime: (("strong_positive" | "positive" | "transition" | "negative" | "strong_negative") | null)
multiplier: number
risk_share: (number | null)
bound: (("free" | "lower" | "upper" | "fixed") | null)
bound_multiplier: (number | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "OptimizePortfolioRequest".
 */
export interface OptimizePortfolioRequest {
symbols: MarketSymbol[]
lower?: number[]
upper?: number[]
expected_returns?: number[]
target_return?: number
target_gamma?: number
correlation?: number[][]
regime_multipliers?: RegimeMultipliers
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RegimeMultipliers".
 */
export interface RegimeMultipliers {
strong_positive: number
positive: number
transition: number
negative: number
strong_negative: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PortfolioStressResultAnswer".
 */
export interface PortfolioStressResultAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: PortfolioStressResult
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PortfolioStressResult".
 */
export interface PortfolioStressResult {
before: {
symbol: MarketSymbol
weight: number
as_of: string
synthetic: boolean
spot: number
net_gex: number
gex_abs: number
}[]
results: PortfolioStressScenario[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PortfolioStressScenario".
 */
export interface PortfolioStressScenario {
spot_shock_pct: number
vol_shock_pct: number
vol_points?: number
days: number
net_gex: number
gex_abs: number
regime: GammaRegime
pnl: StressPnl
portfolio_return: (number | null)
status: PortfolioStressStatus
members: StressMember[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StressPnl".
 */
export interface StressPnl {
unhedged: number
hedged: number
delta: number
gamma: number
vega: number
vanna: number
charm: number
theta: number
residual: number
unit: string
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StressMember".
 */
export interface StressMember {
symbol: MarketSymbol
weight: number
amplification: (number | null)
impact: (number | null)
result: StressResult
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StressResult".
 */
export interface StressResult {
spot_shock_pct: number
vol_shock_pct: number
vol_points: (number | null)
vol_shift_points?: number
days: number
ssr: number
spot: number
net_gex: number
gex_abs: number
regime: GammaRegime
unhedged_pnl: number
hedged_pnl: number
pnl_parts: {
delta: number
gamma: number
vega: number
vanna: number
charm: number
theta: number
residual: number
}
hedge_flow: number
settled_contracts: number
units: {
[k: string]: string
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StressPortfolioRequest".
 */
export interface StressPortfolioRequest {
symbols: MarketSymbol[]
weights?: number[]
scenarios?: StressScenario[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StressScenario".
 */
export interface StressScenario {
spot_shock_pct?: number
vol_shock_pct?: number
vol_points?: number
days?: number
ssr?: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadHistoryOfRegimeAnswer".
 */
export interface ReadHistoryOfRegimeAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: {
rows: {
as_of: string
knowledge_time: string
spot: number
state: (("strong_positive" | "positive" | "transition" | "negative" | "strong_negative") | null)
ngr: (number | null)
gir: (number | null)
sigma_d_pct: (number | null)
confidence: (number | null)
reason: ("ngr" | "near_flip" | "low_confidence" | "no_gamma")
}[]
next_cursor: (string | null)
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadHistoryOfDsiAnswer".
 */
export interface ReadHistoryOfDsiAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: {
rows: {
as_of: string
knowledge_time: string
spot: number
dsi: (number | null)
raw_share: (number | null)
}[]
next_cursor: (string | null)
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadHistoryOfLevelsAnswer".
 */
export interface ReadHistoryOfLevelsAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: {
rows: {
as_of: string
knowledge_time: string
spot: number
flip: (number | null)
call_wall: (number | null)
put_wall: (number | null)
abs_gamma: (number | null)
hvl: (number | null)
hvl_cumulative_gex: (number | null)
atm_volatility: (number | null)
expected_move_1d: (number | null)
}[]
next_cursor: (string | null)
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadHistoryOfFlipsAnswer".
 */
export interface ReadHistoryOfFlipsAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: {
rows: {
as_of: string
knowledge_time: string
spot: number
status: FlipStatus
flip: (number | null)
flips: number[]
net_gex: number
}[]
next_cursor: (string | null)
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReadBacktestAnswer".
 */
export interface ReadBacktestAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: {
status: ("ok" | "insufficient_history")
needed: number
present: number
first_session: (string | null)
last_session: (string | null)
cost_bps: number
straddle_cost_bps: number
tests: number
level: number
rules: {
rule: ("long_volatility_negative_gamma" | "momentum_negative_gamma" | "reversion_positive_gamma" | "above_flip" | "always_long")
meaning: string
sessions: number
active: number
trades: number
total_return: number
costs: number
mean_return: (number | null)
sharpe: (number | null)
sharpe_lower: (number | null)
sharpe_upper: (number | null)
max_drawdown: number
hits: number
hit_rate: (number | null)
hit_lower: (number | null)
hit_upper: (number | null)
p: (number | null)
deflated_p: (number | null)
curve: {
session: string
decided_at: string
position: (-1 | 0 | 1)
net_return: number
equity: number
}[]
}[]
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudyStatisticsAnswer".
 */
export interface StudyStatisticsAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: StudyStatistics
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudyStatistics".
 */
export interface StudyStatistics {
status: ("ok" | "insufficient_history")
needed: number
present: number
first_session: (string | null)
last_session: (string | null)
tests: number
level: number
abs_return_autocorrelation: (number | null)
regressions: StudyRegression[]
regime_volatility: StudyVolatility[]
negative_over_positive: {
ratio: (number | null)
lower: (number | null)
upper: (number | null)
p: (number | null)
deflated_p: (number | null)
}
hits: StudyHit[]
scorecard: Scorecard
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudyRegression".
 */
export interface StudyRegression {
regressor: ("ngr" | "dsi_raw_share")
response: "abs_return"
observations: number
slope: (number | null)
standard_error: (number | null)
t: (number | null)
lower: (number | null)
upper: (number | null)
lag: (number | null)
r_squared: (number | null)
permutation_p: (number | null)
p: (number | null)
deflated_p: (number | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudyVolatility".
 */
export interface StudyVolatility {
regime: ("strong_positive" | "positive" | "transition" | "negative" | "strong_negative")
observations: number
volatility: (number | null)
lower: (number | null)
upper: (number | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudyHit".
 */
export interface StudyHit {
name: ("flip_side_kept" | "call_wall_held" | "put_wall_held" | "momentum_below_flip" | "reversal_above_flip")
meaning: string
hits: number
trials: number
rate: (number | null)
lower: (number | null)
upper: (number | null)
null_rate: (number | null)
p: (number | null)
deflated_p: (number | null)
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Scorecard".
 */
export interface Scorecard {
kinds: {
kind: ("regime_change" | "flip_proximity" | "flip_breach" | "wall_test" | "wall_break" | "pin" | "charm_drift" | "vanna_squeeze" | "gtbr_breach" | "shadow_instability" | "dark_confirmation" | "anomaly")
hit: string
signals: number
pending: number
unscored: number
hits: number
trials: number
rate: (number | null)
lower: (number | null)
upper: (number | null)
chance: (number | null)
}[]
level: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "GenerationScoresAnswer".
 */
export interface GenerationScoresAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: GenerationScores
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "GenerationScores".
 */
export interface GenerationScores {
status: "ok"
symbol: MarketSymbol
seed: number
days: string[]
method: string
generations: {
generation: Generation
contracts: {
sign_accuracy: (number | null)
sign_accuracy_weighted: (number | null)
signed_share: (number | null)
rmse: (number | null)
bias: (number | null)
band_coverage: (number | null)
}
contracts_compared: number
gex: GenerationScore
dex: GenerationScore
vex: GenerationScore
cex: GenerationScore
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "GenerationScore".
 */
export interface GenerationScore {
sign: {
hits: number
trials: number
rate: (number | null)
lower: (number | null)
upper: (number | null)
}
error_over_gross: (number | null)
band_coverage: {
hits: number
trials: number
rate: (number | null)
lower: (number | null)
upper: (number | null)
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ListOracleToolsAnswer".
 */
export interface ListOracleToolsAnswer {
tools: {
name: string
description: string
parameters: {
[k: string]: unknown
}
}[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "QueryOracleAnswer".
 */
export interface QueryOracleAnswer {
status: AnswerStatus
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (FeedStatus | null)
symbol: (MarketSymbol | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: Generation
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: {
answerable: boolean
answer: string
citations: OracleCitation[]
tools_used: string[]
results: {
tool: string
arguments: {
[k: string]: unknown
}
status: AnswerStatus
result: unknown
}[]
notes: string[]
can: {
tool: string
description: string
}[]
written_by: ("model" | "rules")
refusals: number
why_rules: (("no_model_configured" | "model_unreachable" | "model_slow" | "model_busy" | "model_refused" | "model_failed" | "model_unreadable" | "no_tool_called" | "too_many_rounds" | "unknown_numbers") | null)
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "OracleCitation".
 */
export interface OracleCitation {
n: number
tool: string
call: number
path: string
value: number
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "QueryOracleRequest".
 */
export interface QueryOracleRequest {
question: string
symbol?: MarketSymbol
session?: string
portfolio?: {
symbols: MarketSymbol[]
weights?: number[]
lower?: number[]
upper?: number[]
expected_returns?: number[]
target_return?: number
target_gamma?: number
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SendMcpMessageRequest".
 */
export interface SendMcpMessageRequest {

}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Problem".
 */
export interface Problem {
type: string
title: string
status: number
detail: string
code: ErrorCode
request_id: string
errors?: FieldError[]
details?: {
[k: string]: unknown
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "FieldError".
 */
export interface FieldError {
field: string
message: string
value: unknown
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudioError".
 */
export interface StudioError {
error: {
type: ("authentication_error" | "authorization_error" | "validation_error" | "rate_limit_error" | "execution_error" | "service_unavailable")
message: string
code: StudioErrorCode
docs?: string
request_id: string
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PlatformProblem".
 */
export interface PlatformProblem {
type: string
title: string
status: number
detail: string
code: ErrorCode
request_id: string
errors?: FieldError[]
details?: {
[k: string]: unknown
}
error: {
message: string
type: ("invalid_request_error" | "authentication_error" | "permission_error" | "not_found_error" | "conflict_error" | "rate_limit_error" | "api_error")
code: ErrorCode
param: (string | null)
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudioJob".
 */
export interface StudioJob {
id: string
kind: ("render" | "publish" | "call")
status: ("awaiting_approval" | "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled")
held: boolean
approvalRef: (string | null)
error: unknown
result: unknown
receiptId: (string | null)
createdAt: string
finishedAt: (string | null)
links: {
self: string
events: string
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudioWorkerRun".
 */
export interface StudioWorkerRun {
status: ("ok" | "disabled" | "blocked")
providerCallsEnabled: boolean
processed: number
items: {
[k: string]: unknown
}[]
reasons: string[]
[k: string]: unknown
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChatCompletionChunk".
 */
export interface ChatCompletionChunk {
id: string
object: "chat.completion.chunk"
created: number
model: string
choices: {
[k: string]: unknown
}[]
usage?: (ChatUsage | null)
job?: JobLink
run?: {
id: string
provider: string
model: string
cost_usd: (number | null)
latency_ms: number
}
audit_receipt?: null
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CreateFileUpload".
 */
export interface CreateFileUpload {
file: string
purpose: ("assistants" | "batch" | "fine-tune" | "vision" | "user_data" | "evals")
"expires_after[anchor]"?: "created_at"
"expires_after[seconds]"?: number
}

/* Written from the OpenAPI document by build-types.ts: `npx vitest run --project integration test/console/api-types.int.test.ts -u`. */

/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ResponseEvent".
 */
export type ResponseEvent = ({
type: ("response.created" | "response.queued" | "response.in_progress" | "response.completed" | "response.incomplete" | "response.failed")
sequence_number: number
response: {
id: string
object: "response"
created_at: number
completed_at: (number | null)
status: ("queued" | "in_progress" | "completed" | "incomplete" | "failed" | "cancelled")
incomplete_details: ({
reason: ("max_output_tokens" | "content_filter")
} | null)
error: ({
code: string
message: string
} | null)
output: ({
type: "message"
id: string
role: ("user" | "assistant" | "system" | "developer")
status: ("in_progress" | "completed" | "incomplete")
content: ({
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
})[]
} | {
type: "function_call"
id: string
call_id: string
name: string
arguments: string
status: ("in_progress" | "completed" | "incomplete")
})[]
usage: ({
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
} | null)
model: string
previous_response_id: (string | null)
instructions: (string | null)
tools: {
type: "function"
name: string
description: (string | null)
parameters: ({
[k: string]: unknown
} | null)
strict: (boolean | null)
}[]
tool_choice: (("auto" | "none" | "required") | {
type: "function"
name: string
})
truncation: "disabled"
parallel_tool_calls: boolean
text: {
format: ({
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
job: string
warnings?: string[]
}
} | {
type: ("response.output_item.added" | "response.output_item.done")
sequence_number: number
output_index: number
item: ({
type: "message"
id: string
role: ("user" | "assistant" | "system" | "developer")
status: ("in_progress" | "completed" | "incomplete")
content: ({
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
})[]
} | {
type: "function_call"
id: string
call_id: string
name: string
arguments: string
status: ("in_progress" | "completed" | "incomplete")
})
} | {
type: ("response.content_part.added" | "response.content_part.done")
sequence_number: number
item_id: string
output_index: number
content_index: number
part: ({
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
"GET /v1/health": {
answer: {
status: "ok"
version: string
uptime_seconds: number
}
}
"POST /auth/link": {
answer: null
body: {
code: string
}
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
answer: {
email: string
owner: string
operator: boolean
human: boolean
scopes: string[]
csrf_token: string
ends_at: string
}
}
"GET /auth/visitor": {
answer: {
session: ({
email: string
owner: string
operator: boolean
human: boolean
scopes: string[]
csrf_token: string
ends_at: string
} | null)
sign_in: boolean
}
}
"POST /auth/human/challenge": {
answer: {
challengeId: string
body: {
[k: string]: unknown
}
sha256: string
expiresAt: string
}
body: ({

} | null)
}
"POST /auth/human": {
answer: {
email: string
}
body: {
challengeId: string
proof: {
merkleTreeDepth: 20
merkleTreeRoot: string
nullifier: string
message: string
scope: string
points: string[]
}
}
}
"GET /v1/jobs": {
answer: {
data: JobSummary[]
next_cursor: (string | null)
searched_to: (string | null)
}
query?: {
owner?: string
queue?: ("studio.render" | "studio.publish" | "providers.generate" | "platform.respond" | "platform.batch" | "missions.execute" | "missions.anchor" | "analytics.fit" | "analytics.ask" | "analytics.stress" | "analytics.study" | "analytics.take" | "analytics.tick" | "analytics.backfill" | "analytics.answer" | "platform.notify")
state?: ("awaiting_approval" | "queued" | "running" | "succeeded" | "failed" | "cancelled")
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
body: ({
unknown_effects?: ("send_again" | "assume_done")
} | null)
}
"GET /v1/jobs/{id}/events": {
answer: null
path: {
id: string
}
query?: {
last_event_id?: string
}
}
"GET /v1/jobs/{id}/logs": {
answer: {
data: {
id: string
at: string
level: ("debug" | "info" | "warn" | "error")
message: string
fields: {
[k: string]: unknown
}
attempt: number
}[]
next_cursor: (string | null)
}
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
answer: {
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
outcome: ("running" | "succeeded" | "failed" | "released" | "cancelled")
error: ({
code: string
message: string
details?: unknown
} | null)
}[]
effects: {
effect: string
state: ("intended" | "done" | "failed" | "unknown")
attempt: number
external_id: (string | null)
intended_at: string
decided_at: (string | null)
}[]
children: JobSummary[]
receipt: (string | null)
logs: string
}
path: {
id: string
}
}
"GET /v1/queues": {
answer: {
at: string
whose: ("all" | "own")
data: QueueView[]
}
}
"GET /v1/fleets": {
answer: {
at: string
data: FleetView[]
}
}
"POST /v1/queues/{name}/pause": {
answer: QueueView
path: {
name: string
}
body: ({
reason?: string
} | null)
}
"POST /v1/queues/{name}/resume": {
answer: QueueView
path: {
name: string
}
}
"GET /v1/provider-calls": {
answer: {
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
body: ({
reason?: string
} | null)
}
"POST /v1/provider-calls/{job}/{provider}/bill": {
answer: ProviderCall
path: {
job: string
provider: string
}
body: {
usd: number
reason?: string
}
}
"GET /v1/operations/events": {
answer: null
query?: {
last_event_id?: string
}
}
"GET /v1/jobs/events": {
answer: null
query?: {
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
answer: {
keys: {
kty: "OKP"
crv: "Ed25519"
x: string
kid: string
alg?: string
use?: string
}[]
}
}
"GET /.well-known/seal-manifest.json": {
answer: {
type: "key-manifest/v1"
versions: {
body: {
version: number
previous: (string | null)
issuedAt: string
keys: {
kid: string
publicKey: string
nbf: string
exp: (string | null)
revokedAt: (string | null)
reason: (string | null)
}[]
}
seal: {
alg: "Ed25519"
kid: string
payloadType: "application/vnd.proofline.key-manifest+json"
sig: string
}
}[]
}
}
"GET /.well-known/anchor-accounts.json": {
answer: {
accounts: {
chain: string
address: string
}[]
}
}
"GET /.well-known/seal-manifest-anchors.json": {
answer: {
versions: {
version: number
root: string
anchor: ({
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
} | null)
}[]
}
}
"GET /api/v1/receipts/{id}": {
answer: {
version: "receipt/v1"
id: string
root: string
statement: {
_type: "https://in-toto.io/Statement/v1"
subject: {
name: string
digest: {
sha256: string
}
}[]
predicateType: "https://platform.example/receipt/v1"
predicate: {
receiptId: string
issuer: string
mission: {
id: string
goalSha256: string
planSha256: string
createdAt: string
}
events: {
count: number
genesis: string
head: string
}
outcome: ("succeeded" | "failed" | "cancelled")
human: {
step: string
assurance: ("enrolled" | "unique" | "present" | "unique+present")
provider: string
challengeSha256: string
}[]
sealedAt: string
}
}
seal: {
alg: "Ed25519"
kid: string
payloadType: "application/vnd.in-toto+json"
sig: string
}
events: {
seq: number
type: string
at: string
data: {
[k: string]: unknown
}
prev: string
hash: string
}[]
anchor: ({
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
} | null)
attestation: {
integrity: {
verdict: ("pass" | "fail" | "pending" | "not-checked")
reason: string
checks: {
name: string
verdict: ("pass" | "fail" | "pending" | "not-checked")
reason: string
}[]
}
authenticity: {
verdict: ("pass" | "fail" | "pending" | "not-checked")
reason: string
checks: {
name: string
verdict: ("pass" | "fail" | "pending" | "not-checked")
reason: string
}[]
}
anchor: {
verdict: ("pass" | "fail" | "pending" | "not-checked")
reason: string
checks: {
name: string
verdict: ("pass" | "fail" | "pending" | "not-checked")
reason: string
}[]
finality: (("included" | "safe" | "finalized") | null)
calldata: (string | null)
equalsRoot: (boolean | null)
root: (string | null)
inclusion: (("direct" | "merkle") | null)
anchoredAt: (string | null)
}
}
}
path: {
id: string
}
query?: {
onchain?: ("0" | "1")
}
}
"GET /api/v1/receipts/{id}/verify": {
answer: {
integrity: {
verdict: ("pass" | "fail" | "pending" | "not-checked")
reason: string
checks: {
name: string
verdict: ("pass" | "fail" | "pending" | "not-checked")
reason: string
}[]
}
authenticity: {
verdict: ("pass" | "fail" | "pending" | "not-checked")
reason: string
checks: {
name: string
verdict: ("pass" | "fail" | "pending" | "not-checked")
reason: string
}[]
}
anchor: {
verdict: ("pass" | "fail" | "pending" | "not-checked")
reason: string
checks: {
name: string
verdict: ("pass" | "fail" | "pending" | "not-checked")
reason: string
}[]
finality: (("included" | "safe" | "finalized") | null)
calldata: (string | null)
equalsRoot: (boolean | null)
root: (string | null)
inclusion: (("direct" | "merkle") | null)
anchoredAt: (string | null)
}
}
path: {
id: string
}
query?: {
onchain?: ("0" | "1")
}
}
"GET /api/v1/receipts/{id}.dsse": {
answer: {
payload: string
payloadType: string
signatures: {
keyid: string
sig: string
}[]
}
path: {
id: string
}
}
"GET /api/v1/anchors": {
answer: {
chain: string
data: {
number: number
status: ("new" | "signed" | "included" | "safe" | "finalized" | "void")
chain: string
from: string
nonce: number
root: (string | null)
leaves: string[]
attempts: {
tx: string
nonce: number
why: ("first" | "bump" | "nonce_taken")
lost: number
block: ({
number: number
hash: string
} | null)
}[]
}[]
nextCursor: (string | null)
}
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
body: {
[k: string]: unknown
}
}
"POST /api/v1/humans/challenge": {
answer: {
challengeId: string
purpose: string
body: {
[k: string]: unknown
}
sha256: string
scope: string
expiresAt: string
worldId?: {
rpId: string
signal: string
environment: string
rpContext: {
rp_id: string
nonce: string
created_at: number
expires_at: number
signature: string
}
action: string
sessionRpContext: {
rp_id: string
nonce: string
created_at: number
expires_at: number
signature: string
}
}
}
body: {
purpose: ("enrol" | "key")
commitment?: string
provider?: ("operator-invite" | "world-id")
}
}
"POST /api/v1/humans/enrol": {
answer: {
human: string
provider: string
assurance: string
}
body: {
challengeId: string
commitment: string
proof: {
merkleTreeDepth: 20
merkleTreeRoot: string
nullifier: string
message: string
scope: string
points: string[]
}
invite?: string
worldId?: {
[k: string]: unknown
}
worldIdSession?: {
[k: string]: unknown
}
}
}
"GET /api/v1/humans/group": {
answer: {
root: (string | null)
depth: 20
members: string[]
}
}
"POST /api/v1/humans/invites": {
answer: {
id: string
code: string
label: string
scopes: string[]
expiresAt: string
}
body: {
label: string
scopes?: ("studio.read" | "studio.brief" | "studio.plan" | "studio.render" | "studio.publish" | "studio.worker" | "platform.mcp.read" | "platform.mcp.execute")[]
days?: number
}
}
"GET /api/v1/humans/invites": {
answer: {
data: {
id: string
label: string
scopes: string[]
tier: string
createdBy: string
createdAt: string
expiresAt: string
}[]
}
}
"DELETE /api/v1/humans/invites/{id}": {
answer: {
id: string
label: string
scopes: string[]
tier: string
createdBy: string
createdAt: string
expiresAt: string
}
path: {
id: string
}
}
"GET /api/v1/humans": {
answer: {
data: {
id: string
provider: string
assurance: string
label: (string | null)
scopes: string[]
tier: string
createdAt: string
removedAt: (string | null)
}[]
}
}
"DELETE /api/v1/humans/{id}": {
answer: {
id: string
keysRevoked: number
}
path: {
id: string
}
}
"POST /api/v1/keys": {
answer: {
id: string
name: string
start: string
last4: string
scopes: string[]
allowedIps: string[]
tier: string
boundToHuman: boolean
createdByProof: boolean
madeBy: (string | null)
expiresAt: (string | null)
revokedAt: (string | null)
lastUsedAt: (string | null)
createdAt: string
key: string
}
body: {
challengeId?: string
proof?: {
merkleTreeDepth: 20
merkleTreeRoot: string
nullifier: string
message: string
scope: string
points: string[]
}
name?: string
scopes?: ("studio.read" | "studio.brief" | "studio.plan" | "studio.render" | "studio.publish" | "studio.worker" | "platform.mcp.read" | "platform.mcp.execute")[]
allowedIps?: string[]
expiresAt?: (string | null)
}
}
"GET /api/v1/keys": {
answer: {
data: {
id: string
name: string
start: string
last4: string
scopes: string[]
allowedIps: string[]
tier: string
boundToHuman: boolean
createdByProof: boolean
madeBy: (string | null)
expiresAt: (string | null)
revokedAt: (string | null)
lastUsedAt: (string | null)
createdAt: string
}[]
}
}
"DELETE /api/v1/keys/{id}": {
answer: {
id: string
name: string
start: string
last4: string
scopes: string[]
allowedIps: string[]
tier: string
boundToHuman: boolean
createdByProof: boolean
madeBy: (string | null)
expiresAt: (string | null)
revokedAt: (string | null)
lastUsedAt: (string | null)
createdAt: string
}
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
answer: {
[k: string]: unknown
}
}
"POST /api/studio/v1/brief": {
answer: StudioEnvelope
headers?: {
"idempotency-key"?: string
}
body: {
mode: ("video" | "avatar" | "persona" | "voice" | "campaign" | "publish")
prompt: string
title?: string
targetFormats?: string[]
channels?: ("tiktok" | "instagram" | "youtube_shorts" | "linkedin" | "x_twitter" | "pinterest" | "shopify" | "gumroad" | "manual_export")[]
managedByPlatform?: boolean
}
}
"POST /api/studio/v1/plan": {
answer: StudioEnvelope
headers?: {
"idempotency-key"?: string
}
body: ({
[k: string]: unknown
} & {
briefId?: string
prompt?: string
mode?: ("video" | "avatar" | "persona" | "voice" | "campaign" | "publish")
routePolicy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
targetFormats?: string[]
budgetUsd?: number
})
}
"GET /api/studio/v1/briefs": {
answer: {
briefs: {
id: string
[k: string]: unknown
}[]
nextCursor: (string | null)
}
query?: {
limit?: number
cursor?: string
}
}
"GET /api/studio/v1/briefs/{id}": {
answer: {
id: string
[k: string]: unknown
}
path: {
id: string
}
}
"GET /api/studio/v1/plans": {
answer: {
plans: {
id: string
[k: string]: unknown
}[]
nextCursor: (string | null)
}
query?: {
limit?: number
cursor?: string
brief?: string
}
}
"GET /api/studio/v1/plans/{id}": {
answer: {
id: string
[k: string]: unknown
}
path: {
id: string
}
}
"GET /api/studio/v1/jobs": {
answer: {
jobs: {
id: string
[k: string]: unknown
}[]
nextCursor: (string | null)
}
query?: {
limit?: number
cursor?: string
plan?: string
}
}
"GET /api/studio/v1/jobs/{id}": {
answer: {
id: string
[k: string]: unknown
}
path: {
id: string
}
}
"GET /api/studio/v1/assets": {
answer: {
assets: {
id: string
[k: string]: unknown
}[]
nextCursor: (string | null)
}
query?: {
limit?: number
cursor?: string
job?: string
}
}
"GET /api/studio/v1/assets/{id}": {
answer: {
id: string
[k: string]: unknown
}
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
body: {
planId: string
dryRun: boolean
approvalRef?: string
maxCostUsd?: number
}
}
"POST /api/studio/v1/publish": {
answer: StudioEnvelope
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: ({
[k: string]: unknown
} & {
assetId?: string
planId?: string
channels: ("tiktok" | "instagram" | "youtube_shorts" | "linkedin" | "x_twitter" | "pinterest" | "shopify" | "gumroad" | "manual_export")[]
dryRun: boolean
approvalRef?: string
})
}
"POST /api/studio/v1/worker/run": {
answer: {
status: ("ok" | "disabled" | "blocked")
providerCallsEnabled: boolean
processed: number
items: {
[k: string]: unknown
}[]
reasons: string[]
[k: string]: unknown
}
body: ({
limit?: number
} | null)
}
"GET /api/studio/v1/approvals": {
answer: {
approvals: StudioApproval[]
nextCursor: (string | null)
}
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
answer: {
id: string
purpose: string
body: {
[k: string]: unknown
}
sha256: string
expiresAt: string
}
path: {
id: string
}
body: ({

} | null)
}
"POST /api/studio/v1/approvals/{id}/decision": {
answer: StudioApproval
path: {
id: string
}
body: {
decision: ("grant" | "decline")
reason?: string
challengeId?: string
proof?: {
merkleTreeDepth: 20
merkleTreeRoot: string
nullifier: string
message: string
scope: string
points: string[]
}
}
}
"GET /api/studio/v1/events": {
answer: null
query?: {
last_event_id?: string
}
}
"POST /api/studio/v1/keys": {
answer: {
id: string
name: string
keyPrefix: string
scopes: string[]
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
body: {
name: string
scopes: ("studio.read" | "studio.brief" | "studio.plan" | "studio.render" | "studio.publish" | "studio.worker" | "platform.mcp.read" | "platform.mcp.execute")[]
expiresAt?: string
allowedIps?: string[]
}
}
"GET /api/studio/v1/keys": {
answer: {
object: "list"
keys: {
id: string
name: string
keyPrefix: string
scopes: string[]
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
}[]
count: number
}
}
"PATCH /api/studio/v1/keys/{id}": {
answer: {
id: string
name: string
keyPrefix: string
scopes: string[]
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
path: {
id: string
}
body: {
name?: string
scopes?: ("studio.read" | "studio.brief" | "studio.plan" | "studio.render" | "studio.publish" | "studio.worker" | "platform.mcp.read" | "platform.mcp.execute")[]
allowedIps?: string[]
}
}
"DELETE /api/studio/v1/keys/{id}": {
answer: {
id: string
object: "key"
revoked: true
revokedAt: string
}
path: {
id: string
}
}
"GET /api/studio/v1/keys/{id}/usage": {
answer: {
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
via: string
status: number
durationMs: number
requestId: string
ip: (string | null)
}[]
changes: {
at: string
action: string
changedBy: string
changes: unknown
requestId: string
}[]
}
path: {
id: string
}
}
"GET /api/studio/v1/developer/access-check": {
answer: {
status: "ok"
principal: {
type: ("session" | "key")
owner: string
keyId: (string | null)
email: (string | null)
scopes: string[]
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
}
"GET /.well-known/mcp.json": {
answer: {
name: string
description: string
version: string
protocolVersions: string[]
transport: {
type: string
url: string
}
mcpServers: {
[k: string]: {
type: string
url: string
headers: {
[k: string]: string
}
}
}
authentication: {
schemes: string[]
scopes: string[]
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
}
"POST /api/v1/missions": {
answer: Mission
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: {
goal: string
inputs?: {
[k: string]: unknown
}
steps?: {
id: string
capability: string
title?: string
input: {
[k: string]: unknown
}
dependsOn?: string[]
}[]
budgetUsd?: number
timeoutSeconds: number
}
}
"GET /api/v1/missions": {
answer: {
missions: MissionSummary[]
nextCursor: (string | null)
}
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
answer: ({
version: "receipt/v1"
id: string
root: string
statement: {
_type: "https://in-toto.io/Statement/v1"
subject: {
name: string
digest: {
sha256: string
}
}[]
predicateType: "https://platform.example/receipt/v1"
predicate: {
receiptId: string
issuer: string
mission: {
id: string
goalSha256: string
planSha256: string
createdAt: string
}
events: {
count: number
genesis: string
head: string
}
outcome: ("succeeded" | "failed" | "cancelled")
human: {
step: string
assurance: ("enrolled" | "unique" | "present" | "unique+present")
provider: string
challengeSha256: string
}[]
sealedAt: string
}
}
seal: {
alg: "Ed25519"
kid: string
payloadType: "application/vnd.in-toto+json"
sig: string
}
events: {
seq: number
type: string
at: string
data: {
[k: string]: unknown
}
prev: string
hash: string
}[]
anchor: ({
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
} | null)
} | Mission)
path: {
id: string
}
headers?: {
prefer?: string
}
body: ({

} | null)
}
"POST /api/v1/missions/{id}/steps/{step}/approve": {
answer: ({
version: "receipt/v1"
id: string
root: string
statement: {
_type: "https://in-toto.io/Statement/v1"
subject: {
name: string
digest: {
sha256: string
}
}[]
predicateType: "https://platform.example/receipt/v1"
predicate: {
receiptId: string
issuer: string
mission: {
id: string
goalSha256: string
planSha256: string
createdAt: string
}
events: {
count: number
genesis: string
head: string
}
outcome: ("succeeded" | "failed" | "cancelled")
human: {
step: string
assurance: ("enrolled" | "unique" | "present" | "unique+present")
provider: string
challengeSha256: string
}[]
sealedAt: string
}
}
seal: {
alg: "Ed25519"
kid: string
payloadType: "application/vnd.in-toto+json"
sig: string
}
events: {
seq: number
type: string
at: string
data: {
[k: string]: unknown
}
prev: string
hash: string
}[]
anchor: ({
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
} | null)
} | Mission)
path: {
id: string
step: string
}
headers?: {
prefer?: string
}
body: {
challengeId: string
proof: {
merkleTreeDepth: 20
merkleTreeRoot: string
nullifier: string
message: string
scope: string
points: string[]
}
worldId?: {
[k: string]: unknown
}
}
}
"POST /api/v1/missions/{id}/steps/{step}/decline": {
answer: Mission
path: {
id: string
step: string
}
body: ({

} | null)
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
answer: {
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
sensitivity: string
}[]
}
}
"GET /api/v1/webhook-secret": {
answer: {
secret: string
}
}
"GET /api/v2": {
answer: {
object: "contract"
name: string
version: string
contract_version: "v2"
base_url: string
authentication: {
header: string
format: string
scopes: {
execution: string
reading: string
}
}
errors: {
media_type: string
also: string
}
routes: {
method: string
path: string
purpose: string
auth: ("none" | "optional" | "key")
scope: (string | null)
human: boolean
kind: ("discovery" | "execution" | "orchestration" | "batch" | "record" | "governance")
openai: boolean
}[]
links: {
[k: string]: string
}
}
}
"GET /api/v2/health": {
answer: {
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
}
"GET /api/v2/integrations/catalog": {
answer: {
object: "catalog"
summary: {
surfaces: string[]
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
method: string
path: string
purpose: string
auth: ("none" | "optional" | "key")
scope: (string | null)
human: boolean
}[]
mcp: {
endpoint: string
transport: "streamable-http"
tools: {
name: string
title: string
description: string
surfaces: string[]
scope: (string | null)
writes_state: boolean
}[]
resources: {
uri: string
title: string
description: string
}[]
}
}
}
"GET /api/v2/capabilities": {
answer: {
object: "list"
data: {
slug: ("image.generate" | "image.edit" | "image.upscale" | "video.generate" | "video.from-image" | "video.cinematic-shot" | "video.edit" | "avatar.talking-head-text" | "tts.synthesize" | "audio.transcribe" | "music.generate" | "text.generate" | "orchestrate.run")
title: string
description: string
family: ("text" | "image" | "video" | "speech" | "transcription" | "music" | "avatar" | "orchestration")
status: ("available" | "unavailable")
routes: {
method: string
path: string
purpose: string
scope: (string | null)
openai: boolean
}[]
providers: {
id: string
title: string
health: {
state: ("healthy" | "degraded" | "unhealthy")
circuit: ("closed" | "open" | "half_open")
reason: string
}
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
}[]
}
}
"GET /api/v2/capabilities/{slug}": {
answer: {
slug: ("image.generate" | "image.edit" | "image.upscale" | "video.generate" | "video.from-image" | "video.cinematic-shot" | "video.edit" | "avatar.talking-head-text" | "tts.synthesize" | "audio.transcribe" | "music.generate" | "text.generate" | "orchestrate.run")
title: string
description: string
family: ("text" | "image" | "video" | "speech" | "transcription" | "music" | "avatar" | "orchestration")
status: ("available" | "unavailable")
routes: {
method: string
path: string
purpose: string
scope: (string | null)
openai: boolean
input_schema: ({
[k: string]: unknown
} | null)
}[]
providers: {
id: string
title: string
health: {
state: ("healthy" | "degraded" | "unhealthy")
circuit: ("closed" | "open" | "half_open")
reason: string
}
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
policies: {
name: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
default: boolean
weights: {
[k: string]: number
}
}[]
}
path: {
slug: string
}
}
"GET /api/v2/families": {
answer: {
object: "list"
data: {
id: ("text" | "image" | "video" | "speech" | "transcription" | "music" | "avatar" | "orchestration")
title: string
description: string
status: ("available" | "unavailable")
capabilities: string[]
}[]
}
}
"GET /api/v2/providers": {
answer: {
object: "list"
data: {
id: string
title: string
style: string
health: {
state: ("healthy" | "degraded" | "unhealthy")
circuit: ("closed" | "open" | "half_open")
reason: string
}
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
}[]
}
}
"GET /api/v2/models": {
answer: {
object: "list"
data: {
id: string
object: "model"
created: number
owned_by: string
capabilities: string[]
}[]
}
}
"GET /api/v2/models/{id}": {
answer: {
id: string
object: "model"
created: number
owned_by: string
capabilities: string[]
}
path: {
id: string
}
}
"GET /api/v2/personas": {
answer: {
object: "list"
data: {
id: string
title: string
description: string
voice?: string
language?: string
}[]
}
}
"POST /api/v2/chat/completions": {
answer: ChatCompletion
headers?: {
"idempotency-key"?: string
}
body: ChatCompletionRequest
}
"POST /api/v2/responses": {
answer: Response
headers?: {
"idempotency-key"?: string
}
body: {
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
tools?: ({
type: string
name?: string
description?: (string | null)
parameters?: ({
[k: string]: unknown
} | null)
strict?: (boolean | null)
[k: string]: unknown
}[] | null)
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
format?: ({
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
routing?: {
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
providers?: string[]
exclude?: string[]
max_cost_usd?: number
fallback?: boolean
}
webhook?: {
url: string
events?: ("completed" | "failed" | "cancelled")[]
}
}
}
"GET /api/v2/responses/{id}": {
answer: Response
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
answer: {
id: string
object: "response"
deleted: boolean
}
path: {
id: string
}
}
"POST /api/v2/responses/{id}/cancel": {
answer: Response
path: {
id: string
}
}
"GET /api/v2/responses/{id}/input_items": {
answer: {
object: "list"
data: ({
type: "message"
id: string
role: ("user" | "assistant" | "system" | "developer")
status: ("in_progress" | "completed" | "incomplete")
content: ({
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
})[]
} | {
type: "function_call"
id: string
call_id: string
name: string
arguments: string
status: ("in_progress" | "completed" | "incomplete")
} | {
type: "function_call_output"
id: string
call_id: string
output: (string | ({
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
})[])
status: ("in_progress" | "completed" | "incomplete")
})[]
first_id: (string | null)
last_id: (string | null)
has_more: boolean
}
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
body: {
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
routing?: {
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
providers?: string[]
exclude?: string[]
max_cost_usd?: number
fallback?: boolean
}
webhook?: {
url: string
events?: ("completed" | "failed" | "cancelled")[]
}
user?: string
safety_identifier?: string
}
}
"POST /api/v2/audio/transcriptions": {
answer: ({
text: string
usage?: {
type: "duration"
seconds: number
}
job: JobSummary
run: {
id: string
provider: (string | null)
model: (string | null)
cost_usd: (number | null)
warnings?: string[]
}
audit_receipt: null
} | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: {
file: string
language?: string
prompt?: string
response_format?: ("json" | "text" | "srt" | "vtt")
temperature?: number
stream?: false
model?: string
routing?: {
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
providers?: string[]
exclude?: string[]
max_cost_usd?: number
fallback?: boolean
}
webhook?: {
url: string
events?: ("completed" | "failed" | "cancelled")[]
}
user?: string
safety_identifier?: string
}
}
"POST /api/v2/images/generate": {
answer: ({
created: number
data: {
url?: string
b64_json?: string
asset: {
id: string
name: string
kind: string
media_type: string
bytes: number
sha256: string
width: (number | null)
height: (number | null)
duration: (number | null)
url: (string | null)
url_expires_at: (number | null)
}
}[]
size?: string
output_format?: string
job: JobSummary
run: {
id: string
provider: (string | null)
model: (string | null)
cost_usd: (number | null)
warnings?: string[]
}
audit_receipt: null
} | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: {
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
routing?: {
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
providers?: string[]
exclude?: string[]
max_cost_usd?: number
fallback?: boolean
}
webhook?: {
url: string
events?: ("completed" | "failed" | "cancelled")[]
}
user?: string
safety_identifier?: string
}
}
"POST /api/v2/images/generations": {
answer: ({
created: number
data: {
url?: string
b64_json?: string
asset: {
id: string
name: string
kind: string
media_type: string
bytes: number
sha256: string
width: (number | null)
height: (number | null)
duration: (number | null)
url: (string | null)
url_expires_at: (number | null)
}
}[]
size?: string
output_format?: string
job: JobSummary
run: {
id: string
provider: (string | null)
model: (string | null)
cost_usd: (number | null)
warnings?: string[]
}
audit_receipt: null
} | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: {
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
routing?: {
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
providers?: string[]
exclude?: string[]
max_cost_usd?: number
fallback?: boolean
}
webhook?: {
url: string
events?: ("completed" | "failed" | "cancelled")[]
}
user?: string
safety_identifier?: string
}
}
"POST /api/v2/images/edit": {
answer: ({
created: number
data: {
url?: string
b64_json?: string
asset: {
id: string
name: string
kind: string
media_type: string
bytes: number
sha256: string
width: (number | null)
height: (number | null)
duration: (number | null)
url: (string | null)
url_expires_at: (number | null)
}
}[]
size?: string
output_format?: string
job: JobSummary
run: {
id: string
provider: (string | null)
model: (string | null)
cost_usd: (number | null)
warnings?: string[]
}
audit_receipt: null
} | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: {
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
routing?: {
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
providers?: string[]
exclude?: string[]
max_cost_usd?: number
fallback?: boolean
}
webhook?: {
url: string
events?: ("completed" | "failed" | "cancelled")[]
}
user?: string
safety_identifier?: string
}
}
"POST /api/v2/images/edits": {
answer: ({
created: number
data: {
url?: string
b64_json?: string
asset: {
id: string
name: string
kind: string
media_type: string
bytes: number
sha256: string
width: (number | null)
height: (number | null)
duration: (number | null)
url: (string | null)
url_expires_at: (number | null)
}
}[]
size?: string
output_format?: string
job: JobSummary
run: {
id: string
provider: (string | null)
model: (string | null)
cost_usd: (number | null)
warnings?: string[]
}
audit_receipt: null
} | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: {
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
routing?: {
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
providers?: string[]
exclude?: string[]
max_cost_usd?: number
fallback?: boolean
}
webhook?: {
url: string
events?: ("completed" | "failed" | "cancelled")[]
}
user?: string
safety_identifier?: string
}
}
"POST /api/v2/images/upscale": {
answer: ({
created: number
data: {
url?: string
b64_json?: string
asset: {
id: string
name: string
kind: string
media_type: string
bytes: number
sha256: string
width: (number | null)
height: (number | null)
duration: (number | null)
url: (string | null)
url_expires_at: (number | null)
}
}[]
size?: string
output_format?: string
job: JobSummary
run: {
id: string
provider: (string | null)
model: (string | null)
cost_usd: (number | null)
warnings?: string[]
}
audit_receipt: null
} | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: {
image: string
resolution?: number
response_format?: ("url" | "b64_json")
model?: string
routing?: {
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
providers?: string[]
exclude?: string[]
max_cost_usd?: number
fallback?: boolean
}
webhook?: {
url: string
events?: ("completed" | "failed" | "cancelled")[]
}
user?: string
safety_identifier?: string
}
}
"POST /api/v2/videos/generate": {
answer: ({
created: number
data: {
id: string
name: string
kind: string
media_type: string
bytes: number
sha256: string
width: (number | null)
height: (number | null)
duration: (number | null)
url: (string | null)
url_expires_at: (number | null)
}[]
attachments: {
id: string
name: string
kind: string
media_type: string
bytes: number
sha256: string
width: (number | null)
height: (number | null)
duration: (number | null)
url: (string | null)
url_expires_at: (number | null)
}[]
job: JobSummary
run: {
id: string
provider: (string | null)
model: (string | null)
cost_usd: (number | null)
warnings?: string[]
}
audit_receipt: null
} | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: {
prompt: string
seconds?: (number | string)
size?: string
title?: string
model?: string
routing?: {
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
providers?: string[]
exclude?: string[]
max_cost_usd?: number
fallback?: boolean
}
webhook?: {
url: string
events?: ("completed" | "failed" | "cancelled")[]
}
user?: string
safety_identifier?: string
}
}
"POST /api/v2/videos/from-image": {
answer: ({
created: number
data: {
id: string
name: string
kind: string
media_type: string
bytes: number
sha256: string
width: (number | null)
height: (number | null)
duration: (number | null)
url: (string | null)
url_expires_at: (number | null)
}[]
attachments: {
id: string
name: string
kind: string
media_type: string
bytes: number
sha256: string
width: (number | null)
height: (number | null)
duration: (number | null)
url: (string | null)
url_expires_at: (number | null)
}[]
job: JobSummary
run: {
id: string
provider: (string | null)
model: (string | null)
cost_usd: (number | null)
warnings?: string[]
}
audit_receipt: null
} | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: {
image: string
prompt?: string
seconds?: (number | string)
size?: string
title?: string
model?: string
routing?: {
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
providers?: string[]
exclude?: string[]
max_cost_usd?: number
fallback?: boolean
}
webhook?: {
url: string
events?: ("completed" | "failed" | "cancelled")[]
}
user?: string
safety_identifier?: string
}
}
"POST /api/v2/personas/{id}/video": {
answer: ({
created: number
data: {
id: string
name: string
kind: string
media_type: string
bytes: number
sha256: string
width: (number | null)
height: (number | null)
duration: (number | null)
url: (string | null)
url_expires_at: (number | null)
}[]
attachments: {
id: string
name: string
kind: string
media_type: string
bytes: number
sha256: string
width: (number | null)
height: (number | null)
duration: (number | null)
url: (string | null)
url_expires_at: (number | null)
}[]
job: JobSummary
run: {
id: string
provider: (string | null)
model: (string | null)
cost_usd: (number | null)
warnings?: string[]
}
audit_receipt: null
} | PendingWork)
path: {
id: string
}
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: {
input: string
id?: string
seconds?: (number | string)
size?: string
title?: string
model?: string
routing?: {
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
providers?: string[]
exclude?: string[]
max_cost_usd?: number
fallback?: boolean
}
webhook?: {
url: string
events?: ("completed" | "failed" | "cancelled")[]
}
user?: string
safety_identifier?: string
}
}
"POST /api/v2/music/generate": {
answer: ({
created: number
data: {
id: string
name: string
kind: string
media_type: string
bytes: number
sha256: string
width: (number | null)
height: (number | null)
duration: (number | null)
url: (string | null)
url_expires_at: (number | null)
}[]
attachments: {
id: string
name: string
kind: string
media_type: string
bytes: number
sha256: string
width: (number | null)
height: (number | null)
duration: (number | null)
url: (string | null)
url_expires_at: (number | null)
}[]
job: JobSummary
run: {
id: string
provider: (string | null)
model: (string | null)
cost_usd: (number | null)
warnings?: string[]
}
audit_receipt: null
} | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: {
prompt: string
seconds?: number
model?: string
routing?: {
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
providers?: string[]
exclude?: string[]
max_cost_usd?: number
fallback?: boolean
}
webhook?: {
url: string
events?: ("completed" | "failed" | "cancelled")[]
}
user?: string
safety_identifier?: string
}
}
"POST /api/v2/music/compose": {
answer: ({
created: number
data: {
id: string
name: string
kind: string
media_type: string
bytes: number
sha256: string
width: (number | null)
height: (number | null)
duration: (number | null)
url: (string | null)
url_expires_at: (number | null)
}[]
attachments: {
id: string
name: string
kind: string
media_type: string
bytes: number
sha256: string
width: (number | null)
height: (number | null)
duration: (number | null)
url: (string | null)
url_expires_at: (number | null)
}[]
job: JobSummary
run: {
id: string
provider: (string | null)
model: (string | null)
cost_usd: (number | null)
warnings?: string[]
}
audit_receipt: null
} | PendingWork)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: {
prompt?: string
sections: {
prompt: string
seconds: number
}[]
model?: string
routing?: {
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
providers?: string[]
exclude?: string[]
max_cost_usd?: number
fallback?: boolean
}
webhook?: {
url: string
events?: ("completed" | "failed" | "cancelled")[]
}
user?: string
safety_identifier?: string
}
}
"POST /api/v2/videos": {
answer: Video
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: {
prompt: string
seconds?: (number | string)
size?: string
title?: string
model?: string
routing?: {
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
providers?: string[]
exclude?: string[]
max_cost_usd?: number
fallback?: boolean
}
webhook?: {
url: string
events?: ("completed" | "failed" | "cancelled")[]
}
user?: string
safety_identifier?: string
input_reference?: string
}
}
"GET /api/v2/videos": {
answer: {
object: "list"
data: Video[]
first_id: (string | null)
last_id: (string | null)
has_more: boolean
}
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
answer: {
id: string
object: "video.deleted"
deleted: boolean
}
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
answer: File
}
"GET /api/v2/files": {
answer: {
object: "list"
data: File[]
first_id: (string | null)
last_id: (string | null)
has_more: boolean
}
query?: {
after?: string
limit?: number
order?: ("asc" | "desc")
purpose?: ("assistants" | "batch" | "fine-tune" | "vision" | "user_data" | "evals" | "batch_output")
}
}
"GET /api/v2/files/{id}": {
answer: File
path: {
id: string
}
}
"DELETE /api/v2/files/{id}": {
answer: {
id: string
object: "file"
deleted: boolean
}
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
body: {
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
webhook?: {
url: string
events?: ("completed" | "failed" | "cancelled")[]
}
}
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
body: {
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
webhook?: {
url: string
events?: ("completed" | "failed" | "cancelled")[]
}
}
}
"GET /api/v2/batches": {
answer: {
object: "list"
data: Batch[]
first_id: (string | null)
last_id: (string | null)
has_more: boolean
}
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
answer: {
data: {
id: string
job: string
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
}[]
next_cursor: (string | null)
}
query?: {
limit?: number
cursor?: string
}
}
"POST /api/v2/webhooks/{id}/replay": {
answer: {
id: string
job: string
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
path: {
id: string
}
}
"GET /api/v2/gov/mission-contracts": {
answer: {
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
sensitivity: string
input_schema: {
[k: string]: unknown
}
}[]
policies: {
sensitivity: string
name: string
decision: ("allow" | "human")
assurance: (string | null)
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
data: {
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
}[]
has_more: boolean
next_cursor: (string | null)
}
query?: {
limit?: number
cursor?: string
}
}
"GET /api/v2/gov/receipts": {
answer: {
object: "list"
authenticated: boolean
counts: {
[k: string]: number
}
data: {
id: string
kind: ("mission" | "execution")
outcome: ("succeeded" | "failed" | "cancelled")
root: string
kid: string
sealed_at: string
anchor: {
status: string
anchored: boolean
}
links: {
self: string
verify: string
}
}[]
has_more: boolean
next_cursor: (string | null)
schema: {
[k: string]: unknown
}
}
query?: {
limit?: number
cursor?: string
}
}
"GET /api/v2/gov/approvals": {
answer: {
object: "list"
authenticated: boolean
counts: {
[k: string]: number
}
data: {
id: string
status: ("pending" | "granted" | "declined" | "used" | "expired")
kind: ("render" | "publish")
subject: string
effect: {
[k: string]: unknown
}
effectSha256: string
areas: {
area: ("liveProviderSpend" | "publishing" | "voiceAndLikeness" | "commercialClaims")
why: string
}[]
needsProofOfPersonhood: boolean
jobId: (string | null)
requestedBy: string
decidedBy: (string | null)
reason: (string | null)
assurance: (string | null)
decideAt: string
createdAt: string
expiresAt: string
decidedAt: (string | null)
usedAt: (string | null)
}[]
has_more: boolean
next_cursor: (string | null)
schema: {
[k: string]: unknown
}
}
query?: {
limit?: number
cursor?: string
status?: ("pending" | "granted" | "declined" | "used" | "expired")
}
}
"POST /api/v2/orchestrate/run": {
answer: {
id: string
object: "orchestration"
status: ("planned" | "awaiting_human" | "executing" | "sealing" | "sealed" | "failed" | "cancelled")
state: ("planned" | "awaiting_human" | "executing" | "sealing" | "sealed" | "failed" | "cancelled")
query: string
plan: {
planner: ("rules" | "model" | "client")
steps: {
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
assurance: (string | null)
}
costUsd: number
route?: {
provider: string
model: string
quotedUsd: number
}[]
}[]
unmapped: string[]
notes: string[]
costUsd: number
}
budget_usd: (number | null)
spent_usd: number
approvals: {
step: string
capability: string
cost_usd: number
effect_sha256: (string | null)
assurance: (string | null)
challenge: ({
id: string
body: {
[k: string]: string | number | null
}
sha256: string
expiresAt: string
worldId?: {
rpId: string
signal: string
environment: string
rpContext: {
rp_id: string
nonce: string
created_at: number
expires_at: number
signature: string
}
sessionId: string
requireUserPresence: true
}
} | null)
approve_at: string
}[]
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
audit_receipt: ({
version: "receipt/v1"
id: string
root: string
statement: {
_type: "https://in-toto.io/Statement/v1"
subject: {
name: string
digest: {
sha256: string
}
}[]
predicateType: "https://platform.example/receipt/v1"
predicate: {
receiptId: string
issuer: string
mission: {
id: string
goalSha256: string
planSha256: string
createdAt: string
}
events: {
count: number
genesis: string
head: string
}
outcome: ("succeeded" | "failed" | "cancelled")
human: {
step: string
assurance: ("enrolled" | "unique" | "present" | "unique+present")
provider: string
challengeSha256: string
}[]
sealedAt: string
}
}
seal: {
alg: "Ed25519"
kid: string
payloadType: "application/vnd.in-toto+json"
sig: string
}
events: {
seq: number
type: string
at: string
data: {
[k: string]: unknown
}
prev: string
hash: string
}[]
anchor: ({
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
} | null)
} | null)
}
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: {
query: string
capabilities?: string[]
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
budget_usd?: number
timeout_seconds?: number
plan_only?: boolean
webhook?: {
url: string
events?: ("completed" | "failed" | "cancelled")[]
}
}
}
"POST /v1/snapshot": {
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: {
symbol: string
name: string
source: ("cboe_csv" | "cboe_json" | "synthetic")
as_of: string
spot: number
multiplier: number
adv_usd: number
generation: (1 | 2 | 3 | "ensemble")
exercise: ("european" | "de_americanised")
exposures: {
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
profile_by_strike: {
strike: number
gex: number
call_gex: number
put_gex: number
gex_abs: number
call_open_interest: number
put_open_interest: number
}[]
gamma_profile: {
spots: number[]
gex: number[]
}
flips: {
status: ("ok" | "none_in_range" | "tangent" | "degraded_chain")
flips: {
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
}[]
primary: ({
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
} | null)
}
levels: {
call_wall: (number | null)
put_wall: (number | null)
abs_gamma: (number | null)
hvl: (number | null)
hvl_cumulative_gex: (number | null)
atm_volatility: (number | null)
expected_move_1d: (number | null)
}
regime: {
state: (("strong_positive" | "positive" | "transition" | "negative" | "strong_negative") | null)
ngr: (number | null)
gir: (number | null)
sigma_d_pct: (number | null)
confidence: (number | null)
reason: ("ngr" | "near_flip" | "low_confidence" | "no_gamma")
}
expiries: {
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
}[]
quality: {
contracts_used: number
dropped: {
[k: string]: number
}
volatility_sources: {
[k: string]: number
}
coverage: (number | null)
}
}
} | Job)
query?: {
symbol?: string
}
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: {
symbol: string
chain?: ({
[k: string]: unknown
} | string)
}
}
"DELETE /v1/snapshot/{symbol}": {
answer: {
symbol: string
forgotten: number
}
path: {
symbol: string
}
}
"GET /v1/gex/{symbol}": {
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
feed: ("configured" | "own")
net_gex: number
gex_abs: number
estimate: {
value: number
sd: (number | null)
p_positive: (number | null)
generation: (1 | 2 | 3 | "ensemble")
coverage: (number | null)
censored_share: (number | null)
}
spot: number
exposures: {
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
profile_by_strike: {
strike: number
gex: number
call_gex: number
put_gex: number
gex_abs: number
call_open_interest: number
put_open_interest: number
}[]
gamma_profile: {
spots: number[]
gex: number[]
}
flips: {
status: ("ok" | "none_in_range" | "tangent" | "degraded_chain")
flips: {
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
}[]
primary: ({
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
} | null)
}
levels: {
call_wall: (number | null)
put_wall: (number | null)
abs_gamma: (number | null)
hvl: (number | null)
hvl_cumulative_gex: (number | null)
atm_volatility: (number | null)
expected_move_1d: (number | null)
}
regime: {
state: (("strong_positive" | "positive" | "transition" | "negative" | "strong_negative") | null)
ngr: (number | null)
gir: (number | null)
sigma_d_pct: (number | null)
confidence: (number | null)
reason: ("ngr" | "near_flip" | "low_confidence" | "no_gamma")
}
quality: {
contracts_used: number
dropped: {
[k: string]: number
}
volatility_sources: {
[k: string]: number
}
coverage: (number | null)
}
flips_by_bucket: {
vol_regime: ("sticky_strike" | "sticky_moneyness" | "ssr")
zero_dte: {
expiries: number
gex: number
gex_abs: number
flips: {
status: ("ok" | "none_in_range" | "tangent" | "degraded_chain")
flips: {
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
}[]
primary: ({
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
} | null)
}
}
week: {
expiries: number
gex: number
gex_abs: number
flips: {
status: ("ok" | "none_in_range" | "tangent" | "degraded_chain")
flips: {
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
}[]
primary: ({
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
} | null)
}
}
monthly: {
expiries: number
gex: number
gex_abs: number
flips: {
status: ("ok" | "none_in_range" | "tangent" | "degraded_chain")
flips: {
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
}[]
primary: ({
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
} | null)
}
}
all: {
expiries: number
gex: number
gex_abs: number
flips: {
status: ("ok" | "none_in_range" | "tangent" | "degraded_chain")
flips: {
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
}[]
primary: ({
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
} | null)
}
}
}
dex_estimate: {
value: number
sd: (number | null)
p_positive: (number | null)
generation: (1 | 2 | 3 | "ensemble")
coverage: (number | null)
censored_share: (number | null)
}
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
} | null)
} | Job)
path: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
feed: ("configured" | "own")
net_gex: number
gex_abs: number
estimate: {
value: number
sd: (number | null)
p_positive: (number | null)
generation: (1 | 2 | 3 | "ensemble")
coverage: (number | null)
censored_share: (number | null)
}
spot: number
exposures: {
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
profile_by_strike: {
strike: number
gex: number
call_gex: number
put_gex: number
gex_abs: number
call_open_interest: number
put_open_interest: number
}[]
gamma_profile: {
spots: number[]
gex: number[]
}
flips: {
status: ("ok" | "none_in_range" | "tangent" | "degraded_chain")
flips: {
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
}[]
primary: ({
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
} | null)
}
levels: {
call_wall: (number | null)
put_wall: (number | null)
abs_gamma: (number | null)
hvl: (number | null)
hvl_cumulative_gex: (number | null)
atm_volatility: (number | null)
expected_move_1d: (number | null)
}
regime: {
state: (("strong_positive" | "positive" | "transition" | "negative" | "strong_negative") | null)
ngr: (number | null)
gir: (number | null)
sigma_d_pct: (number | null)
confidence: (number | null)
reason: ("ngr" | "near_flip" | "low_confidence" | "no_gamma")
}
quality: {
contracts_used: number
dropped: {
[k: string]: number
}
volatility_sources: {
[k: string]: number
}
coverage: (number | null)
}
flips_by_bucket: {
vol_regime: ("sticky_strike" | "sticky_moneyness" | "ssr")
zero_dte: {
expiries: number
gex: number
gex_abs: number
flips: {
status: ("ok" | "none_in_range" | "tangent" | "degraded_chain")
flips: {
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
}[]
primary: ({
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
} | null)
}
}
week: {
expiries: number
gex: number
gex_abs: number
flips: {
status: ("ok" | "none_in_range" | "tangent" | "degraded_chain")
flips: {
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
}[]
primary: ({
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
} | null)
}
}
monthly: {
expiries: number
gex: number
gex_abs: number
flips: {
status: ("ok" | "none_in_range" | "tangent" | "degraded_chain")
flips: {
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
}[]
primary: ({
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
} | null)
}
}
all: {
expiries: number
gex: number
gex_abs: number
flips: {
status: ("ok" | "none_in_range" | "tangent" | "degraded_chain")
flips: {
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
}[]
primary: ({
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
} | null)
}
}
}
dex_estimate: {
value: number
sd: (number | null)
p_positive: (number | null)
generation: (1 | 2 | 3 | "ensemble")
coverage: (number | null)
censored_share: (number | null)
}
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
} | null)
} | Job)
query: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
spot: number
estimate: {
value: number
sd: (number | null)
p_positive: (number | null)
generation: (1 | 2 | 3 | "ensemble")
coverage: (number | null)
censored_share: (number | null)
}
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
} | null)
} | Job)
path: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
spot: number
estimate: {
value: number
sd: (number | null)
p_positive: (number | null)
generation: (1 | 2 | 3 | "ensemble")
coverage: (number | null)
censored_share: (number | null)
}
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
} | null)
} | Job)
query: {
symbol: string
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/cex/{symbol}": {
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
spot: number
estimate: {
value: number
sd: (number | null)
p_positive: (number | null)
generation: (1 | 2 | 3 | "ensemble")
coverage: (number | null)
censored_share: (number | null)
}
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
} | null)
} | Job)
path: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
spot: number
estimate: {
value: number
sd: (number | null)
p_positive: (number | null)
generation: (1 | 2 | 3 | "ensemble")
coverage: (number | null)
censored_share: (number | null)
}
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
} | null)
} | Job)
query: {
symbol: string
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/dsi/{symbol}": {
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
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
ssr: {
status: ("ok" | "given" | "too_few_observations" | "no_moves")
ssr: number
raw: (number | null)
standard_error: (number | null)
weight: number
observations: number
}
kappa: number
} | null)
} | Job)
path: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
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
ssr: {
status: ("ok" | "given" | "too_few_observations" | "no_moves")
ssr: number
raw: (number | null)
standard_error: (number | null)
weight: number
observations: number
}
kappa: number
} | null)
} | Job)
query: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
spot: number
net_gex: number
gex_abs: number
flip: (number | null)
estimate: {
value: number
sd: (number | null)
p_positive: (number | null)
generation: (1 | 2 | 3 | "ensemble")
coverage: (number | null)
censored_share: (number | null)
}
state: (("strong_positive" | "positive" | "transition" | "negative" | "strong_negative") | null)
ngr: (number | null)
gir: (number | null)
sigma_d_pct: (number | null)
confidence: (number | null)
reason: ("ngr" | "near_flip" | "low_confidence" | "no_gamma")
} | null)
} | Job)
path: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
spot: number
net_gex: number
gex_abs: number
flip: (number | null)
estimate: {
value: number
sd: (number | null)
p_positive: (number | null)
generation: (1 | 2 | 3 | "ensemble")
coverage: (number | null)
censored_share: (number | null)
}
state: (("strong_positive" | "positive" | "transition" | "negative" | "strong_negative") | null)
ngr: (number | null)
gir: (number | null)
sigma_d_pct: (number | null)
confidence: (number | null)
reason: ("ngr" | "near_flip" | "low_confidence" | "no_gamma")
} | null)
} | Job)
query: {
symbol: string
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/levels/{symbol}": {
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
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
flips: {
status: ("ok" | "none_in_range" | "tangent" | "degraded_chain")
flips: {
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
}[]
primary: ({
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
} | null)
}
flip_interval: {
generation: (1 | 2 | 3 | "ensemble")
flip: (number | null)
status: ("ok" | "open_below" | "open_above" | "open" | "no_flip" | "no_sd")
method: ("shift" | "bootstrap")
low: (number | null)
high: (number | null)
resolved_share: (number | null)
}
} | null)
} | Job)
path: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
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
flips: {
status: ("ok" | "none_in_range" | "tangent" | "degraded_chain")
flips: {
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
}[]
primary: ({
level: number
direction: ("neg_to_pos" | "pos_to_neg")
slope: number
expiries_driving: {
expiry: string
share: number
}[]
} | null)
}
flip_interval: {
generation: (1 | 2 | 3 | "ensemble")
flip: (number | null)
status: ("ok" | "open_below" | "open_above" | "open" | "no_flip" | "no_sd")
method: ("shift" | "bootstrap")
low: (number | null)
high: (number | null)
resolved_share: (number | null)
}
} | null)
} | Job)
query: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
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
} | null)
} | Job)
path: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
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
} | null)
} | Job)
query: {
symbol: string
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/charm/{symbol}/schedule": {
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
status: ("ok" | "no_session" | "no_flow")
windows: {
from: string
to: string
flow_usd: number
cumulative_usd: number
share_of_volume: (number | null)
direction: (("BUY" | "SELL") | null)
by_expiry: {
[k: string]: number
}
}[]
total_usd: number
activation: ({
at: string
reason: ("cumulative" | "intensity")
} | null)
peak: ({
from: string
to: string
flow_usd: number
cumulative_usd: number
share_of_volume: (number | null)
direction: (("BUY" | "SELL") | null)
by_expiry: {
[k: string]: number
}
} | null)
} | null)
} | Job)
path: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
model: "essvi"
certificate: {
least_g: number
least_calendar_gap: (number | null)
steepest_wing: number
holds: boolean
}
expiries: {
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
fit_error: ({
volatility_points: number
half_spreads: number
inside: number
} | null)
svi: {
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
fit_error: ({
volatility_points: number
half_spreads: number
inside: number
} | null)
}
quoted?: {
k: number[]
bid: number[]
mid: number[]
ask: number[]
}
}[]
grid: {
days: number[]
forwards: number[]
k: (number[] | null)
strikes: (number[] | null)
volatility: (number | null)[][]
}
} | null)
} | Job)
path: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
model: "essvi"
certificate: {
least_g: number
least_calendar_gap: (number | null)
steepest_wing: number
holds: boolean
}
expiries: {
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
fit_error: ({
volatility_points: number
half_spreads: number
inside: number
} | null)
svi: {
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
fit_error: ({
volatility_points: number
half_spreads: number
inside: number
} | null)
}
quoted?: {
k: number[]
bid: number[]
mid: number[]
ask: number[]
}
}[]
grid: {
days: number[]
forwards: number[]
k: (number[] | null)
strikes: (number[] | null)
volatility: (number | null)[][]
}
} | null)
} | Job)
query: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
status: ("ok" | "no_position" | "no_volatility")
scenarios: {
spot_return_pct: number
hours: number
vol_points: number
flow_usd: number
gamma_usd: number
vanna_usd: number
charm_usd: number
residual_usd: number
impact_pct: (number | null)
}[]
horizons: {
horizon: ("30m" | "close" | "1d")
hours: number
sessions: number
mean_usd: number
p10_usd: number
p50_usd: number
p90_usd: number
impact_pct: (number | null)
}[]
largest: (("30m" | "close" | "1d") | null)
} | null)
} | Job)
path: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
status: ("ok" | "no_position" | "no_volatility")
scenarios: {
spot_return_pct: number
hours: number
vol_points: number
flow_usd: number
gamma_usd: number
vanna_usd: number
charm_usd: number
residual_usd: number
impact_pct: (number | null)
}[]
horizons: {
horizon: ("30m" | "close" | "1d")
hours: number
sessions: number
mean_usd: number
p10_usd: number
p50_usd: number
p90_usd: number
impact_pct: (number | null)
}[]
largest: (("30m" | "close" | "1d") | null)
} | null)
} | Job)
query: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
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
} | null)
} | Job)
path: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
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
} | null)
} | Job)
query: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
status: ("ok" | "no_positions")
generation: (1 | 2 | 3 | "ensemble")
basis: ("convention" | "estimate")
coverage: (number | null)
censored_share: (number | null)
calls: {
state: ("bought" | "sold" | "balanced" | "unknown")
net: number
sd: (number | null)
z: (number | null)
p_bought: (number | null)
open_interest: number
}
puts: {
state: ("bought" | "sold" | "balanced" | "unknown")
net: number
sd: (number | null)
z: (number | null)
p_bought: (number | null)
open_interest: number
}
strikes: {
strike: number
calls: {
state: ("bought" | "sold" | "balanced" | "unknown")
net: number
sd: (number | null)
z: (number | null)
p_bought: (number | null)
open_interest: number
}
puts: {
state: ("bought" | "sold" | "balanced" | "unknown")
net: number
sd: (number | null)
z: (number | null)
p_bought: (number | null)
open_interest: number
}
total: {
state: ("bought" | "sold" | "balanced" | "unknown")
net: number
sd: (number | null)
z: (number | null)
p_bought: (number | null)
open_interest: number
}
}[]
} | null)
} | Job)
path: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
status: ("ok" | "no_positions")
generation: (1 | 2 | 3 | "ensemble")
basis: ("convention" | "estimate")
coverage: (number | null)
censored_share: (number | null)
calls: {
state: ("bought" | "sold" | "balanced" | "unknown")
net: number
sd: (number | null)
z: (number | null)
p_bought: (number | null)
open_interest: number
}
puts: {
state: ("bought" | "sold" | "balanced" | "unknown")
net: number
sd: (number | null)
z: (number | null)
p_bought: (number | null)
open_interest: number
}
strikes: {
strike: number
calls: {
state: ("bought" | "sold" | "balanced" | "unknown")
net: number
sd: (number | null)
z: (number | null)
p_bought: (number | null)
open_interest: number
}
puts: {
state: ("bought" | "sold" | "balanced" | "unknown")
net: number
sd: (number | null)
z: (number | null)
p_bought: (number | null)
open_interest: number
}
total: {
state: ("bought" | "sold" | "balanced" | "unknown")
net: number
sd: (number | null)
z: (number | null)
p_bought: (number | null)
open_interest: number
}
}[]
} | null)
} | Job)
query: {
symbol: string
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/hedging-bands/{symbol}": {
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
status: ("ok" | "open_band" | "no_volatility" | "zero_net_gamma" | "no_gamma")
model: ("whalley_wilmott" | "zakamouline")
gamma_shares: number
half_width_shares: (number | null)
half_width_pts: (number | null)
volatility_factor: (number | null)
lower: ({
level: number
hit: {
p_1h: (number | null)
p_close: (number | null)
p_1d: (number | null)
}
flow_usd: number
} | null)
upper: ({
level: number
hit: {
p_1h: (number | null)
p_close: (number | null)
p_1d: (number | null)
}
flow_usd: number
} | null)
exit: ({
p_1h: (number | null)
p_close: (number | null)
p_1d: (number | null)
} | null)
zones: {
lower: number
upper: number
peak: number
sign: ("positive" | "negative")
gex_peak: number
hit: {
p_1h: (number | null)
p_close: (number | null)
p_1d: (number | null)
}
expected_flow_usd: number
}[]
cost: number
risk_aversion: number
} | null)
} | Job)
path: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
status: ("ok" | "open_band" | "no_volatility" | "zero_net_gamma" | "no_gamma")
model: ("whalley_wilmott" | "zakamouline")
gamma_shares: number
half_width_shares: (number | null)
half_width_pts: (number | null)
volatility_factor: (number | null)
lower: ({
level: number
hit: {
p_1h: (number | null)
p_close: (number | null)
p_1d: (number | null)
}
flow_usd: number
} | null)
upper: ({
level: number
hit: {
p_1h: (number | null)
p_close: (number | null)
p_1d: (number | null)
}
flow_usd: number
} | null)
exit: ({
p_1h: (number | null)
p_close: (number | null)
p_1d: (number | null)
} | null)
zones: {
lower: number
upper: number
peak: number
sign: ("positive" | "negative")
gex_peak: number
hit: {
p_1h: (number | null)
p_close: (number | null)
p_1d: (number | null)
}
expected_flow_usd: number
}[]
cost: number
risk_aversion: number
} | null)
} | Job)
query: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
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
} | null)
} | Job)
path: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
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
} | null)
} | Job)
query: {
symbol: string
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/darkpool/{symbol}": {
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
status: ("ok" | "no_tapes" | "no_short_volume" | "no_prints" | "no_gamma" | "too_few_strikes" | "no_proxy_price")
symbol: string
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
} | null)
} | Job)
path: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
status: ("ok" | "no_tapes" | "no_short_volume" | "no_prints" | "no_gamma" | "too_few_strikes" | "no_proxy_price")
symbol: string
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
} | null)
} | Job)
query: {
symbol: string
from?: ("own" | "feed")
generation?: ("1" | "2" | "3" | "ensemble")
}
headers?: {
prefer?: string
}
}
"GET /v1/signals/{symbol}": {
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
status: "ok"
current: {
id: string
symbol: string
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
evidence: {
metric: string
value: number
threshold: (number | null)
unit: string
}[]
invalidation: string
}[]
recent: {
id: string
symbol: string
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
evidence: {
metric: string
value: number
threshold: (number | null)
unit: string
}[]
invalidation: string
}[]
} | null)
} | Job)
path: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
status: "ok"
current: {
id: string
symbol: string
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
evidence: {
metric: string
value: number
threshold: (number | null)
unit: string
}[]
invalidation: string
}[]
recent: {
id: string
symbol: string
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
evidence: {
metric: string
value: number
threshold: (number | null)
unit: string
}[]
invalidation: string
}[]
} | null)
} | Job)
query: {
symbol: string
from?: ("own" | "feed")
generation?: "1"
}
headers?: {
prefer?: string
}
}
"GET /v1/shadow-gamma/{symbol}": {
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
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
ssr: {
status: ("ok" | "given" | "too_few_observations" | "no_moves")
ssr: number
raw: (number | null)
standard_error: (number | null)
weight: number
observations: number
}
} | null)
} | Job)
path: {
symbol: string
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
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
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
ssr: {
status: ("ok" | "given" | "too_few_observations" | "no_moves")
ssr: number
raw: (number | null)
standard_error: (number | null)
weight: number
observations: number
}
} | null)
} | Job)
query: {
symbol: string
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
answer: {
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: {
net_gex: number
gex_abs: number
net_gex_spx: (number | null)
effective_gamma: (number | null)
status: ("ok" | "missing_beta" | "missing_volatility" | "missing_beta_and_volatility")
unit: "$ of dealer delta gained per +1 % spot"
members: {
symbol: string
weight: number
net_gex: number
weighted_gex: number
beta: (number | null)
weighted_gex_spx: (number | null)
gir: (number | null)
regime: (("strong_positive" | "positive" | "transition" | "negative" | "strong_negative") | null)
}[]
}
}
body: {
symbols: string[]
weights?: number[]
}
}
"POST /v1/portfolio/optimize": {
answer: {
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: ({
status: ("ok" | "infeasible" | "inaccurate")
infeasible: ({
constraint: ("bounds" | "budget" | "target_return" | "target_gamma")
asked: (number | null)
attainable_low: (number | null)
attainable_high: (number | null)
message: string
} | null)
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
members: {
symbol: string
weight: (number | null)
sigma_d: number
regime: (("strong_positive" | "positive" | "transition" | "negative" | "strong_negative") | null)
multiplier: number
risk_share: (number | null)
bound: (("free" | "lower" | "upper" | "fixed") | null)
bound_multiplier: (number | null)
}[]
} | null)
}
body: {
symbols: string[]
lower?: number[]
upper?: number[]
expected_returns?: number[]
target_return?: number
target_gamma?: number
correlation?: number[][]
regime_multipliers?: {
strong_positive: number
positive: number
transition: number
negative: number
strong_negative: number
}
}
}
"POST /v1/portfolio/stress": {
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: {
before: {
symbol: string
weight: number
as_of: string
synthetic: boolean
spot: number
net_gex: number
gex_abs: number
}[]
results: {
spot_shock_pct: number
vol_shock_pct: number
vol_points?: number
days: number
net_gex: number
gex_abs: number
regime: {
state: (("strong_positive" | "positive" | "transition" | "negative" | "strong_negative") | null)
ngr: (number | null)
gir: (number | null)
sigma_d_pct: (number | null)
confidence: (number | null)
reason: ("ngr" | "near_flip" | "low_confidence" | "no_gamma")
}
pnl: {
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
portfolio_return: (number | null)
status: string
members: {
symbol: string
weight: number
amplification: (number | null)
impact: (number | null)
result: {
spot_shock_pct: number
vol_shock_pct: number
vol_points: (number | null)
vol_shift_points?: number
days: number
ssr: number
spot: number
net_gex: number
gex_abs: number
regime: {
state: (("strong_positive" | "positive" | "transition" | "negative" | "strong_negative") | null)
ngr: (number | null)
gir: (number | null)
sigma_d_pct: (number | null)
confidence: (number | null)
reason: ("ngr" | "near_flip" | "low_confidence" | "no_gamma")
}
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
}[]
}[]
}
} | Job)
headers?: {
"idempotency-key"?: string
prefer?: string
}
body: {
symbols: string[]
weights?: number[]
scenarios?: {
spot_shock_pct?: number
vol_shock_pct?: number
vol_points?: number
days?: number
ssr?: number
}[]
}
}
"GET /v1/history/regime": {
answer: {
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
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
query: {
symbol: string
from?: string
to?: string
limit?: number
cursor?: string
format?: ("json" | "csv")
}
}
"GET /v1/history/dsi": {
answer: {
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
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
query: {
symbol: string
from?: string
to?: string
limit?: number
cursor?: string
format?: ("json" | "csv")
}
}
"GET /v1/history/levels": {
answer: {
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
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
query: {
symbol: string
from?: string
to?: string
limit?: number
cursor?: string
format?: ("json" | "csv")
}
}
"GET /v1/history/flips": {
answer: {
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
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
status: string
flip: (number | null)
flips: number[]
net_gex: number
}[]
next_cursor: (string | null)
}
}
query: {
symbol: string
from?: string
to?: string
limit?: number
cursor?: string
format?: ("json" | "csv")
}
}
"GET /v1/history/backtest": {
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
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
} | Job)
query: {
symbol: string
from?: string
to?: string
rule?: ("long_volatility_negative_gamma" | "momentum_negative_gamma" | "reversion_positive_gamma" | "above_flip" | "always_long")
}
headers?: {
prefer?: string
}
}
"GET /v1/history/statistics": {
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
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
tests: number
level: number
abs_return_autocorrelation: (number | null)
regressions: {
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
}[]
regime_volatility: {
regime: ("strong_positive" | "positive" | "transition" | "negative" | "strong_negative")
observations: number
volatility: (number | null)
lower: (number | null)
upper: (number | null)
}[]
negative_over_positive: {
ratio: (number | null)
lower: (number | null)
upper: (number | null)
p: (number | null)
deflated_p: (number | null)
}
hits: {
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
}[]
scorecard: {
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
}
} | Job)
query: {
symbol: string
from?: string
to?: string
}
headers?: {
prefer?: string
}
}
"GET /v1/scorecard": {
answer: ({
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
units: {
[k: string]: string
}
conventions: {
[k: string]: string
}
synthetic: boolean
data: {
status: "ok"
symbol: string
seed: number
days: string[]
method: string
generations: {
generation: (1 | 2 | 3 | "ensemble")
contracts: {
sign_accuracy: (number | null)
sign_accuracy_weighted: (number | null)
signed_share: (number | null)
rmse: (number | null)
bias: (number | null)
band_coverage: (number | null)
}
contracts_compared: number
gex: {
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
dex: {
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
vex: {
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
cex: {
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
}[]
}
} | Job)
query: {
symbol: string
seed?: number
}
headers?: {
prefer?: string
}
}
"GET /v1/oracle/tools": {
answer: {
tools: {
name: string
description: string
parameters: {
[k: string]: unknown
}
}[]
}
}
"POST /v1/oracle/query": {
answer: {
status: string
stale: (boolean | null)
age_seconds: (number | null)
feed_status: (("ok" | "unavailable" | "refused" | "invalid" | "half_chain") | null)
symbol: (string | null)
as_of: (string | null)
data_as_of: {
[k: string]: string
}
model_version: string
generation: (1 | 2 | 3 | "ensemble")
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
citations: {
n: number
tool: string
call: number
path: string
value: number
}[]
tools_used: string[]
results: {
tool: string
arguments: {
[k: string]: unknown
}
status: string
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
body: {
question: string
symbol?: string
session?: string
portfolio?: {
symbols: ("SPX" | "SPY" | "QQQ" | "IWM" | "NDX" | "RUT")[]
weights?: number[]
lower?: number[]
upper?: number[]
expected_returns?: number[]
target_return?: number
target_gamma?: number
}
}
}
"GET /v1/stream/{symbol}": {
answer: null
path: {
symbol: string
}
query?: {
types?: ("gex" | "levels" | "regime" | "signals")[]
last_event_id?: string
}
}
"GET /v1/alerts": {
answer: null
query?: {
symbols?: string[]
kinds?: ("regime_change" | "flip_proximity" | "flip_breach" | "wall_test" | "wall_break" | "pin" | "charm_drift" | "vanna_squeeze" | "gtbr_breach" | "shadow_instability" | "dark_confirmation" | "anomaly")[]
last_event_id?: string
}
}
"POST /api/mcp": {
answer: never
body: {

}
}
"GET /api/mcp": {
answer: never
}
"DELETE /api/mcp": {
answer: never
}
"GET /.well-known/oauth-protected-resource/api/mcp": {
answer: {
resource: string
resource_name: string
bearer_methods_supported: string[]
scopes_supported: string[]
}
}
"GET /.well-known/oauth-protected-resource": {
answer: {
resource: string
resource_name: string
bearer_methods_supported: string[]
scopes_supported: string[]
}
}
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
state: ("awaiting_approval" | "queued" | "running" | "succeeded" | "failed" | "cancelled")
status: ("awaiting_approval" | "queued" | "running" | "succeeded" | "failed" | "cancelled")
priority: number
attempt: number
failures: number
held: boolean
events: number
error: ({
code: string
message: string
details?: unknown
} | null)
idempotency_key: (string | null)
parent_id: (string | null)
approval_id: (string | null)
created_at: string
queued_at: string
run_at: string
started_at: (string | null)
finished_at: (string | null)
url: string
links: {
self: string
events: string
websocket: string
}
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
state: ("awaiting_approval" | "queued" | "running" | "succeeded" | "failed" | "cancelled")
status: ("awaiting_approval" | "queued" | "running" | "succeeded" | "failed" | "cancelled")
priority: number
attempt: number
failures: number
held: boolean
events: number
error: ({
code: string
message: string
details?: unknown
} | null)
idempotency_key: (string | null)
parent_id: (string | null)
approval_id: (string | null)
created_at: string
queued_at: string
run_at: string
started_at: (string | null)
finished_at: (string | null)
url: string
links: {
self: string
events: string
websocket: string
}
payload: unknown
result: unknown
warning?: string
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
paused: ({
at: string
by: string
reason: (string | null)
} | null)
depth: {
queued: number
delayed: number
running: number
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
 * via the `definition` "ProviderCall".
 */
export interface ProviderCall {
job: string
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
 * via the `definition` "StudioApproval".
 */
export interface StudioApproval {
id: string
status: ("pending" | "granted" | "declined" | "used" | "expired")
kind: ("render" | "publish")
subject: string
effect: {
[k: string]: unknown
}
effectSha256: string
areas: {
area: ("liveProviderSpend" | "publishing" | "voiceAndLikeness" | "commercialClaims")
why: string
}[]
needsProofOfPersonhood: boolean
jobId: (string | null)
requestedBy: string
decidedBy: (string | null)
reason: (string | null)
assurance: (string | null)
decideAt: string
createdAt: string
expiresAt: string
decidedAt: (string | null)
usedAt: (string | null)
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
error: ({
code: string
message: string
details?: unknown
} | null)
createdAt: string
executedAt: (string | null)
deadlineAt: (string | null)
finishedAt: (string | null)
sealedAt: (string | null)
links: {
self: string
events: string
websocket: string
receipt: (string | null)
}
inputs: {
[k: string]: unknown
}
plan: {
planner: ("rules" | "model" | "client")
steps: {
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
assurance: (string | null)
}
costUsd: number
route?: {
provider: string
model: string
quotedUsd: number
}[]
}[]
unmapped: string[]
notes: string[]
costUsd: number
}
answer: (string | null)
steps: {
id: string
state: ("waiting" | "awaiting_human" | "approved" | "running" | "succeeded" | "failed" | "cancelled" | "skipped")
status: ("waiting" | "awaiting_human" | "approved" | "running" | "succeeded" | "failed" | "cancelled" | "skipped")
jobId: (string | null)
input: unknown
output: unknown
summary: (string | null)
outputSaltedSha256: (string | null)
effectSha256: (string | null)
challenge: ({
id: string
body: {
[k: string]: string | number | null
}
sha256: string
expiresAt: string
worldId?: {
rpId: string
signal: string
environment: string
rpContext: {
rp_id: string
nonce: string
created_at: number
expires_at: number
signature: string
}
sessionId: string
requireUserPresence: true
}
} | null)
error: ({
code: string
message: string
details?: unknown
} | null)
startedAt: (string | null)
finishedAt: (string | null)
}[]
salt: string
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
error: ({
code: string
message: string
details?: unknown
} | null)
createdAt: string
executedAt: (string | null)
deadlineAt: (string | null)
finishedAt: (string | null)
sealedAt: (string | null)
links: {
self: string
events: string
websocket: string
receipt: (string | null)
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChatCompletion".
 */
export interface ChatCompletion {
id: string
object: string
created: number
model: string
choices: {
index: number
message: {
role: string
content: (string | null)
refusal: (string | null)
tool_calls?: {
id: string
type: string
function: {
name: string
arguments: string
}
}[]
}
logprobs: null
finish_reason: ("stop" | "length" | "tool_calls" | "content_filter")
}[]
usage?: {
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
job: {
id: string
kind: ("job" | "mission")
state: string
status: string
url: string
}
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
 * via the `definition` "ChatCompletionRequest".
 */
export interface ChatCompletionRequest {
messages: {
role: ("developer" | "system" | "user" | "assistant" | "tool")
content?: (string | {
type: string
text?: string
refusal?: string
image_url?: {
url: string
detail?: ("auto" | "low" | "high")
}
}[] | null)
name?: (string | null)
tool_calls?: ({
id: string
type: "function"
function: {
name: string
arguments: string
}
}[] | null)
tool_call_id?: string
refusal?: (string | null)
annotations?: unknown
audio?: null
function_call?: null
parsed?: unknown
}[]
model?: (string | null)
stream?: (boolean | null)
stream_options?: ({
include_usage?: boolean
include_obfuscation?: boolean
} | null)
tools?: ({
type: "function"
function: {
name: string
description?: string
parameters?: {
[k: string]: unknown
}
strict?: (boolean | null)
}
}[] | null)
tool_choice?: ((("none" | "auto" | "required") | {
type: "function"
function: {
name: string
}
}) | null)
parallel_tool_calls?: (boolean | null)
response_format?: (({
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
}) | null)
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
routing?: {
policy?: ("quality_first" | "speed_first" | "cost_guarded" | "balanced")
providers?: string[]
exclude?: string[]
max_cost_usd?: number
fallback?: boolean
}
cache?: {
ttl_seconds: number
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Response".
 */
export interface Response {
id: string
object: "response"
created_at: number
completed_at: (number | null)
status: ("queued" | "in_progress" | "completed" | "incomplete" | "failed" | "cancelled")
incomplete_details: ({
reason: ("max_output_tokens" | "content_filter")
} | null)
error: ({
code: string
message: string
} | null)
output: ({
type: "message"
id: string
role: ("user" | "assistant" | "system" | "developer")
status: ("in_progress" | "completed" | "incomplete")
content: ({
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
})[]
} | {
type: "function_call"
id: string
call_id: string
name: string
arguments: string
status: ("in_progress" | "completed" | "incomplete")
})[]
usage: ({
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
} | null)
model: string
previous_response_id: (string | null)
instructions: (string | null)
tools: {
type: "function"
name: string
description: (string | null)
parameters: ({
[k: string]: unknown
} | null)
strict: (boolean | null)
}[]
tool_choice: (("auto" | "none" | "required") | {
type: "function"
name: string
})
truncation: "disabled"
parallel_tool_calls: boolean
text: {
format: ({
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
job: string
warnings?: string[]
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PendingWork".
 */
export interface PendingWork {
job: JobSummary
run: {
id: string
provider: (string | null)
model: (string | null)
cost_usd: (number | null)
warnings?: string[]
}
audit_receipt: null
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
run: {
id: string
provider: (string | null)
model: (string | null)
cost_usd: (number | null)
warnings?: string[]
}
audit_receipt: null
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "File".
 */
export interface File {
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
 * via the `definition` "Problem".
 */
export interface Problem {
type: string
title: string
status: number
detail: string
code: string
request_id: string
errors?: {
field: string
message: string
value: unknown
}[]
details?: {
[k: string]: unknown
}
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudioError".
 */
export interface StudioError {
error: {
type: ("authentication_error" | "authorization_error" | "validation_error" | "rate_limit_error" | "execution_error" | "service_unavailable")
message: string
code: string
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
code: string
request_id: string
errors?: {
field: string
message: string
value: unknown
}[]
details?: {
[k: string]: unknown
}
error: {
message: string
type: string
code: string
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
status: ("awaiting_approval" | "queued" | "running" | "succeeded" | "failed" | "cancelled")
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
object: string
created: number
model: string
choices: {
[k: string]: unknown
}[]
usage?: ({
prompt_tokens: number
completion_tokens: number
total_tokens: number
prompt_tokens_details?: {
cached_tokens: number
}
completion_tokens_details?: {
reasoning_tokens: number
}
} | null)
job?: {
id: string
kind: ("job" | "mission")
state: string
status: string
url: string
}
run?: {
id: string
provider: string
model: string
cost_usd: (number | null)
latency_ms: number
}
audit_receipt?: null
}

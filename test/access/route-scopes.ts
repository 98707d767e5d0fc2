import type { Scope } from '#src/lib/principal.ts';

/**
 * Who may call what changes something. `anybody`: no key at all. `any key`: every valid one, whatever it holds. `itself`: a
 * key for itself, whatever it holds; `itself, others with` a scope: for other keys it must hold that. Which of them it may
 * change then is another rule (change-keys.int.test.ts). `person`: somebody who is signed in, never a
 * key. `token`: who brings a credential of its own kind, never a key. `operator`: a key with the operator flag, whatever it holds. A list: the scopes of which one suffices. With `human`
 * the key must be bound to a verified human as well; with `operator` a key with the operator flag needs no scope.
 */
export type MayCall =
  | 'anybody'
  | 'any key'
  | 'itself'
  | 'itself, others with studio.read'
  | 'person'
  | 'token'
  | 'operator'
  | readonly Scope[]
  | { readonly scopes: readonly Scope[]; readonly human: true }
  | { readonly scopes: readonly Scope[]; readonly operator: true };

const execute = ['platform.mcp.execute'] as const;
const humanExecutes = { scopes: execute, human: true } as const;

/** Every route that changes something, of every OpenAPI document that is served; a test fails for one that is not here. */
export const routeScopes: Readonly<Record<string, MayCall>> = {
  // people, who bring a session or a proof instead of a key
  'POST /auth/sign-out': 'anybody',
  'POST /auth/human': 'anybody',
  // the code in its body decides, not who brings it
  'POST /auth/link': 'anybody',
  'POST /auth/human/challenge': 'person',
  'POST /api/v1/humans/challenge': 'anybody',
  'POST /api/v1/humans/enrol': 'anybody',
  'POST /api/v1/humans/invites': 'operator',
  'DELETE /api/v1/humans/invites/{id}': 'operator',
  'DELETE /api/v1/humans/{id}': 'operator',

  // keys
  'POST /api/v1/keys': execute,
  'PATCH /api/v1/keys/{id}': 'itself',
  'DELETE /api/v1/keys/{id}': 'itself',
  'POST /api/studio/v1/keys': ['studio.read'],
  'PATCH /api/studio/v1/keys/{id}': 'itself, others with studio.read',
  'DELETE /api/studio/v1/keys/{id}': 'itself, others with studio.read',

  // jobs and queues; a job is cancelled by the scope that asks for such work
  'DELETE /v1/jobs/{id}': execute,
  'POST /v1/jobs/{id}/redrive': { scopes: ['jobs.manage'], operator: true },
  'POST /v1/jobs/actions': {
    scopes: ['studio.render', 'studio.publish', 'platform.mcp.execute', 'jobs.submit', 'jobs.manage'],
    operator: true,
  },
  'PUT /v1/queues/{name}': { scopes: ['jobs.manage'], operator: true },
  'POST /v1/jobs/{id}/signals/{name}': execute,
  'POST /v1/queues/{name}/jobs': ['jobs.submit'],
  'POST /v1/webhook-endpoints': ['jobs.manage'],
  'PATCH /v1/webhook-endpoints/{id}': ['jobs.manage'],
  'DELETE /v1/webhook-endpoints/{id}': ['jobs.manage'],
  'POST /v1/webhook-endpoints/{id}/rotate-secret': ['jobs.manage'],
  'POST /v1/webhook-endpoints/{id}/test': ['jobs.manage'],
  'POST /v1/webhook-endpoints/{id}/replay': ['jobs.manage'],
  'POST /v1/webhook-deliveries/{id}/replay': ['jobs.manage'],
  // a token opens what its maker may follow
  'POST /v1/stream-tokens': 'any key',
  'DELETE /v1/stream-tokens/{id}': 'any key',
  'POST /v1/jobs/bulk': ['jobs.submit'],
  'PUT /v1/queues/{name}/rules': ['jobs.manage'],
  'DELETE /v1/queues/{name}/rules': ['jobs.manage'],
  'POST /v1/flows': ['jobs.submit'],
  'DELETE /v1/flows/{id}': ['jobs.submit'],
  'POST /v1/flows/{id}/redrive': ['jobs.submit'],
  'PUT /v1/schedules/{name}': ['jobs.submit'],
  'DELETE /v1/schedules/{name}': ['jobs.submit'],
  'POST /v1/schedules/{name}/pause': ['jobs.submit'],
  'POST /v1/schedules/{name}/resume': ['jobs.submit'],
  'POST /v1/schedules/{name}/run': ['jobs.submit'],
  'POST /v1/workers': ['jobs.work'],
  'POST /v1/workers/{worker}/poll': ['jobs.work'],
  'POST /v1/workers/{worker}/report': ['jobs.work'],
  'DELETE /v1/workers/{worker}': ['jobs.work'],
  'POST /v1/queues/{name}/pause': 'operator',
  'POST /v1/queues/{name}/resume': 'operator',
  'PUT /v1/limits': 'operator',
  'DELETE /v1/limits': 'operator',
  'POST /v1/provider-calls/{job}/{provider}/bill': 'operator',
  'POST /v1/provider-calls/{job}/{provider}/write-off': 'operator',

  // the studio
  'POST /api/studio/v1/brief': ['studio.brief'],
  'POST /api/studio/v1/plan': ['studio.plan'],
  'POST /api/studio/v1/render': ['studio.render'],
  'POST /api/studio/v1/publish': ['studio.publish'],
  'POST /api/studio/v1/worker/run': ['studio.worker'],
  'POST /api/studio/v1/approvals/{id}/challenge': 'person',
  'POST /api/studio/v1/approvals/{id}/decision': 'person',

  // missions; machine clients connect with any key, and each tool asks for its own scope (below)
  'POST /api/mcp': 'any key',
  'DELETE /api/mcp': 'any key',
  'POST /api/v1/missions': humanExecutes,
  'DELETE /api/v1/missions/{id}': execute,
  'POST /api/v1/missions/{id}/execute': humanExecutes,
  'POST /api/v1/missions/{id}/steps/{step}/approve': humanExecutes,
  'POST /api/v1/missions/{id}/steps/{step}/decline': execute,

  // the generation platform
  'POST /api/v2/responses': execute,
  'DELETE /api/v2/responses/{id}': execute,
  'POST /api/v2/responses/{id}/cancel': execute,
  'POST /api/v2/chat/completions': execute,
  'POST /api/v2/audio/speech': execute,
  'POST /api/v2/audio/transcriptions': execute,
  'POST /api/v2/images/generate': execute,
  'POST /api/v2/images/generations': execute,
  'POST /api/v2/images/edit': execute,
  'POST /api/v2/images/edits': execute,
  'POST /api/v2/images/upscale': execute,
  'POST /api/v2/videos': execute,
  'POST /api/v2/videos/generate': execute,
  'POST /api/v2/videos/from-image': execute,
  'DELETE /api/v2/videos/{id}': execute,
  'POST /api/v2/personas/{id}/video': execute,
  'POST /api/v2/music/generate': execute,
  'POST /api/v2/music/compose': execute,
  'POST /api/v2/files': execute,
  'DELETE /api/v2/files/{id}': execute,
  'POST /api/v2/batch': execute,
  'POST /api/v2/batch/{id}/cancel': execute,
  'POST /api/v2/batches': execute,
  'POST /api/v2/batches/{id}/cancel': execute,
  'POST /api/v2/webhooks/{id}/replay': execute,
  'POST /api/v2/orchestrate/run': humanExecutes,
  // a provider shows the token of its task
  'POST /v1/providers/{provider}/webhook/{job}': 'token',

  // market analytics
  'POST /v1/snapshot': execute,
  'DELETE /v1/snapshot/{symbol}': execute,
  'POST /v1/oracle/query': execute,
  'POST /v1/portfolio/analyze': execute,
  'POST /v1/portfolio/optimize': execute,
  'POST /v1/portfolio/stress': execute,
};

/** Every tool of the machine clients, and the scope that it asks for; null where any key will do. */
export const toolScopes: Readonly<Record<string, Scope | null>> = {
  agent_mission_create: 'platform.mcp.execute',
  agent_mission_execute: 'platform.mcp.execute',
  agent_mission_status: 'platform.mcp.read',
  agent_receipt_get: null,
  agent_receipt_verify: null,
  agent_stats: 'platform.mcp.read',
  studio_explore: 'studio.read',
  studio_brief: 'studio.brief',
  studio_plan: 'studio.plan',
  studio_render: 'studio.render',
  studio_publish: 'studio.publish',
  studio_analyze: 'studio.read',
  studio_operate: 'studio.plan',
  job_queues: 'jobs.submit',
  job_submit: 'jobs.submit',
  job_read: 'jobs.submit',
  job_cancel: 'jobs.submit',
  explore: null,
};

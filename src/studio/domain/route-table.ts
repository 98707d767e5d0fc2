type Auth = 'none' | 'session' | 'session_or_platform_api_key' | 'platform_api_key' | 'platform_mcp_auth';
type SurfaceStatus = 'live_read' | 'credential_live' | 'mcp_live' | 'platform_v2_live' | 'approval_gated';

/** A route as the manifest lists it. */
export interface RouteRow {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly description: string;
  readonly auth: Auth;
  readonly surfaceStatus: SurfaceStatus;
  readonly capability?: string;
}

const studio = '/api/studio/v1';
const either = 'session_or_platform_api_key';

/**
 * Every route of the studio, and those of the platform that belong to it; a test holds the first equal to what is
 * served.
 */
// biome-ignore format: one line a route
export const routeTable: readonly RouteRow[] = [
  { method: 'GET', path: studio, description: 'This manifest', auth: 'none', surfaceStatus: 'live_read' },
  { method: 'GET', path: `${studio}/capabilities`, description: 'Capabilities, with the providers, prices and health of each', auth: 'none', surfaceStatus: 'live_read' },
  { method: 'GET', path: `${studio}/openapi`, description: 'The OpenAPI description of this surface', auth: 'none', surfaceStatus: 'live_read' },
  { method: 'GET', path: '/.well-known/mcp.json', description: 'Address at which machine clients connect', auth: 'none', surfaceStatus: 'mcp_live' },
  { method: 'GET', path: `${studio}/monitoring`, description: 'Records of your work', auth: either, surfaceStatus: 'live_read', capability: 'studio.monitoring' },
  { method: 'GET', path: `${studio}/explore`, description: 'Look through providers, workflows, assets, jobs, plans, approvals, metrics, routes', auth: either, surfaceStatus: 'live_read', capability: 'studio.explore' },
  { method: 'GET', path: `${studio}/analyze`, description: 'Figures of your own work over a window', auth: either, surfaceStatus: 'live_read', capability: 'studio.analyze' },
  { method: 'GET', path: `${studio}/events`, description: 'Live stream of your work (SSE)', auth: either, surfaceStatus: 'live_read', capability: 'studio.events' },
  { method: 'GET', path: `${studio}/developer/access-check`, description: 'Rights of your credentials', auth: either, surfaceStatus: 'credential_live', capability: 'studio.access.check' },
  { method: 'GET', path: `${studio}/keys`, description: 'List API keys, masked', auth: 'session', surfaceStatus: 'credential_live', capability: 'studio.keys.read' },
  { method: 'POST', path: `${studio}/keys`, description: 'Create an API key, shown once', auth: 'session', surfaceStatus: 'credential_live', capability: 'studio.keys.create' },
  { method: 'PATCH', path: `${studio}/keys/{id}`, description: 'Change an API key', auth: 'session', surfaceStatus: 'credential_live', capability: 'studio.keys.update' },
  { method: 'DELETE', path: `${studio}/keys/{id}`, description: 'Revoke an API key', auth: 'session', surfaceStatus: 'credential_live', capability: 'studio.keys.revoke' },
  { method: 'GET', path: `${studio}/keys/{id}/usage`, description: 'Use of an API key', auth: 'session', surfaceStatus: 'credential_live', capability: 'studio.keys.usage' },
  { method: 'POST', path: `${studio}/brief`, description: 'Record a creative brief', auth: either, surfaceStatus: 'credential_live', capability: 'studio.brief' },
  { method: 'POST', path: `${studio}/plan`, description: 'Plan a brief: providers, costs, approval boundary', auth: either, surfaceStatus: 'credential_live', capability: 'studio.plan' },
  { method: 'POST', path: `${studio}/render`, description: 'Prepare or queue a governed render job', auth: either, surfaceStatus: 'approval_gated', capability: 'studio.render' },
  { method: 'POST', path: `${studio}/publish`, description: 'Prepare an approval-gated publication', auth: either, surfaceStatus: 'approval_gated', capability: 'studio.publish' },
  { method: 'POST', path: `${studio}/worker/run`, description: 'Release approved, queued jobs', auth: either, surfaceStatus: 'approval_gated', capability: 'studio.worker' },
  { method: 'GET', path: `${studio}/briefs`, description: 'List your briefs', auth: either, surfaceStatus: 'live_read', capability: 'studio.briefs.read' },
  { method: 'GET', path: `${studio}/briefs/{id}`, description: 'Read a brief', auth: either, surfaceStatus: 'live_read', capability: 'studio.briefs.read' },
  { method: 'GET', path: `${studio}/plans`, description: 'List your plans', auth: either, surfaceStatus: 'live_read', capability: 'studio.plans.read' },
  { method: 'GET', path: `${studio}/plans/{id}`, description: 'Read a plan', auth: either, surfaceStatus: 'live_read', capability: 'studio.plans.read' },
  { method: 'GET', path: `${studio}/jobs`, description: 'List your jobs', auth: either, surfaceStatus: 'live_read', capability: 'studio.jobs.read' },
  { method: 'GET', path: `${studio}/jobs/{id}`, description: 'Read a job', auth: either, surfaceStatus: 'live_read', capability: 'studio.jobs.read' },
  { method: 'GET', path: `${studio}/assets`, description: 'List your assets', auth: either, surfaceStatus: 'live_read', capability: 'studio.assets.read' },
  { method: 'GET', path: `${studio}/assets/{id}`, description: 'Read an asset', auth: either, surfaceStatus: 'live_read', capability: 'studio.assets.read' },
  { method: 'GET', path: `${studio}/approvals`, description: 'List approvals', auth: either, surfaceStatus: 'live_read', capability: 'studio.approvals.read' },
  { method: 'GET', path: `${studio}/approvals/{id}`, description: 'Read an approval: exactly what will happen', auth: either, surfaceStatus: 'live_read', capability: 'studio.approvals.read' },
  { method: 'POST', path: `${studio}/approvals/{id}/challenge`, description: 'Ask for what a proof of personhood is made over', auth: 'session', surfaceStatus: 'credential_live', capability: 'studio.approvals.challenge' },
  { method: 'POST', path: `${studio}/approvals/{id}/decision`, description: 'Grant or decline an approval', auth: 'session', surfaceStatus: 'credential_live', capability: 'studio.approvals.decide' },
  { method: 'POST', path: '/api/v2/videos/generate', description: 'Film from words, on the platform', auth: 'platform_api_key', surfaceStatus: 'platform_v2_live', capability: 'video.generate' },
  { method: 'POST', path: '/api/v2/videos/from-image', description: 'Film from a picture, on the platform', auth: 'platform_api_key', surfaceStatus: 'platform_v2_live', capability: 'video.from-image' },
  { method: 'POST', path: '/api/v2/personas/{id}/video', description: 'A persona’s talking-head film with voice and video providers, on the platform', auth: 'platform_api_key', surfaceStatus: 'platform_v2_live', capability: 'avatar.talking-head-text' },
  { method: 'POST', path: '/api/mcp', description: 'The platform’s MCP transport (Streamable HTTP)', auth: 'platform_mcp_auth', surfaceStatus: 'mcp_live' },
];

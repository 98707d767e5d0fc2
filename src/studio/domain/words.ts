/** The words of the studio document, part 2. */

export const modes = ['video', 'avatar', 'persona', 'voice', 'campaign', 'publish'] as const;
export type Mode = (typeof modes)[number];

export const channels = [
  'tiktok',
  'instagram',
  'youtube_shorts',
  'linkedin',
  'x_twitter',
  'pinterest',
  'shopify',
  'gumroad',
  'manual_export',
] as const;
export type Channel = (typeof channels)[number];

export const routePolicies = ['quality_first', 'speed_first', 'cost_guarded', 'balanced'] as const;
export type RoutePolicy = (typeof routePolicies)[number];

export const analyzeScopes = ['providers', 'jobs', 'approvals', 'spend', 'publishing', 'assets'] as const;
export const analyzeWindows = ['24h', '7d', '30d', '90d'] as const;
export const exploreModes = [
  'providers',
  'workflows',
  'assets',
  'jobs',
  'plans',
  'approvals',
  'metrics',
  'api',
] as const;
export const operateActions = [
  'inspect_lineage',
  'cancel_job',
  'rerun_plan',
  'request_provider_setup',
  'verify_governance',
] as const;
export const operateTargets = ['brief', 'plan', 'job', 'asset', 'provider'] as const;

/** The scopes of the document that begin with `studio`. */
export type StudioScope =
  | 'studio.read'
  | 'studio.brief'
  | 'studio.plan'
  | 'studio.render'
  | 'studio.publish'
  | 'studio.worker';

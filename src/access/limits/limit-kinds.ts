import { isTier, quotaOf } from '#src/access/keys/tiers.ts';
import { MOST_SCHEDULES } from '#src/jobs/schedules/most-schedules.ts';
import type { Config } from '#src/system/config/config-type.ts';

/** Everything that a limit can bound. */
export const limitKinds = ['queue_depth', 'requests_per_minute', 'requests_per_day', 'schedules'] as const;
export type LimitKind = (typeof limitKinds)[number];

/** Callers that a limit is for, the most specific first: it decides. `plan`: all keys and people of a tier. */
export const limitScopes = ['key', 'owner', 'plan', 'default'] as const;
export type LimitScope = (typeof limitScopes)[number];

/** A caller, as limits know it. What runs on behalf of an owner has neither key nor tier. */
export interface LimitedCaller {
  readonly owner: string;
  readonly keyId?: string | null;
  readonly tier?: string;
}

/** Returns the subject by which a scope knows a caller; undefined where the caller has none. */
export function subjectOf(scope: LimitScope, { owner, keyId, tier }: LimitedCaller): string | undefined {
  const subjects = { key: keyId ?? undefined, owner, plan: tier, default: '' };
  return subjects[scope];
}

/** Returns the bound of the settings, which holds where no limit is set. */
export function settingOf(config: Config, kind: LimitKind, tier = 'standard'): number {
  if (kind === 'queue_depth') return config.OWNER_QUEUE_DEPTH;
  if (kind === 'schedules') return MOST_SCHEDULES;
  const { perMinute, perDay } = quotaOf(config, isTier(tier) ? tier : 'standard');
  return kind === 'requests_per_minute' ? perMinute : perDay;
}

import type { Config } from '#src/system/config/config-type.ts';

export const tierNames = ['standard', 'high'] as const;

export type Tier = (typeof tierNames)[number];

export function isTier(text: string): text is Tier {
  return tierNames.some((name) => name === text);
}

/** Requests a key may make in the minute and in the day. */
export interface Quota {
  readonly perMinute: number;
  readonly perDay: number;
}

export function quotaOf(config: Config, tier: Tier): Quota {
  if (tier === 'high') return { perMinute: config.RATE_HIGH_PER_MINUTE, perDay: config.RATE_HIGH_PER_DAY };
  return { perMinute: config.RATE_STANDARD_PER_MINUTE, perDay: config.RATE_STANDARD_PER_DAY };
}

import type { Answer, CallInput } from '#console/api/client.ts';
import { counted } from '#src/lib/text/counted.ts';

type Body = CallInput<'POST /v1/portfolio/stress'>['body'];
/** One shock, as the API takes it. */
export type Scenario = NonNullable<Body['scenarios']>[number];
export type StressAnswer = Exclude<Answer<'POST /v1/portfolio/stress'>, { readonly queue: string }>;
export type StressResult = StressAnswer['data']['results'][number];

/** A shock while it is written: a field that is empty is no shock of that kind. */
export interface Draft {
  readonly key: number;
  readonly spot: number | '';
  readonly volatility: number | '';
  readonly days: number | '';
}

/** Shocks to begin with. */
export const presets: Readonly<Record<string, readonly Omit<Draft, 'key'>[]>> = {
  'Spot ±2 % and ±5 %': [-5, -2, 2, 5].map((spot) => ({ spot, volatility: '', days: '' })),
  'Sell-off with rising volatility': [
    { spot: -3, volatility: 20, days: '' },
    { spot: -7, volatility: 60, days: '' },
    { spot: -12, volatility: 120, days: '' },
  ],
  'Spot against volatility, 25 shocks': [-6, -3, 0, 3, 6].flatMap((spot) =>
    [-20, 0, 20, 40, 60].map((volatility) => ({ spot, volatility, days: '' as const })),
  ),
  'A week goes by': [-2, 0, 2].map((spot) => ({ spot, volatility: 0, days: 7 })),
};

/** Builds the request of a draft. */
export function scenarioOf({ spot, volatility, days }: Draft): Scenario {
  return {
    ...(spot !== '' && { spot_shock_pct: spot }),
    ...(volatility !== '' && { vol_shock_pct: volatility }),
    ...(days !== '' && { days }),
  };
}

/** Tells whether a draft is a scenario: a shock of spot or volatility, or time that passes. */
export function isShock({ spot, volatility, days }: Draft): boolean {
  return spot !== '' || volatility !== '' || days !== '';
}

/** A shock in words: `spot -5 %, volatility +20 %, 7 days`. */
export function nameOf({
  spot_shock_pct: spot = 0,
  vol_shock_pct: volatility = 0,
  days = 0,
}: Pick<Scenario, 'spot_shock_pct' | 'vol_shock_pct' | 'days'>): string {
  const parts = [
    `spot ${signed(spot)} %`,
    ...(volatility === 0 ? [] : [`vol ${signed(volatility)} %`]),
    ...(days === 0 ? [] : [counted(days, 'day')]),
  ];
  return parts.join(', ');
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}

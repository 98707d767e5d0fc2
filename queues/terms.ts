import Type, { type Static } from 'typebox';

/** The governance doctrine: areas of an effect that a person has to allow. */
export const areaNames = ['liveProviderSpend', 'publishing', 'voiceAndLikeness', 'commercialClaims'] as const;
export type AreaName = (typeof areaNames)[number];

const strict = { additionalProperties: false };

/** Decision that a job waits for before it runs. */
export const ApprovalTerms = Type.Object(
  {
    why: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Reason to ask a person, in a sentence that they are shown',
    }),
    areas: Type.Optional(
      Type.Array(Type.Enum([...areaNames], { type: 'string' }), {
        maxItems: 4,
        description:
          'Areas of the doctrine that it touches; `publishing` and `voiceAndLikeness` take a proof of personhood besides the sign-in',
      }),
    ),
    decide_within_s: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 31_536_000,
        description: 'Seconds until it can no longer be decided, and the job is cancelled; `APPROVAL_TTL_S` by default',
      }),
    ),
  },
  { title: 'ApprovalTerms', ...strict, description: 'Decision by a person that a job waits for before it runs' },
);
export type ApprovalTerms = Static<typeof ApprovalTerms>;

const Dollars = (description: string) => Type.Number({ minimum: 0.000001, maximum: 1_000_000, description });

/** Money that one job may cost. */
export const BudgetTerms = Type.Object(
  {
    job_usd: Dollars(
      'Dollars that are reserved for one job before it runs, and settled by what it reports: no effect is begun once those before have cost it',
    ),
    month_usd: Type.Optional(
      Dollars('Most that all jobs of this queue may cost its owner in a month (UTC), in dollars; no bound without it'),
    ),
  },
  { title: 'BudgetTerms', ...strict, description: 'Money that is reserved before a job runs' },
);
export type BudgetTerms = Static<typeof BudgetTerms>;

/** Joins two decisions into one that asks for all that either asks for; null where neither is there. */
export function joinApproval(one: ApprovalTerms | null, other: ApprovalTerms | null): ApprovalTerms | null {
  if (!one || !other) return one ?? other;
  const seconds = [one.decide_within_s, other.decide_within_s].filter((each) => each !== undefined);
  return {
    why: one.why === other.why ? one.why : `${one.why} ${other.why}`,
    areas: [...new Set([...(one.areas ?? []), ...(other.areas ?? [])])],
    ...(seconds.length > 0 && { decide_within_s: Math.min(...seconds) }),
  };
}

/** Joins two budgets into the smaller of each bound; null where neither is there. */
export function joinBudget(one: BudgetTerms | null, other: BudgetTerms | null): BudgetTerms | null {
  if (!one || !other) return one ?? other;
  const months = [one.month_usd, other.month_usd].filter((each) => each !== undefined);
  return {
    job_usd: Math.min(one.job_usd, other.job_usd),
    ...(months.length > 0 && { month_usd: Math.min(...months) }),
  };
}

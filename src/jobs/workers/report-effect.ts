import { decideEffect, type EffectOwner, intendEffect } from '#src/jobs/effects/intents.ts';
import { microUsd } from '#src/lib/money.ts';
import { shown } from '#src/lib/validation/describe-validation.ts';
import type { Context } from '#src/system/context.ts';
import type { ReportAnswer, ReportOf } from './report-body.ts';
import type { Reported } from './reported.ts';

type EffectReport = ReportOf<'effect_intended' | 'effect_done' | 'effect_failed' | 'effect_unknown'>;

/**
 * Keeps what a worker elsewhere means to do outside, or what came of it. An outcome counts whatever the fence says by
 * now: what happened outside has happened.
 *
 * @throws AppError `stale_claim`, `state_conflict` where the effect was meant with another request
 */
export async function reportEffect(
  context: Context,
  { claimed: { id, attempt }, token }: Reported,
  report: EffectReport,
): Promise<ReportAnswer> {
  const owner: EffectOwner = { id, attempt, token };
  const { name } = report;
  if (report.type === 'effect_intended') {
    const intent = await intendEffect(context, owner, name, report.request);
    const { state, key } = intent;
    if (intent.state !== 'done') return { status: 'accepted', effect: { state, key } };
    const { outcome, externalId } = intent;
    return { status: 'accepted', effect: { state, key, outcome, external_id: externalId } };
  }
  const sent = (externalId: string | null, outcome: unknown) => ({ externalId, outcome });
  if (report.type === 'effect_done') {
    const { cost_usd: cost } = report;
    if (!isCost(cost)) return wrongCost(cost);
    await decideEffect(context, owner, name, 'done', {
      ...sent(report.external_id ?? null, report.outcome),
      cost: cost === undefined ? undefined : microUsd(cost),
    });
  } else if (report.type === 'effect_failed')
    await decideEffect(
      context,
      owner,
      name,
      'failed',
      sent(null, { code: 'provider_refused', message: report.message }),
    );
  else await decideEffect(context, owner, name, 'unknown', sent(null, null));
  return { status: 'accepted' };
}

/** Dollars that one effect may have cost at most. */
const MOST_USD = 1_000_000;

function isCost(cost: unknown): cost is number | undefined {
  return cost === undefined || (typeof cost === 'number' && cost >= 0 && cost <= MOST_USD);
}

function wrongCost(cost: unknown): ReportAnswer {
  const message = `cost_usd: expected a number of dollars from 0 to ${MOST_USD}, got ${shown(cost)}.`;
  return { status: 'refused', code: 'invalid_request', message, path: '/cost_usd' };
}

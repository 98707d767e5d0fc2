import { decideEffect, type EffectOwner, effectKey, intendEffect, type Sent } from '#src/jobs/effects/intents.ts';
import { microUsd } from '#src/lib/money.ts';
import { shown } from '#src/lib/validation/describe-validation.ts';
import type { Context } from '#src/system/context.ts';
import type { ReportAnswer, ReportOf } from './report-body.ts';
import type { Reported } from './reported.ts';

type EffectReport = ReportOf<'effect_intended' | 'effect_done' | 'effect_failed' | 'effect_unknown'>;

/**
 * Keeps what a worker elsewhere means to do outside, or what came of it. An outcome counts whatever the fence says by
 * now: what happened outside has happened. Where another outcome was kept first, that one stands, and is the answer.
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
  if (report.type === 'effect_done' && !isCost(report.cost_usd)) return wrongCost(report.cost_usd);
  const sent = sentOf(report);
  const standing = await decideEffect(context, owner, name, stateOf[report.type], sent);
  if (standing === sent) return { status: 'accepted' };
  const { outcome, externalId } = standing;
  const effect = { state: 'done', key: effectKey(owner, name), outcome, external_id: externalId } as const;
  return { status: 'accepted', effect };
}

type Decision = Exclude<EffectReport, { type: 'effect_intended' }>;

const stateOf = { effect_done: 'done', effect_failed: 'failed', effect_unknown: 'unknown' } as const;

function sentOf(report: Decision): Sent {
  if (report.type === 'effect_unknown') return { externalId: null, outcome: null };
  if (report.type === 'effect_failed')
    return { externalId: null, outcome: { code: 'provider_refused', message: report.message } };
  const { outcome, external_id: externalId = null, cost_usd: cost } = report;
  return { externalId, outcome, cost: typeof cost === 'number' ? microUsd(cost) : undefined };
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

import { decideEffect, effectKey, intendEffect } from '#src/jobs/effects/effect-ledger.ts';
import type { Context } from '#src/system/context.ts';
import type { Reported } from './report.ts';
import type { ReportAnswer, ReportOf } from './report-body.ts';

type EffectReport = ReportOf<'effect_intended' | 'effect_done' | 'effect_failed' | 'effect_unknown'>;

/** Keeps what a worker elsewhere means to do outside, or what came of it. @throws AppError `stale_claim`, `state_conflict` */
export async function reportEffect(
  context: Context,
  { claimed }: Reported,
  report: EffectReport,
): Promise<ReportAnswer> {
  throw new Error('not yet');
}

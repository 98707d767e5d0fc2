import { answer, ask, backfill, fit, stress, study, take, tick } from '#queues/analytics.ts';
import { act } from '#queues/jobs.ts';
import { anchor, missionExecute } from '#queues/missions.ts';
import { batch, deliver, notify, respond } from '#queues/platform.ts';
import { generate } from '#queues/providers.ts';
import { publish, render } from '#queues/studio.ts';
import { type Handler, handler } from '#workers/run/processor.ts';
import { answerStepProcessor } from './analytics/answer-step.ts';
import { askModelProcessor } from './analytics/ask-model.ts';
import { backfillDayProcessor } from './analytics/backfill-day.ts';
import { fitChainProcessor } from './analytics/fit-chain.ts';
import { stressPortfolioProcessor } from './analytics/stress-portfolio.ts';
import { studyHistoryProcessor } from './analytics/study-history.ts';
import { takeChainProcessor } from './analytics/take-chain.ts';
import { tickMarketProcessor } from './analytics/tick-market.ts';
import { anchorBatchProcessor } from './missions/anchor-batch.ts';
import { runStepProcessor } from './missions/run-step.ts';
import { actProcessor } from './platform/act-on-jobs.ts';
import { deliverProcessor } from './platform/deliver.ts';
import { notifyProcessor } from './platform/notify.ts';
import { respondProcessor } from './platform/respond.ts';
import { runBatchProcessor } from './platform/run-batch.ts';
import { generateWith } from './providers/generate.ts';
import { parts } from './providers/parts.ts';
import { publishPackagesProcessor } from './studio/publish-packages.ts';
import { renderPlanProcessor } from './studio/render-plan.ts';

/** Every queue that this release can run, with its processor. */
export const handlers: readonly Handler[] = [
  handler(fit, fitChainProcessor),
  handler(ask, askModelProcessor),
  handler(stress, stressPortfolioProcessor),
  handler(study, studyHistoryProcessor),
  handler(take, takeChainProcessor),
  handler(tick, tickMarketProcessor),
  handler(backfill, backfillDayProcessor),
  handler(answer, answerStepProcessor),
  handler(missionExecute, runStepProcessor),
  handler(anchor, anchorBatchProcessor),
  handler(generate, generateWith(parts)),
  handler(batch, runBatchProcessor),
  handler(respond, respondProcessor),
  handler(render, renderPlanProcessor),
  handler(publish, publishPackagesProcessor),
  handler(notify, notifyProcessor),
  handler(act, actProcessor),
  handler(deliver, deliverProcessor),
];

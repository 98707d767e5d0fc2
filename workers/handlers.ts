import { answer, ask, backfill, fit, stress, study, take, tick } from '#queues/analytics.ts';
import { act } from '#queues/jobs.ts';
import { anchor, missionExecute } from '#queues/missions.ts';
import { batch, deliver, notify, respond } from '#queues/platform.ts';
import { generate } from '#queues/providers.ts';
import { publish, render } from '#queues/studio.ts';
import { type Handler, handler } from '#workers/run/processor.ts';

/** Every queue that this release can run, with its processor, whose code is loaded when the first job of it comes. */
export const handlers: readonly Handler[] = [
  handler(fit, async (run) => await (await import('./analytics/fit-chain.ts')).fitChainProcessor(run)),
  handler(ask, async (run) => await (await import('./analytics/ask-model.ts')).askModelProcessor(run)),
  handler(stress, async (run) => await (await import('./analytics/stress-portfolio.ts')).stressPortfolioProcessor(run)),
  handler(study, async (run) => await (await import('./analytics/study-history.ts')).studyHistoryProcessor(run)),
  handler(take, async (run) => await (await import('./analytics/take-chain.ts')).takeChainProcessor(run)),
  handler(tick, async (run) => await (await import('./analytics/tick-market.ts')).tickMarketProcessor(run)),
  handler(backfill, async (run) => await (await import('./analytics/backfill-day.ts')).backfillDayProcessor(run)),
  handler(answer, async (run) => await (await import('./analytics/answer-step.ts')).answerStepProcessor(run)),
  handler(missionExecute, async (run) => await (await import('./missions/run-step.ts')).runStepProcessor(run)),
  handler(anchor, async (run) => await (await import('./missions/anchor-batch.ts')).anchorBatchProcessor(run)),
  handler(generate, async (run) => {
    const [{ generateWith }, { parts }] = await Promise.all([
      import('./providers/generate.ts'),
      import('./providers/parts.ts'),
    ]);
    return await generateWith(parts)(run);
  }),
  handler(batch, async (run) => await (await import('./platform/run-batch.ts')).runBatchProcessor(run)),
  handler(respond, async (run) => await (await import('./platform/respond.ts')).respondProcessor(run)),
  handler(render, async (run) => await (await import('./studio/render-plan.ts')).renderPlanProcessor(run)),
  handler(publish, async (run) => await (await import('./studio/publish-packages.ts')).publishPackagesProcessor(run)),
  handler(notify, async (run) => await (await import('./platform/notify.ts')).notifyProcessor(run)),
  handler(act, async (run) => await (await import('./platform/act-on-jobs.ts')).actProcessor(run)),
  handler(deliver, async (run) => await (await import('./platform/deliver.ts')).deliverProcessor(run)),
];

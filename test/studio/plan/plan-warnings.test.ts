import { expect, test } from 'vitest';
import { readFormats } from '#src/studio/domain/formats.ts';
import type { BriefBody, PlanStep } from '#src/studio/model/bodies.ts';
import { planWarnings } from '#src/studio/plan/plan-warnings.ts';

const legs = ([provider, estimatedCostUsd]: readonly [string, number]) => ({
  provider,
  model: 'm',
  estimatedCostUsd,
  estimatedLatencyMs: 1,
  score: 1,
  scores: { quality: 1, latency: 1, cost: 1, health: 1 },
});

const vendor = ['studio-one', 0.5] as const;
const here = ['local-animatic', 0] as const;

/** The warnings of a film that these may make, in their order. */
async function warningsOf(budgetUsd: number | null, ...route: readonly (readonly [string, number])[]) {
  const [primary, ...backups] = route.map(legs);
  const brief: Pick<BriefBody, 'mode' | 'prompt' | 'title'> = { mode: 'publish', prompt: 'A 𓀀 wakes', title: null };
  const step: PlanStep = {
    step: 'video-16x9',
    capability: 'video.generate',
    after: [],
    request: { prompt: brief.prompt, aspect: '16:9', resolution: 720, seconds: 6 },
    primary: primary ?? legs(here),
    backups,
  };
  return await planWarnings({ brief, formats: readFormats([], []), steps: [step], budgetUsd });
}

const box = /^No font here can draw 𓀀/;
const standIn = /^Where local-animatic has to stand in for another provider: No font here can draw 𓀀/;

test('what this machine cannot draw is said of whichever provider makes the film, first choice or backup', async () => {
  expect(await warningsOf(null, vendor)).toEqual([]);
  expect(await warningsOf(null, here)).toEqual([expect.stringMatching(box)]);
  expect(await warningsOf(null, here, vendor)).toEqual([expect.stringMatching(box)]);
  expect(await warningsOf(null, vendor, here)).toEqual([expect.stringMatching(standIn)]);
});

test('under a budget that only a backup meets, what is said is of the backup, which makes it', async () => {
  expect(await warningsOf(0.1, vendor, here)).toEqual([expect.stringMatching(box)]);
  expect(await warningsOf(0.5, vendor, here)).toEqual([expect.stringMatching(standIn)]);
});

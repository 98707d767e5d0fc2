import { expect, test } from 'vitest';
import { backfillInstant, endedSessions } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { analyzeChain } from '#src/analytics/domain/figures/analyze-chain.ts';
import { randomBits, streamKey } from '#src/analytics/domain/synthetic/counter-random.ts';
import { openSyntheticMarket } from '#src/analytics/domain/synthetic/market.ts';
import { moodOn } from '#src/analytics/domain/synthetic/mood.ts';

test('within four months dealers are long and short, so that every rule of a backtest trades', {
  timeout: 120_000,
}, () => {
  // the seed of the settings
  const market = openSyntheticMarket({ seed: 1, symbol: 'SPX', contracts: 400 });
  const days = endedSessions(Date.parse('2026-11-21T00:00:00Z'), 96);
  const ratios = days.map(
    (day) => analyzeChain(market.chainAt(backfillInstant(day)), { advUsd: 4e11 }).regime.ngr ?? 0,
  );
  expect(ratios.filter((ratio) => ratio < -0.1).length).toBeGreaterThan(10);
  expect(ratios.filter((ratio) => ratio > 0.35).length).toBeGreaterThan(5);
});

test('the mood is about standard normal, moves by little a day, and knows nothing of later days', () => {
  const keyOf = (day: number) => streamKey('mood', day);
  const moods = Array.from({ length: 4000 }, (_, i) => moodOn(keyOf, 200 + i));
  const mean = moods.reduce((sum, mood) => sum + mood, 0) / moods.length;
  const variance = moods.reduce((sum, mood) => sum + (mood - mean) ** 2, 0) / moods.length;
  expect(Math.abs(mean)).toBeLessThan(0.4);
  expect(variance > 0.6 && variance < 1.2).toBe(true);
  expect(Math.max(...moods.slice(1).map((mood, i) => Math.abs(mood - moods[i]!)))).toBeLessThan(0.6);
  const forked = (day: number) => (day > 1000 ? randomBits(day, 1, 1) : keyOf(day));
  for (const day of [0, 3, 999, 1000]) expect(moodOn(forked, day)).toBe(moodOn(keyOf, day));
  expect(moodOn(forked, 1010)).not.toBe(moodOn(keyOf, 1010));
});

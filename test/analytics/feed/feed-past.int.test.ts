import { expect, test } from 'vitest';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { analyzeChain } from '#src/analytics/domain/figures/analyze-chain.ts';
import { snapshotFigures } from '#src/analytics/domain/figures/snapshot-figures.ts';
import { feedPast, sessionSpots } from '#src/analytics/feed/feed-past.ts';
import { storeSnapshot } from '#src/analytics/history/history-store.ts';
import { csv } from '#test/analytics/chain-text.ts';
import { ofFirst } from '#test/analytics/snapshots.ts';
import { quietSystem } from '#test/helpers/quiet.ts';

const analytics = analyzeChain(cleanChain(readChain(csv, 'SPX')), { advUsd: 1e9 });

test('the past of a feed: closes without a gap, shares and opening of the same kind of market alone, nothing of today', async () => {
  await using system = await quietSystem();
  const { context } = system;
  const keep = async (time: string, spot: number, share: number | null, synthetic = false) =>
    await storeSnapshot(context, {
      symbol: 'SPX',
      asOf: new Date(time),
      knowledgeTime: new Date(time),
      spot,
      figures: {
        ...snapshotFigures(analytics, 'test', {
          rawShares: { ...ofFirst(share), '2': share && 10 * share },
          skew30d: -0.3,
        }),
        synthetic,
        levels: { ...analytics.levels, atm_volatility: spot / 1000 },
      },
    });
  await keep('2026-11-13T20:55:00Z', 98, 0.01);
  // Monday's feed ended at noon: that is no close
  await keep('2026-11-16T17:00:00Z', 99, 0.1);
  await keep('2026-11-17T15:00:00Z', 1, 0.9);
  await keep('2026-11-17T20:40:00Z', 100, 0.2);
  await keep('2026-11-18T20:55:00Z', 101, null);
  await keep('2026-11-19T20:31:00Z', 102, 0.4);
  await keep('2026-11-19T20:59:00Z', 900, 0.5, true);
  await keep('2026-11-20T14:40:00Z', 950, 0.6, true);
  await keep('2026-11-20T14:45:00Z', 103, 0.7);
  await keep('2026-11-20T14:50:00Z', 104, 0.8);
  const real = { symbol: 'SPX', at: Date.parse('2026-11-20T18:00:00Z'), synthetic: false };
  const past = await feedPast(context, real);
  // each generation has its own
  const shares = { '1': [0.01, 0.1, 0.2], '2': [0.1, 1, 2], '3': [], ensemble: [] };
  // the 19th's last snapshot is generated: the day is of no use to either kind's closes in a row
  // over the weekend too; volatility stood at a thousandth of spot
  const moves = [98, 99, 100].map((spot) => ({
    skew: -0.3,
    volatilityChange: expect.closeTo(0.001, 9) as number,
    logReturn: Math.log((spot + 1) / spot),
  }));
  expect(past).toEqual({ rawShares: shares, moves, closes: [] });
  expect(await feedPast(context, { ...real, at: Date.parse('2026-11-19T18:00:00Z') })).toEqual({
    rawShares: shares,
    moves,
    closes: [100, 101],
  });
  expect(await sessionSpots(context, real)).toEqual([103, 104]);
  expect(await sessionSpots(context, { ...real, synthetic: true })).toEqual([950]);
  // not known yet, and of a session that has no snapshot near its opening
  expect(await sessionSpots(context, { ...real, at: Date.parse('2026-11-20T14:44:00Z') })).toEqual([]);
  expect(await sessionSpots(context, { ...real, at: Date.parse('2026-11-19T20:59:00Z') })).toEqual([]);
});

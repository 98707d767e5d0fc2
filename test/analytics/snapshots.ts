import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { analyzeChain } from '#src/analytics/domain/figures/analyze-chain.ts';
import { type Remembered, snapshotFigures } from '#src/analytics/domain/figures/snapshot-figures.ts';
import type { SnapshotFigures } from '#src/analytics/domain/figures/snapshot-schema.ts';
import { storeSnapshot } from '#src/analytics/history/history-store.ts';
import type { Context } from '#src/system/context.ts';
import { csvOf } from './market.ts';

/** A stabilising share of generation 1 alone. */
export function ofFirst(share: number | null): SnapshotFigures['dsi_raw_shares'] {
  return { '1': share, '2': null, '3': null, ensemble: null };
}

/** A snapshot's memory of such a share. */
export function withShare(share: number | null): Remembered {
  return { rawShares: ofFirst(share), skew30d: null };
}

/** A snapshot of SPX at each instant; the n-th one’s stabilising share is n hundredths. */
export async function remember(context: Context, instants: readonly string[]): Promise<void> {
  const analytics = analyzeChain(cleanChain(readChain(csvOf('SPX'), 'SPX')), { advUsd: 1e9 });
  for (const [index, instant] of instants.entries()) {
    const when = new Date(instant);
    const figures = snapshotFigures(analytics, 'test', withShare(index / 100));
    await storeSnapshot(context, { symbol: 'SPX', asOf: when, knowledgeTime: when, spot: 100 + index, figures });
  }
}

/** A close a day of both symbols; QQQ moves twice as much as SPX, in the same direction. */
export async function closes(context: Context, days: number, level = 100, synthetic = true): Promise<void> {
  const figures = {
    source: 'test',
    synthetic,
    model_version: 'test',
    net_gex: 0,
    gex_abs: 0,
    dex: 0,
    vex: 0,
    cex: 0,
    regime: { state: null, ngr: null, gir: null, sigma_d_pct: null, confidence: null, reason: 'no_gamma' },
    levels: {
      call_wall: null,
      put_wall: null,
      abs_gamma: null,
      hvl: null,
      hvl_cumulative_gex: null,
      atm_volatility: null,
      expected_move_1d: null,
    },
    dsi_raw_shares: ofFirst(null),
    skew_30d: null,
    flips: { status: 'ok', primary: null, levels: [] },
  } satisfies SnapshotFigures;
  let log = 0;
  for (let day = 0; day < days; day++) {
    const asOf = new Date(Date.now() - (days - day) * 86_400_000 - (synthetic ? 60 * 86_400_000 : 0));
    log += 0.01 * Math.sin(day * day);
    for (const [symbol, times] of [
      ['SPX', 1],
      ['QQQ', 2],
    ] as const)
      await storeSnapshot(context, { symbol, asOf, knowledgeTime: asOf, spot: level * Math.exp(times * log), figures });
  }
}

import { isSynthetic } from '#src/analytics/domain/chain/chain.ts';
import type { ByGeneration } from '#src/analytics/domain/positions/dealer-positions.ts';
import type { ChainAnalytics } from './analytics-schema.ts';
import type { SnapshotFigures } from './snapshot-schema.ts';

/** Figures beside the analytics that later sessions are compared with. */
export interface Remembered {
  /** Stabilising shares; null where there is none. */
  readonly rawShares: ByGeneration<number | null>;
  /** Skew of a month, decimal volatility per unit of log-moneyness; null where no smile determines it. */
  readonly skew30d: number | null;
}

/** Selects the figures of a chain's analytics that the history stores. */
export function snapshotFigures(
  analytics: ChainAnalytics,
  modelVersion: string,
  { rawShares, skew30d }: Remembered,
): SnapshotFigures {
  const { source, exposures, regime, levels, flips } = analytics;
  const { net_gex, gex_abs, dex, vex, cex } = exposures;
  return {
    source,
    synthetic: isSynthetic(analytics),
    model_version: modelVersion,
    net_gex,
    gex_abs,
    dex,
    vex,
    cex,
    regime,
    levels,
    dsi_raw_shares: rawShares,
    skew_30d: skew30d,
    flips: {
      status: flips.status,
      primary: flips.primary?.level ?? null,
      levels: flips.flips.map(({ level }) => level),
    },
  };
}

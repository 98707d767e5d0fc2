import type { ChainAnalytics } from './analytics-schema.ts';
import type { ByGeneration } from './generation-names.ts';
import { isSynthetic } from './is-synthetic.ts';
import type { SnapshotFigures } from './snapshot-schema.ts';

/** What the history keeps of a chain's analytics. */
export function snapshotFigures(
  analytics: ChainAnalytics,
  modelVersion: string,
  rawShares: ByGeneration<number | null>,
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
    flips: {
      status: flips.status,
      primary: flips.primary?.level ?? null,
      levels: flips.flips.map(({ level }) => level),
    },
  };
}

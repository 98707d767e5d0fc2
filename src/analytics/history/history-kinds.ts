import Type, { type TObject, type TProperties } from 'typebox';
import type { Status } from '#src/analytics/answers/envelope.ts';
import { CHAIN_ANALYTICS } from '#src/analytics/domain/figures/analytics-schema.ts';
import { SNAPSHOT_FIGURES } from '#src/analytics/domain/figures/snapshot-schema.ts';
import { dsiOf } from '#src/analytics/domain/regime/dsi.ts';
import { maybe } from '#src/analytics/domain/schema-parts.ts';
import type { Cell } from './csv.ts';
import type { Snapshot } from './history-store.ts';

/** One history that is a list of the values at each instant. */
export interface HistoryKind {
  readonly title: string;
  readonly row: TObject;
  /** Returns what is missing in a row of it; null where nothing is. */
  readonly missing: (snapshot: Snapshot) => Status | null;
  readonly read: (snapshot: Snapshot) => Readonly<Record<string, Cell>>;
}

const { regime, levels, flips, dsi_raw_shares } = SNAPSHOT_FIGURES.properties;

const common = {
  as_of: Type.String({ description: 'Instant of the row, ISO 8601' }),
  knowledge_time: Type.String({ description: 'Instant at which it could first be known, ISO 8601' }),
  spot: CHAIN_ANALYTICS.properties.spot,
};

const rowOf = <P extends TProperties>(properties: P) =>
  Type.Object({ ...common, ...properties }, { additionalProperties: false });

const when = ({ asOf, knowledgeTime, spot }: Snapshot) => ({
  as_of: asOf.toISOString(),
  knowledge_time: knowledgeTime.toISOString(),
  spot,
});

/** No flip in range is an answer; one of a damaged chain is none. */
const ofFlips = ({ figures }: Snapshot) => (figures.flips.status === 'degraded_chain' ? 'degraded_chain' : null);

export const historyKinds: Readonly<Record<string, HistoryKind>> = {
  regime: {
    title: 'Regime of a symbol through time',
    row: rowOf(regime.properties),
    missing: ({ figures }) => (figures.regime.state === null ? 'no_gamma' : null),
    read: (snapshot) => ({ ...when(snapshot), ...snapshot.figures.regime }),
  },
  dsi: {
    title: 'Dealer Stability Index of a symbol through time',
    row: rowOf({
      dsi: maybe('Dealer Stability Index, 0 to 100; null where it was not computed'),
      raw_share: dsi_raw_shares.properties['1'],
    }),
    missing: ({ figures }) => (figures.dsi_raw_shares['1'] === null ? 'no_figure' : null),
    read: (snapshot) => {
      const share = snapshot.figures.dsi_raw_shares['1'];
      return { ...when(snapshot), dsi: share === null ? null : dsiOf(share), raw_share: share };
    },
  },
  levels: {
    title: 'Walls and other levels of a symbol through time',
    row: rowOf({ flip: flips.properties.primary, ...levels.properties }),
    missing: ofFlips,
    read: (snapshot) => ({
      ...when(snapshot),
      flip: snapshot.figures.flips.primary,
      ...snapshot.figures.levels,
    }),
  },
  flips: {
    title: 'Gamma flips of a symbol through time',
    row: rowOf({
      status: flips.properties.status,
      flip: flips.properties.primary,
      flips: flips.properties.levels,
      net_gex: SNAPSHOT_FIGURES.properties.net_gex,
    }),
    missing: ofFlips,
    read: (snapshot) => ({
      ...when(snapshot),
      status: snapshot.figures.flips.status,
      flip: snapshot.figures.flips.primary,
      flips: snapshot.figures.flips.levels,
      net_gex: snapshot.figures.net_gex,
    }),
  },
};

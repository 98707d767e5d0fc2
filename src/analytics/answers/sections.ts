import type { TSchema } from 'typebox';
import { DARK_POOL } from '#src/analytics/domain/darkpool/dark-pool-schema.ts';
import { CHARM_SCHEDULE } from '#src/analytics/domain/hedging/charm-schedule-schema.ts';
import { CHARM } from '#src/analytics/domain/hedging/charm-schema.ts';
import { FLOW_FORECAST } from '#src/analytics/domain/hedging/flow-forecast-schema.ts';
import { HEDGING_BANDS } from '#src/analytics/domain/hedging/hedging-bands-schema.ts';
import { VCM } from '#src/analytics/domain/hedging/vcm-schema.ts';
import { POSITIONING } from '#src/analytics/domain/positions/positioning-schema.ts';
import { DSI } from '#src/analytics/domain/regime/dsi-schema.ts';
import { GTBR } from '#src/analytics/domain/regime/gtbr-schema.ts';
import { SHADOW_GAMMA } from '#src/analytics/domain/regime/shadow-gamma-schema.ts';
import { SIGNALS } from '#src/analytics/domain/signals/signals-schema.ts';
import { SURFACE } from '#src/analytics/domain/surface/surface-schema.ts';
import { ExposureData, GexData, LevelsData, RegimeData } from './schemas.ts';

/** One route of a symbol: what it answers, and under which path. */
export interface Section {
  /** Before the symbol, after `/v1/`; the symbol may be in the query instead. */
  readonly path: string;
  /** After the symbol. */
  readonly suffix?: string;
  readonly title: string;
  readonly data: TSchema;
  /** Reason why no other generation than 1 can be requested; each has an answer of its own without. */
  readonly oneGeneration?: string;
}

/** Every answer that is computed with a symbol's state, by its name. */
export const sections = {
  gex: { path: 'gex', title: 'Gamma exposure of a symbol', data: GexData },
  vex: { path: 'vex', title: 'Vanna exposure of a symbol, by strike and by expiry', data: ExposureData },
  cex: { path: 'cex', title: 'Charm exposure of a symbol, by strike and by expiry', data: ExposureData },
  dsi: { path: 'dsi', title: 'Dealer Stability Index of a symbol', data: DSI },
  regime: { path: 'regime', title: 'Regime of a symbol: whether its dealers damp or amplify moves', data: RegimeData },
  levels: { path: 'levels', title: 'Walls, flips and other levels of a symbol', data: LevelsData },
  charm: { path: 'charm', title: 'What the passing of time alone makes dealers trade', data: CHARM },
  charm_schedule: {
    path: 'charm',
    suffix: 'schedule',
    title: 'Charm flow of the session, window by window, with its activation',
    data: CHARM_SCHEDULE,
  },
  surface: {
    path: 'surface',
    title: 'Arbitrage-free volatility surface of a symbol',
    data: SURFACE,
    oneGeneration: 'the volatility surface is fitted to quotes, whatever dealers hold',
  },
  flow_forecast: { path: 'flow-forecast', title: 'What dealers will trade if spot moves', data: FLOW_FORECAST },
  vcm: { path: 'vcm', title: 'Vanna-charm meta-signal of a symbol', data: VCM },
  positioning: {
    path: 'positioning',
    title: 'What customers have bought and sold, strike by strike',
    data: POSITIONING,
  },
  hedging_bands: {
    path: 'hedging-bands',
    title: 'Band of spot in which dealers rest, and zones beyond it',
    data: HEDGING_BANDS,
  },
  gtbr: { path: 'gtbr', title: 'Gamma-theta burn ratio and break-even range', data: GTBR },
  darkpool: {
    path: 'darkpool',
    title: 'Off-exchange volume of a symbol, and whether it confirms its gamma levels',
    data: DARK_POOL,
  },
  signals: {
    path: 'signals',
    title: 'Signals of a symbol, in force and recent',
    data: SIGNALS,
    oneGeneration: 'signals follow the figures of generation 1 from tick to tick',
  },
  shadow_gamma: { path: 'shadow-gamma', title: 'Gamma with the volatility that moves with spot', data: SHADOW_GAMMA },
} as const satisfies Record<string, Section>;

export type SectionName = keyof typeof sections;

/** The name under which an answer is stored. */
export function answerField(section: string, generation: string): string {
  return `${section}:${generation}`;
}

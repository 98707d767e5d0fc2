import { analyticsUnits, envelope, type Status, type Used } from '#src/analytics/answers/envelope.ts';
import { gexFields } from '#src/analytics/answers/schemas.ts';
import { answerField, type SectionName } from '#src/analytics/answers/sections.ts';
import { statusOf, usedIn } from '#src/analytics/answers/snapshot-data.ts';
import type { DarkPool } from '#src/analytics/domain/darkpool/dark-pool-schema.ts';
import type { ChainAnalytics } from '#src/analytics/domain/figures/analytics-schema.ts';
import type { GenerationFigures, MarketFigures } from '#src/analytics/domain/figures/market-figures.ts';
import { type Generation, generationNames, generationOf } from '#src/analytics/domain/positions/dealer-positions.ts';
import type { StoredSignals } from '#src/analytics/domain/signals/signals-schema.ts';
import { surfaceAnswer } from '#src/analytics/domain/surface/surface-answer.ts';
import { defaultGrid } from '#src/analytics/domain/surface/surface-grid.ts';
import { storedSurface, surfaceField } from './surface-view.ts';

type Feed = 'configured' | 'own';

/** Collects the data of the sections of one generation. A status of its own says more than that of the chain. */
function sectionData(
  figures: GenerationFigures,
  feed: Feed,
): Record<Exclude<SectionName, 'surface' | 'signals'>, object> {
  const { analytics, estimates, bucket_flips, vex, cex, levels, flip_interval, ...metrics } = figures;
  const { spot, exposures, regime } = analytics;
  const { flips } = bucket_flips.all;
  const { net_gex, gex_abs } = exposures;
  return {
    gex: {
      feed,
      net_gex,
      gex_abs,
      estimate: estimates.gex,
      ...Object.fromEntries(gexFields.map((field) => [field, analytics[field]])),
      flips,
      flips_by_bucket: bucket_flips,
      dex_estimate: estimates.dex,
      gex_by_strike: estimates.gex_by_strike,
      gex_by_expiry: estimates.gex_by_expiry,
    },
    regime: {
      spot,
      net_gex,
      gex_abs,
      flip: analytics.flips.primary?.level ?? null,
      estimate: estimates.gex,
      ...regime,
    },
    levels: { spot, ...levels, flips, flip_interval },
    vex: { spot, estimate: estimates.vex, ...vex },
    cex: { spot, estimate: estimates.cex, ...cex },
    ...metrics,
  };
}

/** Every answer that follows from a symbol's figures, as JSON text under the name it is kept by. */
export function sectionAnswers({ surface, tapeAsOf, generations }: MarketFigures, feed: Feed): Map<string, string> {
  const answers = new Map<string, string>();
  const first = generations['1'];
  if (!first) return answers;
  const used = usedIn(first.analytics);
  const surfaceData = surface.surface && surfaceAnswer(surface.surface, defaultGrid);
  const stored = surface.surface && surfaceData && storedSurface(surface.surface, surfaceData);
  answers.set(surfaceField, textOf(used, surface.status, stored, 1));
  for (const name of generationNames) {
    const figures = generations[name];
    const generation = generationOf(name);
    const tape = tapeAsOf !== null && { trade_tape: tapeAsOf };
    const feedsOf = (section: SectionName) => ({
      ...(section !== 'surface' && name !== '1' && tape),
      ...(section === 'darkpool' && darkFeeds((figures ?? first).darkpool)),
    });
    const keep = (section: SectionName, status: Status, data: object | null) =>
      answers.set(answerField(section, name), textOf(fedBy(used, feedsOf(section)), status, data, generation));
    keep('surface', surface.status, surfaceData);
    // a single chain has no signals: they are made of what changes
    keep('signals', 'no_history', null);
    const data = sectionData(figures ?? first, feed);
    for (const section of Object.keys(data) as (keyof typeof data)[])
      if (figures) keep(section, ownStatus(data[section]) ?? statusOf(figures.analytics), data[section]);
      else keep(section, 'no_trade_tape', null);
  }
  return answers;
}

/**
 * The answers of the section `signals`. They are made of generation 1, whichever is requested, and say so. They are as
 * good as the chain that they were last made of.
 */
export function signalAnswers(
  analytics: ChainAnalytics,
  { current, recent }: Pick<StoredSignals, 'current' | 'recent'>,
): Map<string, string> {
  const text = textOf(usedIn(analytics), statusOf(analytics), { status: 'ok', current, recent }, 1);
  return new Map(generationNames.map((name) => [answerField('signals', name), text]));
}

/** The chains used, and what else was. */
function fedBy(used: readonly Used[], feeds: Readonly<Record<string, string>>): Used[] {
  return used.map((one) => ({ ...one, feeds: { chain: one.asOf, ...feeds } }));
}

function darkFeeds({ dpi_date, last_print }: DarkPool) {
  return { ...(dpi_date !== null && { short_volume: dpi_date }), ...(last_print !== null && { prints: last_print }) };
}

function textOf(used: readonly Used[], status: Status, data: object | null, generation: Generation): string {
  return JSON.stringify(envelope(used, analyticsUnits, status, data, generation));
}

/** Returns what is missing in a section; null where nothing is, so that it is as good as its chain. */
function ownStatus(data: { readonly status?: Status } | object): Status | null {
  return 'status' in data && data.status && data.status !== 'ok' ? data.status : null;
}

import type { ChainAnalytics } from './domain/analytics-schema.ts';
import { envelope } from './envelope.ts';
import { answerField, type SectionName } from './sections.ts';
import { gexData, levelsData, regimeData, statusOf, usedIn } from './snapshot-data.ts';
import { analyticsUnits } from './units.ts';

/** Every answer that follows from a chain's analytics, as JSON text under the name it is kept by. */
export function sectionAnswers(analytics: ChainAnalytics, feed: 'configured' | 'own'): Map<string, string> {
  const data: Record<SectionName, object> = {
    gex: gexData(analytics, feed),
    regime: regimeData(analytics),
    levels: levelsData(analytics),
  };
  const status = statusOf(analytics);
  return new Map(
    Object.entries(data).map(([section, value]) => [
      answerField(section, '1'),
      JSON.stringify(envelope(usedIn(analytics), analyticsUnits, status, value)),
    ]),
  );
}

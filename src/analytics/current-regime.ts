import type { Static } from 'typebox';
import type { Caller } from '#src/http/job-result.ts';
import type { MarketSymbol } from './domain/symbols.ts';
import type { Freshness } from './envelope.ts';
import type { RegimeData } from './schemas.ts';
import { answerField } from './sections.ts';
import { waitForAnswer } from './wait-for-answer.ts';

/** The answer about a symbol's regime, parsed. */
export interface CurrentRegime extends Freshness {
  readonly symbol: string;
  readonly as_of: string;
  readonly synthetic: boolean;
  readonly data: Static<typeof RegimeData>;
}

/** Where a symbol stands for its caller: by the own newest chain, else by the feed. @throws as `waitForAnswer`. */
export async function currentRegime(caller: Caller, symbol: MarketSymbol): Promise<CurrentRegime> {
  return JSON.parse(await waitForAnswer(caller, symbol, answerField('regime', '1'))) as CurrentRegime;
}

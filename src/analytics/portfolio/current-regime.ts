import type { Static } from 'typebox';
import type { Caller } from '#src/access/job-result.ts';
import type { Freshness } from '#src/analytics/answers/envelope.ts';
import type { RegimeData } from '#src/analytics/answers/schemas.ts';
import { answerField } from '#src/analytics/answers/sections.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { waitForAnswer } from '#src/analytics/sections/wait-for-answer.ts';

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

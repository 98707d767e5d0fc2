import type { Static } from 'typebox';
import type { Context } from '#src/system/context.ts';
import { newestAnswer } from './chain-store.ts';
import type { MarketSymbol } from './domain/symbols.ts';
import { marketName, readAnswer } from './live-tell.ts';
import type { RegimeData } from './schemas.ts';
import { answerField } from './sections.ts';
import { noChain } from './take-chain.ts';

/** The answer about a symbol's regime, parsed. */
export interface CurrentRegime {
  readonly symbol: string;
  readonly as_of: string;
  readonly synthetic: boolean;
  readonly data: Static<typeof RegimeData>;
}

const field = answerField('regime', '1');

/** Where a symbol stands for an owner: by its own newest chain, else by the feed. @throws AppError `no_chain`. */
export async function currentRegime(context: Context, symbol: MarketSymbol, owner: string): Promise<CurrentRegime> {
  const own = await newestAnswer(context, symbol, owner, field);
  const text =
    own?.answer ??
    (await readAnswer(context, marketName(symbol), field)) ??
    (await newestAnswer(context, symbol, null, field))?.answer;
  if (!text) throw noChain(symbol);
  return JSON.parse(text) as CurrentRegime;
}

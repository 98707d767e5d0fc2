import { fit, type StressWish, stress } from '#queues/analytics.ts';
import { type Caller, jobResult } from '#src/access/job-result.ts';
import { mustSee } from '#src/analytics/chains/take-chain.ts';
import { isSynthetic } from '#src/analytics/domain/chain/chain.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { foldText } from '#src/analytics/domain/oracle/read/read-text.ts';
import { type Converted, inPercent } from '#src/analytics/portfolio/shocks-in-percent.ts';
import { payloadOf, stressInput, stressPayload } from '#src/analytics/portfolio/stress-request.ts';
import { fitKey } from '#src/analytics/sections/find-answer.ts';
import { AppError } from '#src/lib/errors.ts';
import { isInPoints } from '#src/lib/words/shock.ts';
import { readShocks } from '#src/lib/words/shocks.ts';
import { textOf, tokenize } from '#src/lib/words/tokens.ts';

interface Wanted {
  readonly symbols: readonly MarketSymbol[];
  readonly scenarios?: readonly StressWish[] | undefined;
  /** The same in words, of a plan that was made before plans had them as numbers. */
  readonly shocks?: string | undefined;
}

/**
 * A stress test for a step of a mission. A move in points or to a level is turned into percent by the very chain that
 * is stressed; `converted` says with which spot.
 *
 * @throws AppError `invalid_payload` for shocks that cannot be run, `no_chain`, or what a job of its own failed with.
 */
export async function answerStress(caller: Caller, { symbols, scenarios, shocks }: Wanted): Promise<unknown> {
  const wishes = shocks === undefined ? scenarios : shocksOf(shocks);
  if (!wishes?.some(isInPoints)) {
    const input = stressInput(symbols, undefined, wishes);
    return await jobResult(caller, stress, await stressPayload(caller.context, caller.principal.owner, input));
  }
  const [symbol] = symbols;
  if (symbol === undefined || symbols.length > 1)
    throw new AppError(
      'invalid_payload',
      `expected one symbol for shocks in points, got ${symbols.join(' and ')}: they are another percentage for each; give each a step.`,
    );
  const { context, principal } = caller;
  const { id } = await mustSee(context, symbol, principal.owner, 'own');
  const analytics = await jobResult(caller, fit, { chainId: id }, fitKey(id));
  const percent = wishes.map((wish) => inPercent(wish, analytics));
  const result = await jobResult(caller, stress, payloadOf([id], [1], percent));
  const converted: Converted = {
    symbol,
    as_of: analytics.as_of,
    spot: analytics.spot,
    synthetic: isSynthetic(analytics),
  };
  return { ...result, converted };
}

/** @throws AppError `invalid_payload` for words that are not all shocks. */
function shocksOf(words: string): readonly StressWish[] {
  const folded = foldText(words);
  const tokens = tokenize(folded);
  const { groups, unread } = readShocks(tokens);
  const [left] = unread;
  if (left)
    throw new AppError(
      'invalid_payload',
      `expected shocks that can be run, got “${textOf(folded, tokens.slice(left.from, left.to + 1))}”: ${left.why}.`,
    );
  const found = groups.flatMap(({ scenarios }) => scenarios);
  if (found.length > 0) return found;
  throw new AppError(
    'invalid_payload',
    `expected shocks such as "drops 3% and vol rises 10", got ${JSON.stringify(words.slice(0, 100))}.`,
  );
}

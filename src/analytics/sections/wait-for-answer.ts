import { fit } from '#queues/analytics.ts';
import { type Caller, jobResult } from '#src/access/job-result.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { computedAnswer, findAnswer, fitKey } from './find-answer.ts';

/**
 * An answer as it was computed, of the chain that its caller sees; one that is not computed yet is waited for.
 *
 * @param field as `answerField` names it
 * @throws AppError `no_chain`, `quota_exceeded`, `unavailable`, or what the job failed with.
 */
export async function waitForAnswer(caller: Caller, symbol: MarketSymbol, field: string): Promise<string> {
  const { context, principal } = caller;
  const found = await findAnswer(context, { symbol, field, owner: principal.owner });
  if (found.text !== null) return found.text;
  await jobResult(caller, fit, { chainId: found.chain }, fitKey(found.chain));
  return await computedAnswer(context, { symbol, field, owner: found.owner });
}

import { fit } from '#queues/analytics.ts';
import { type Caller, jobResult } from '#src/access/job-result.ts';
import type { FeedStatus } from '#src/analytics/answers/envelope.ts';
import { freshness, problemField, stampField, unfitField, withFreshness } from '#src/analytics/answers/freshness.ts';
import { newestAnswer } from '#src/analytics/chains/chain-store.ts';
import { noChain } from '#src/analytics/chains/take-chain.ts';
import type { FeedStamp } from '#src/analytics/domain/calendar/feed-clock.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { marketName, readAnswers } from '#src/analytics/live/publish-live.ts';
import { AppError } from '#src/lib/errors.ts';
import { isRedisAway } from '#src/lib/redis-away.ts';
import type { Context } from '#src/system/context.ts';

interface AnswerRequest {
  readonly symbol: string;
  /** As `answerField` names it. */
  readonly field: string;
  /** Owner whose chain comes first; null for the feed alone. */
  readonly owner: string | null;
}

/** An answer as it was computed, or the chain whose answers are not computed yet. */
type FoundAnswer =
  | { readonly text: string }
  | { readonly text: null; readonly chain: string; readonly owner: string | null };

/**
 * An answer of an owner's own newest chain, else of the live feed, else of the feed's newest stored chain. One of the feed
 * tells its age.
 *
 * @throws AppError `no_chain`.
 */
export async function findAnswer(context: Context, { symbol, field, owner }: AnswerRequest): Promise<FoundAnswer> {
  // both at once: few have a chain of their own, and no caller should wait for two stores one after the other
  const [own, live] = await Promise.all([
    owner === null ? null : newestAnswer(context, symbol, owner, field),
    liveAnswer(context, symbol, field).catch(nullWithoutRedis),
  ]);
  if (own === null && live !== null) return { text: live };
  const chain = own ?? (await newestAnswer(context, symbol, null, field));
  if (chain === null) throw noChain(symbol);
  if (chain.answer === null) return { text: null, chain: chain.id, owner: own === null ? null : owner };
  return { text: own === null ? aged(context, chain.answer, stampOf(chain)) : chain.answer };
}

/** The answer after the job of its chain. @throws AppError `no_chain` where the chain was replaced meanwhile. */
export async function computedAnswer(context: Context, { symbol, field, owner }: AnswerRequest): Promise<string> {
  const computed = await newestAnswer(context, symbol, owner, field);
  if (computed?.answer) return owner === null ? aged(context, computed.answer, stampOf(computed)) : computed.answer;
  throw new AppError('no_chain', 'The chain was replaced while its figures were computed; ask again.', { symbol });
}

/** Without Redis the newest stored chain answers, and tells its age. */
function nullWithoutRedis(error: unknown): null {
  if (isRedisAway(error)) return null;
  throw error;
}

async function liveAnswer(context: Context, symbol: string, field: string): Promise<string | null> {
  const fields = [field, stampField, problemField, unfitField];
  const [text, stamp, problem, unfit] = await readAnswers(context, marketName(symbol), fields);
  if (!text || !stamp) return null;
  return aged(context, text, JSON.parse(stamp) as FeedStamp, (problem || unfit || 'ok') as FeedStatus);
}

function aged({ config }: Context, text: string, stamp: FeedStamp, status: FeedStatus = 'ok'): string {
  return withFreshness(text, freshness(config, stamp, status, Date.now()));
}

function stampOf({
  asOf,
  givenAt,
  synthetic,
}: {
  readonly asOf: Date;
  readonly givenAt: Date;
  readonly synthetic: boolean;
}) {
  return { asOf: asOf.getTime(), takenAt: givenAt.getTime(), synthetic };
}

/**
 * The key of the one job that computes a chain for all callers; a new one each hour, so that a cancelled one does not
 * stay for ever.
 */
export function fitKey(chain: string): string {
  return `fit ${chain} ${Math.floor(Date.now() / 3_600_000)}`;
}

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

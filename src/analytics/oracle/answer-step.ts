import { type answer, fit, type StressWish } from '#queues/analytics.ts';
import type { Payload } from '#queues/define.ts';
import { type Caller, jobResult } from '#src/access/job-result.ts';
import type { Status } from '#src/analytics/answers/envelope.ts';
import { answerField } from '#src/analytics/answers/sections.ts';
import { snapshotAnswer } from '#src/analytics/answers/snapshot-data.ts';
import { mustSee } from '#src/analytics/chains/take-chain.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { fitKey, waitForAnswer } from '#src/analytics/sections/find-answer.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { openBus } from '#src/system/redis/bus.ts';
import { openSubscriber } from '#src/system/redis/redis.ts';
import { answerQuestion } from './answer-question.ts';
import { answerStress } from './answer-stress.ts';

/** Time for which a step waits for jobs of its own; below the timeout of its queue. */
const WAIT_MS = 45_000;

interface Arguments {
  readonly symbol?: MarketSymbol;
  readonly symbols?: readonly MarketSymbol[];
  readonly scenarios?: readonly StressWish[];
  readonly shocks?: string;
  readonly question?: string;
}

interface SectionText {
  readonly data: unknown;
  readonly status: Status;
}

type Tool = (caller: Caller, args: Arguments) => Promise<unknown>;

const tools: Readonly<Record<Payload<typeof answer>['tool'], Tool>> = {
  snapshot: async (caller, { symbol = 'SPX' }) => {
    const { id } = await mustSee(caller.context, symbol, caller.principal.owner, 'own');
    return snapshotAnswer(await jobResult(caller, fit, { chainId: id }, fitKey(id)));
  },
  surface: async (caller, { symbol = 'SPX' }) => {
    const answer = JSON.parse(await waitForAnswer(caller, symbol, answerField('surface', '1'))) as SectionText;
    if (answer.data !== null) return answer;
    throw new AppError(
      'unanswerable',
      `expected a volatility surface of ${symbol}, got none: ${answer.status.replaceAll('_', ' ')}.`,
    );
  },
  stress: async (caller, { symbols = [], scenarios, shocks }) =>
    await answerStress(caller, { symbols, scenarios, shocks }),
  oracle: async (caller, { question = '', symbol }) => {
    const answer = await answerQuestion(caller, { question, ...(symbol !== undefined && { symbol }) });
    const { answerable, answer: why } = answer.data;
    const isWhole = answerable && answer.status !== 'incomplete';
    if (isWhole) return answer;
    // a step without an answer, or with half of one, has not done what it is for
    const expected = answerable
      ? 'an answer to the whole question, got a part'
      : 'a question that the analyses answer, got none';
    throw new AppError('unanswerable', `expected ${expected}: ${why}`, {
      status: answer.status,
      question,
    });
  },
};

/** Gets the events of the jobs that steps wait for. */
const bus = perContext((context) => {
  const redis = openSubscriber(context.config, (error) => context.log.debug({ err: error }, 'redis, steps'));
  context.onClose(async () => redis.disconnect());
  return openBus(redis);
});

/**
 * Answers a step of a mission by the analyses, with access of the mission's owner.
 *
 * @throws AppError `no_chain`, `quota_exceeded`, `unavailable`, or what a job of its own failed with.
 */
export async function answerStep(
  context: Context,
  owner: string,
  { tool, arguments: args }: Payload<typeof answer>,
  signal: AbortSignal,
): Promise<unknown> {
  const principal = { owner, keyId: null, scopes: [], operator: false, human: null, session: null, tier: 'standard' };
  const until = performance.now() + WAIT_MS;
  return await tools[tool]({ context, hub: { bus: bus(context) }, principal, signal, until }, args);
}

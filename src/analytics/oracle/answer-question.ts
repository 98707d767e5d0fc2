import type { Static } from 'typebox';
import type { Caller } from '#src/access/job-result.ts';
import { analyticsUnits, envelope, type Used } from '#src/analytics/answers/envelope.ts';
import { marketSymbol } from '#src/analytics/answers/symbol-params.ts';
import type { NoAnswer } from '#src/analytics/domain/oracle/oracle-schema.ts';
import type { Generation } from '#src/analytics/domain/positions/dealer-positions.ts';
import { marketDay } from '#src/analytics/history/history-bounds.ts';
import { answerByRules, type QuestionRequest, type QuestionResult, writeByRules } from './answer-by-rules.ts';
import { askModel, hasModel, type Modelled } from './ask-language-model.ts';
import type { OracleData, OracleRequest, ToolRun } from './oracle-answer.ts';
import { topicBefore, topicNow } from './oracle-memory.ts';

type Author = Pick<OracleData, 'written_by' | 'refusals' | 'why_rules'>;

/**
 * The answer to a question, in its envelope: the model's where one is configured and keeps to the results, else that of
 * the rules, from what the model's calls gave if there is anything.
 *
 * Runs in the API process, not in a job: it only waits, for jobs of its own (as the tools need them) and for the model. A job
 * would hold a worker's place while it waits for other jobs of the same fleet, and every worker would need the key.
 * The whole of it ends within `WAIT_MS`, as any answer does.
 *
 * @throws AppError `unknown_symbol`, or what the first call failed with where none gave a result.
 */
export async function answerQuestion(caller: Caller, request: Static<typeof OracleRequest>) {
  const { question, symbol: named, session, portfolio } = request;
  const symbol = named === undefined ? undefined : marketSymbol(named);
  const isDay = session !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(session);
  const conversation = isDay ? undefined : session;
  const { before, note } = await topicBefore(caller, conversation);
  const full: QuestionRequest = { question, symbol, portfolio, before, ...(isDay && { day: session }) };
  const modelled = hasModel(caller.context.config) ? await modelAnswer(caller, full) : null;
  const answered = await answerOf(caller, full, modelled);
  const author: Author = {
    written_by: modelled?.written ? 'model' : 'rules',
    refusals: modelled?.refusals ?? 0,
    why_rules: modelled === null ? 'no_model_configured' : modelled.why,
  };
  if ('answerable' in answered) return noAnswer(answered, author);
  const forgotten = await topicNow(caller, conversation, answered.runs);
  return goodAnswer({ ...answered, notes: [...answered.notes, ...note, ...forgotten] }, author);
}

async function modelAnswer(caller: Caller, { question, ...briefing }: QuestionRequest): Promise<Modelled> {
  return await askModel(caller, question, { today: marketDay(), ...briefing });
}

async function answerOf(
  caller: Caller,
  request: QuestionRequest,
  modelled: Modelled | null,
): Promise<QuestionResult | NoAnswer> {
  if (modelled === null || modelled.runs.length === 0) return await answerByRules(caller, request);
  const { written, runs, failures } = modelled;
  return written ? { written, runs, notes: [], failures } : { ...writeByRules(runs), runs, notes: [], failures };
}

function noAnswer({ reason, message, can }: NoAnswer, author: Author) {
  const none = { answerable: false, answer: sentence(message), citations: [], tools_used: [], results: [], notes: [] };
  return envelope([], analyticsUnits, reason, { ...none, can, ...author } satisfies OracleData);
}

function goodAnswer(answered: QuestionResult, author: Author) {
  const { written, runs, notes, failures, refused = [], notUnderstood = [], missing = false } = answered;
  const data: OracleData = {
    // a history that is not there is no answer
    answerable: runs.some(({ result }) => result !== null),
    answer: [...refused.map((part) => `Not answered: ${part}.`), written.text].join(' '),
    citations: written.citations,
    tools_used: [...new Set(runs.map(({ tool }) => tool))],
    results: runs.map((run) => ({
      tool: run.tool,
      arguments: { ...run.arguments },
      status: run.status,
      result: run.result,
    })),
    notes: [...notes, ...failures, ...doubtsOf(runs)],
    can: [],
    ...author,
  };
  const isPartial = failures.length + refused.length + notUnderstood.length > 0;
  const doubt = runs.find((run) => run.status !== 'ok')?.status ?? (missing ? 'no_figure' : 'ok');
  const status = isPartial ? 'incomplete' : doubt;
  return envelope(chainsOf(runs), analyticsUnits, status, data, generationOf(runs));
}

function doubtsOf(runs: readonly ToolRun[]): string[] {
  const doubtful = runs.filter(({ status }) => status !== 'ok');
  return [...new Set(doubtful.map(({ tool, status }) => `${tool} has the status ${status}`))];
}

/**
 * The oldest chain of each symbol, as calls run side by side and the feed may have moved between them; generated where
 * anything about the symbol is.
 */
function chainsOf(runs: readonly ToolRun[]): Used[] {
  const used = runs.flatMap((run) => run.used).toSorted((a, b) => (a.asOf < b.asOf ? -1 : 1));
  const symbols = [...new Set(used.map(({ symbol }) => symbol))];
  return symbols.map((symbol) => {
    const chains = used.filter((chain) => chain.symbol === symbol);
    // of each feed the oldest: newer instants are before it
    const feeds = Object.assign(
      {},
      ...chains.toReversed().map((chain) => chain.feeds ?? { chain: chain.asOf }),
    ) as Record<string, string>;
    return { ...chains[0]!, feeds, synthetic: chains.some(({ synthetic }) => synthetic) };
  });
}

/** A question asks for one generation, or for none. */
function generationOf(runs: readonly ToolRun[]): Generation {
  const named = runs.find((run) => run.arguments['generation'] !== undefined);
  return (named?.arguments['generation'] as Generation | undefined) ?? 1;
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

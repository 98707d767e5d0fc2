import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { clientGone } from '#src/http/client-gone.ts';
import { principalOf } from '#src/http/guard.ts';
import type { Hub } from '#src/http/hub.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import type { Generation } from './domain/dealer-positions.ts';
import { writeAnswer } from './domain/oracle/answer-writer.ts';
import { checkAnswer } from './domain/oracle/check-answer.ts';
import { parseQuestion } from './domain/oracle/question-parser.ts';
import { readDates } from './domain/oracle/read-dates.ts';
import { foldText, readSymbols } from './domain/oracle/read-text.ts';
import type { ToolCall } from './domain/oracle/tool.ts';
import { envelope } from './envelope.ts';
import { marketDay } from './history-bounds.ts';
import { OracleAnswer, type OracleData, OracleRequest, OracleTools } from './oracle-answer.ts';
import { type Caller, runTool, servedTools, type ToolRun } from './run-tool.ts';
import { marketSymbol } from './symbols.ts';
import { analyticsUnits } from './units.ts';

const tags = ['analytics'];

/** Questions in words, answered from what the analyses say and from nothing else. */
export const oracleRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (
  app,
  { context, hub },
) => {
  app.get(
    '/v1/oracle/tools',
    {
      schema: {
        tags,
        summary: 'The analyses a question may be answered from',
        operationId: 'listOracleTools',
        response: { 200: OracleTools },
      },
    },
    () => ({
      tools: servedTools.map(({ name, description, parameters }) => ({
        name,
        description,
        parameters: { ...parameters },
      })),
    }),
  );

  app.post(
    '/v1/oracle/query',
    {
      config: { scope: 'platform.mcp.execute' },
      schema: {
        tags,
        summary: 'Answer a question about dealer positioning, each number with the field it comes from',
        operationId: 'queryOracle',
        body: OracleRequest,
        response: { 200: OracleAnswer },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const plan = parseQuestion(fullQuestion(request.body), servedTools, marketDay());
      if (!plan.answerable) {
        const { reason, message, can } = plan;
        const none = { answerable: false, answer: sentence(message), citations: [], tools_used: [], results: [] };
        return envelope([], analyticsUnits, reason, { ...none, notes: [], can });
      }
      const signal = AbortSignal.any([clientGone(reply), hub.stopping]);
      const { runs, failures } = await runAll({ context, hub, principal, signal }, plan.calls);
      const written = writeAnswer(plan, runs, servedTools);
      const text = [written.text, ...statesOf(runs)].join(' ');
      const { citations } = written;
      const { ok, offences } = checkAnswer(text, runs, citations);
      if (!ok)
        throw new AppError('internal', 'The answer held a number without a source, so it is not sent.', { offences });
      const data: OracleData = {
        answerable: true,
        answer: text,
        citations,
        tools_used: [...new Set(runs.map(({ tool }) => tool))],
        results: runs.map((run) => ({
          tool: run.tool,
          arguments: { ...run.arguments },
          status: run.status,
          result: run.result,
        })),
        notes: [...plan.notes, ...failures, ...doubtsOf(runs)],
        can: [],
      };
      const status = failures.length > 0 ? 'incomplete' : (runs.find((run) => run.status !== 'ok')?.status ?? 'ok');
      return envelope(chainsOf(runs), analyticsUnits, status, data, generationOf(plan.calls));
    },
  );
};

/** The question, led by the symbol and the session of the request where it names none itself. */
function fullQuestion({ question, symbol, session }: Static<typeof OracleRequest>): string {
  const known = symbol === undefined ? undefined : marketSymbol(symbol);
  const folded = foldText(question);
  const { symbols, unknown } = readSymbols(folded);
  const isDated = readDates(folded, marketDay()).from !== null;
  const lead = [
    ...(session !== undefined && !isDated ? [`on ${session}`] : []),
    ...(known !== undefined && symbols.length + unknown.length === 0 ? [known] : []),
  ];
  return folded === '' || lead.length === 0 ? question : `${lead.join(', ')}: ${question}`;
}

/** @throws what the first call failed with, where none gave a result. */
async function runAll(caller: Caller, calls: readonly ToolCall[]) {
  const runs: ToolRun[] = [];
  const failures: string[] = [];
  const settled = await Promise.allSettled(calls.map((call) => runTool(caller, call)));
  let failure: unknown;
  for (const [index, outcome] of settled.entries()) {
    if (outcome.status === 'fulfilled') {
      runs.push(...outcome.value);
      continue;
    }
    failure ??= outcome.reason;
    if (!(outcome.reason instanceof AppError)) throw outcome.reason;
    failures.push(`${calls[index]?.tool} was left out: ${outcome.reason.message}`);
  }
  if (runs.length === 0) throw failure;
  return { runs, failures };
}

/** What an analysis calls the state it found: a word of its schema, which needs no citation. */
function statesOf(runs: readonly ToolRun[]): string[] {
  return runs.flatMap(({ tool, arguments: { symbol }, result }) => {
    const { state, reading = state } = (result ?? {}) as { state?: unknown; reading?: unknown };
    return typeof reading === 'string' ? [`${String(symbol)}, ${tool}: ${reading.replaceAll('_', ' ')}.`] : [];
  });
}

function doubtsOf(runs: readonly ToolRun[]): string[] {
  const doubtful = runs.filter(({ status }) => status !== 'ok');
  return [...new Set(doubtful.map(({ tool, status }) => `${tool} has the status ${status}`))];
}

/** The oldest chain of each symbol: calls run side by side, and the feed may have moved between them. */
function chainsOf(runs: readonly ToolRun[]) {
  const used = runs.flatMap((run) => run.used).toSorted((a, b) => (a.asOf < b.asOf ? -1 : 1));
  return used.filter(({ symbol }, index) => used.findIndex((other) => other.symbol === symbol) === index);
}

/** A question asks for one generation, or for none. */
function generationOf(calls: readonly ToolCall[]): Generation {
  const named = calls.find((call) => call.arguments['generation'] !== undefined);
  return (named?.arguments['generation'] as Generation | undefined) ?? 1;
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

import type { Caller } from '#src/access/job-result.ts';
import { citeAnswer } from '#src/analytics/domain/oracle/cite-answer.ts';
import { type Briefing, refusal, systemPrompt } from '#src/analytics/domain/oracle/model-prompt.ts';
import type { WrittenAnswer } from '#src/analytics/domain/oracle/oracle-schema.ts';
import { AppError } from '#src/lib/errors.ts';
import { askText } from '#src/providers/text/ask-text.ts';
import type { TextMessage, TextToolCall } from '#src/providers/text/text.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { leftOut, type ToolRun, type WhyRules } from './oracle-answer.ts';
import { readToolCall, runTool, servedTools } from './run-tool.ts';

/** Calls of one turn, and of one question; the model gets an error for calls beyond. */
const CALLS_AT_ONCE = 6;
const MAX_CALLS = 12;
/** Longer is no answer to a question. */
const MAX_TEXT = 6_000;

/**
 * Result of a model for a question: an answer, or the reason why there is none; and the results of the tools it called.
 */
export interface Modelled {
  readonly written: WrittenAnswer | null;
  readonly why: WhyRules | null;
  readonly runs: readonly ToolRun[];
  /** Calls that fitted their tool and failed, a sentence each. */
  readonly failures: readonly string[];
  /** Drafts refused. */
  readonly refusals: number;
}

/** Checks whether a model is configured. */
export function hasModel(config: Config): boolean {
  return config.ORACLE_MODEL_URL !== undefined;
}

/**
 * Lets the model plan and write. Every number of its draft must be in a result; it gets the others back once. Nothing
 * it writes is run but calls that fit a tool's schema, and its turns, calls and time are bounded.
 */
export async function askModel(caller: Caller, question: string, briefing: Briefing): Promise<Modelled> {
  const { config, log } = caller.context;
  const until = performance.now() + Math.min(config.ORACLE_TIMEOUT_MS, (2 / 3) * config.WAIT_MS);
  const tools = toolCaller({ ...caller, until });
  const messages: TextMessage[] = [
    { role: 'system', content: systemPrompt(briefing) },
    { role: 'user', content: question },
  ];
  let refusals = 0;
  const end = (why: WhyRules | null, written: WrittenAnswer | null = null): Modelled => {
    if (why !== null) log.warn({ why, refusals, calls: tools.runs.length }, 'the rules answer in place of the model');
    return { written, why, runs: tools.runs, failures: tools.failures, refusals };
  };
  for (let left = config.ORACLE_MAX_ROUNDS - 1; left >= 0; left--) {
    const request = {
      messages,
      tools: servedTools.map(({ name, description, parameters }) => ({ name, description, parameters })),
      toolChoice: left === 0 ? ('none' as const) : ('auto' as const),
      maxTokens: config.ORACLE_MAX_TOKENS,
    };
    const outcome = await askText(endpointOf(config), request, until - performance.now(), caller.signal);
    if (!outcome.ok) return end(`model_${outcome.reason}`);
    const { content, toolCalls } = outcome;
    if (toolCalls.length > 0) {
      if (left === 0) break;
      messages.push({ role: 'assistant', content, toolCalls }, ...(await tools.answer(toolCalls)));
      continue;
    }
    if (tools.runs.length === 0) return end('no_tool_called');
    if (content === null || content.trim() === '' || content.length > MAX_TEXT) return end('model_unreadable');
    const { offences, ...written } = citeAnswer(content, tools.runs, timesOf(tools.runs));
    if (offences.length === 0) return end(null, written);
    refusals++;
    if (refusals > 1) return end('unknown_numbers');
    messages.push({ role: 'assistant', content }, { role: 'user', content: refusal(offences) });
  }
  return end(refusals > 0 ? 'unknown_numbers' : 'too_many_rounds');
}

function endpointOf({ ORACLE_MODEL_URL: url = '', ORACLE_MODEL: model, ORACLE_MODEL_KEY: key }: Config) {
  return { url, model, key: key === '' ? undefined : key };
}

function timesOf(runs: readonly ToolRun[]): string[] {
  return runs.flatMap(({ used }) => used.map(({ asOf }) => asOf));
}

/** Runs a model's calls: each once, however often the model repeats it. */
function toolCaller(caller: Caller) {
  const runs: ToolRun[] = [];
  const failures: string[] = [];
  const made = new Map<string, Promise<string>>();
  const run = async (tool: string, text: string, found: ToolRun[]): Promise<string> => {
    const call = readToolCall(tool, text);
    if (typeof call === 'string') return toolError('invalid_request', call);
    const name = JSON.stringify(call);
    const known = made.get(name);
    if (known !== undefined) return await known;
    if (made.size >= MAX_CALLS) {
      return toolError(
        'quota_exceeded',
        `expected at most ${MAX_CALLS} calls for a question; write with what there is.`,
      );
    }
    const answer = runTool(caller, call).then(
      (results) => {
        found.push(...results);
        return JSON.stringify(results.map(shownRun));
      },
      (error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        failures.push(leftOut(tool, error));
        return toolError(error.code, error.message);
      },
    );
    made.set(name, answer);
    return await answer;
  };
  return {
    runs,
    failures,
    /** A message for each call, in their order. */
    answer: async (calls: readonly TextToolCall[]): Promise<TextMessage[]> => {
      // a list each, so that results are in the order of their calls and not of their ends
      const found = calls.map((): ToolRun[] => []);
      const messages = await Promise.all(
        calls.map(async ({ id, name, arguments: text }, index) => ({
          role: 'tool' as const,
          toolCallId: id,
          content:
            index < CALLS_AT_ONCE
              ? await run(name, text, found[index]!)
              : toolError('quota_exceeded', `expected at most ${CALLS_AT_ONCE} calls at once; ask again.`),
        })),
      );
      runs.push(...found.flat());
      return messages;
    },
  };
}

function shownRun({ arguments: args, status, used, result }: ToolRun) {
  const chains = used.map(({ symbol, asOf, synthetic }) => ({ symbol, as_of: asOf, synthetic }));
  return { arguments: args, status, chains, result };
}

function toolError(code: string, message: string): string {
  return JSON.stringify({ error: { code, message } });
}

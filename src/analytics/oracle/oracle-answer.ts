import Type, { type Static } from 'typebox';
import { ANSWER_STATUS, enveloped, type Status, type Used } from '#src/analytics/answers/envelope.ts';
import { SymbolText } from '#src/analytics/answers/symbol-params.ts';
import { NO_ANSWER, ORACLE_TOOL, WRITTEN_ANSWER } from '#src/analytics/domain/oracle/oracle-schema.ts';
import { MAX_QUESTION } from '#src/analytics/domain/oracle/read/read-text.ts';
import type { ToolResult } from '#src/analytics/domain/oracle/tool.ts';
import { PORTFOLIO_ANALYZE_REQUEST } from '#src/analytics/domain/risk/portfolio-analyze-schema.ts';
import { PORTFOLIO_OPTIMIZE_REQUEST } from '#src/analytics/domain/risk/portfolio-optimize-schema.ts';
import { closed, orNull } from '#src/analytics/domain/schema-parts.ts';
import type { AppError } from '#src/lib/errors.ts';

/** Result of a tool, and the chains it came from. */
export interface ToolRun extends ToolResult {
  readonly status: Status;
  readonly used: readonly Used[];
}

/** Writes the note about a call that failed. */
export function leftOut(tool: string | undefined, error: AppError): string {
  return `${tool} was left out: ${error.message}`;
}

/** Answer of `GET /v1/oracle/tools`. */
export const OracleTools = closed({
  tools: Type.Array(Type.Pick(ORACLE_TOOL, ['name', 'description', 'parameters'], { additionalProperties: false }), {
    description: 'Analyses with the JSON Schemas of their arguments',
  }),
});

const { symbols, lower, upper, expected_returns, target_return, target_gamma } = PORTFOLIO_OPTIMIZE_REQUEST.properties;
const PORTFOLIO = closed(
  {
    symbols,
    weights: PORTFOLIO_ANALYZE_REQUEST.properties.weights,
    lower,
    upper,
    expected_returns,
    target_return,
    target_gamma,
  },
  'Your holdings, for questions about your portfolio: analysed, stressed and optimised with these',
);

/** Body of `POST /v1/oracle/query`. */
export const OracleRequest = closed(
  {
    question: Type.String({
      minLength: 1,
      maxLength: MAX_QUESTION,
      description: 'In English; it is matched against words, and nothing in it is an instruction',
      examples: ['Where is the gamma flip of SPX?'],
    }),
    symbol: Type.Optional(SymbolText),
    session: Type.Optional(
      Type.Union(
        [
          Type.String({ format: 'date', title: 'a day (YYYY-MM-DD)' }),
          Type.String({
            pattern: '^(?!\\d{4}-\\d{2}-\\d{2}$)[A-Za-z0-9][\\w.:-]{0,63}$',
            title: 'a name (1 to 64 letters, digits, dots, _, : or -)',
          }),
        ],
        {
          description:
            'A New York day, YYYY-MM-DD, that the question is about where it names none; or a name you choose for a conversation, in which a question may leave out the underlying or the analysis of the one before (stored for 30 minutes, yours alone)',
          examples: ['2026-11-20', 'chat-1'],
        },
      ),
    ),
    portfolio: Type.Optional(PORTFOLIO),
  },
  'A question about dealer positioning',
);

/** Why the rules write an answer and not the model. */
const whyRules = [
  'no_model_configured',
  'model_unreachable',
  'model_slow',
  'model_busy',
  'model_refused',
  'model_failed',
  'model_unreadable',
  'no_tool_called',
  'too_many_rounds',
  'unknown_numbers',
] as const;
export type WhyRules = (typeof whyRules)[number];

const ORACLE_DATA = closed({
  answerable: Type.Boolean({ description: 'Whether any analysis answers the question' }),
  answer: Type.String({ description: 'Sentences in which [n] follows every number; or why there is no answer' }),
  citations: WRITTEN_ANSWER.properties.citations,
  tools_used: Type.Array(Type.String(), { description: 'Analyses behind the answer' }),
  results: Type.Array(
    closed({
      tool: Type.String({ description: 'Name of the tool' }),
      arguments: Type.Record(Type.String(), Type.Unknown(), { description: 'Arguments of the call' }),
      status: ANSWER_STATUS('ok, or why figures are missing or doubtful'),
      result: Type.Unknown({ description: 'Result without its lists; null where there is none' }),
    }),
    { description: 'Results that the citations point into: `call` is the place here, `path` a path in `result`' },
  ),
  notes: Type.Array(Type.String(), { description: 'Assumptions and omissions' }),
  can: NO_ANSWER.properties.can,
  written_by: Type.Enum(['model', 'rules'], { description: 'Author that chose the analyses and wrote the sentences' }),
  refusals: Type.Integer({ description: 'Drafts of the model that held a number which is in no result' }),
  why_rules: orNull(
    Type.Enum(whyRules, {
      description:
        'Why rules wrote the answer: no model is configured, or the model could not be reached, took too long, was busy (429), refused the request, failed (5xx), answered what cannot be read, called no analysis, went on calling them, or wrote numbers that are in no result twice. Null where the model wrote it',
    }),
  ),
});
export type OracleData = Static<typeof ORACLE_DATA>;

export const OracleAnswer = enveloped(ORACLE_DATA, 'An answer of which every number has a source');

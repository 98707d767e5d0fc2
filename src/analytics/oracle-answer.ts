import Type, { type Static } from 'typebox';
import { NO_ANSWER, ORACLE_TOOL, WRITTEN_ANSWER } from './domain/oracle/oracle-schema.ts';
import { MAX_QUESTION } from './domain/oracle/read-text.ts';
import { closed } from './domain/schema-parts.ts';
import { enveloped } from './envelope.ts';
import { SymbolText } from './symbols.ts';

/** Answer of `GET /v1/oracle/tools`. */
export const OracleTools = closed({
  tools: Type.Array(Type.Pick(ORACLE_TOOL, ['name', 'description', 'parameters'], { additionalProperties: false }), {
    description: 'Analyses with the JSON Schemas of their arguments',
  }),
});

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
      Type.String({
        format: 'date',
        description: 'New York day asked about, YYYY-MM-DD, where the question names none; now without it',
        examples: ['2026-11-20'],
      }),
    ),
  },
  'A question about dealer positioning',
);

const ORACLE_DATA = closed({
  answerable: Type.Boolean({ description: 'Whether any analysis answers the question' }),
  answer: Type.String({ description: 'Sentences in which [n] follows every number; or why there is no answer' }),
  citations: WRITTEN_ANSWER.properties.citations,
  tools_used: Type.Array(Type.String(), { description: 'Analyses the answer stands on' }),
  results: Type.Array(
    closed({
      tool: Type.String({ description: 'Name of the tool' }),
      arguments: Type.Record(Type.String(), Type.Unknown(), { description: 'What it was called with' }),
      status: Type.String({ description: 'ok, or why figures are missing or doubtful' }),
      result: Type.Unknown({ description: 'What it answered, lists left out; null where there is nothing' }),
    }),
    { description: 'What the citations point into: `call` is the place here, `path` a path in `result`' },
  ),
  notes: Type.Array(Type.String(), { description: 'What was assumed or left out' }),
  can: NO_ANSWER.properties.can,
});
export type OracleData = Static<typeof ORACLE_DATA>;

export const OracleAnswer = enveloped(ORACLE_DATA, 'An answer of which every number has a source');

import { type Static, Type } from 'typebox';
import { MARKET_SYMBOL } from '#src/analytics/domain/chain/symbol-schema.ts';
import { closed, number, orNull } from '#src/analytics/domain/schema-parts.ts';
import type { Unit } from './measures/measure.ts';

const text = (description: string) => Type.String({ description });

const SHOCK = closed(
  {
    spot_shock_pct: Type.Optional(number('Change of spot, percent')),
    spot_points: Type.Optional(number('Change of spot, points')),
    spot_level: Type.Optional(number('Spot after the move, points')),
    spot_side: Type.Optional(
      Type.Enum(['down', 'up'], { description: 'Side of the spot at that time on which the level must lie' }),
    ),
    vol_shock_pct: Type.Optional(number('Relative change of volatilities, percent')),
    vol_points: Type.Optional(number('Points added to every volatility')),
    days: Type.Optional(number('Calendar days that pass')),
  },
  { title: 'OracleShock' },
);

/** Plan of a question, as far as it was understood. */
export const QUESTION_PLAN = closed(
  {
    answerable: Type.Literal(true, { description: 'Some analysis answers it' }),
    calls: Type.Array(
      closed({
        tool: text('Name of the tool'),
        arguments: Type.Record(Type.String(), Type.Unknown(), {
          description: 'Arguments of the call; they fit its schema',
        }),
        measures: Type.Array(Type.String(), { description: 'Requested measures that it answers' }),
        fields: Type.Array(
          closed({
            path: text('Path in the result'),
            said: text('As a sentence calls it'),
            unit: Type.Unsafe<Unit>({ type: 'string', description: 'Unit in which it is written' }),
            why: Type.Optional(text('Path of the word that says why there is no figure')),
          }),
          { description: 'The fields that answer' },
        ),
      }),
      { description: 'Calls to make, twelve at most' },
    ),
    symbols: Type.Array(MARKET_SYMBOL, { description: 'Underlyings of the question' }),
    unknown_symbols: Type.Array(Type.String(), { description: 'Names there is no data of' }),
    levels: Type.Array(Type.Number(), { description: 'Levels the question names, points, ascending' }),
    shocks: Type.Array(SHOCK, { description: 'Shocks the question names' }),
    from: orNull(text('First day of the question, YYYY-MM-DD')),
    to: orNull(text('Last day of the question, YYYY-MM-DD')),
    notes: Type.Array(Type.String(), { description: 'Assumptions and omissions, to be stated with the answer' }),
    refused: Type.Array(Type.String(), { description: 'Parts of the question that nothing answers, a sentence each' }),
    not_understood: Type.Array(Type.String(), { description: 'Words that nothing knows' }),
  },
  { title: 'QuestionPlan' },
);
export type QuestionPlan = Static<typeof QUESTION_PLAN>;

/** Reason why there is no answer, and questions that have one. */
export const NO_ANSWER = closed({
  answerable: Type.Literal(false, { description: 'No analysis answers it' }),
  reason: Type.Enum(
    ['outside_domain', 'unknown_symbol', 'not_understood', 'not_available', 'no_causes', 'too_long', 'empty'],
    {
      description:
        'Why not. not_understood: words that narrow the question were not understood, and no figure of another kind takes its place. not_available: it was understood, and no analysis has it. no_causes: it asks why a market moves',
    },
  ),
  message: text('The same as a sentence'),
  can: Type.Array(closed({ tool: text('Name of the tool'), description: text('What it answers') }), {
    description: 'Analyses that answer questions',
  }),
});
export type NoAnswer = Static<typeof NO_ANSWER>;

const CITATION = closed(
  {
    n: Type.Integer({ minimum: 1, description: 'As in [n]' }),
    tool: text('Tool the number comes from'),
    call: Type.Integer({ minimum: 0, description: 'Place of the call in the list of results' }),
    path: text('Path of the field in the result, such as exposures.net_gex or flips.0.level'),
    value: number('The field’s value, in its own unit'),
  },
  { title: 'OracleCitation' },
);
export type Citation = Static<typeof CITATION>;

/** An answer in words, and where each of its numbers comes from. */
export const WRITTEN_ANSWER = closed(
  {
    text: text('Sentences in which [n] follows every number'),
    citations: Type.Array(CITATION, { description: 'The fields, by n' }),
  },
  { title: 'WrittenAnswer' },
);
export type WrittenAnswer = Static<typeof WRITTEN_ANSWER>;

const OFFENCE = closed(
  {
    text: text('The number as written'),
    at: Type.Integer({ description: 'Offset in the answer, folded as the checker reads it' }),
    reason: Type.Enum(['not_in_results', 'not_the_cited_value', 'no_citation', 'unknown_citation', 'unreadable'], {
      description: 'Fault of the number',
    }),
  },
  { title: 'AnswerOffence' },
);
export type Offence = Static<typeof OFFENCE>;

/** Result of the check that the numbers of an answer have sources. */
export const ANSWER_CHECK = closed(
  {
    ok: Type.Boolean({ description: 'No offence' }),
    checked: Type.Integer({ description: 'Numbers, dates and times looked at' }),
    offences: Type.Array(OFFENCE, { description: 'Numbers without a source, in order' }),
  },
  { title: 'AnswerCheck' },
);
export type AnswerCheck = Static<typeof ANSWER_CHECK>;

/** A tool as it is listed. */
export const ORACLE_TOOL = closed(
  {
    name: text('Name'),
    description: text('What it answers'),
    parameters: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of its arguments' }),
    facts: Type.Optional(Type.Array(Type.String(), { description: 'Paths of a result said first' })),
  },
  { title: 'OracleTool' },
);

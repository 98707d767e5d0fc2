import type { Field } from './measures/measure.ts';

/** One analysis the oracle may call, as data. */
export interface OracleTool {
  readonly name: string;
  /** One sentence for a person who wants to know which questions have an answer. */
  readonly description: string;
  /** JSON Schema of its arguments: an object; `symbol` makes one call a symbol, `symbols` one call for all. */
  readonly parameters: ToolParameters;
  /** Paths of a result that are stated first where the question names no field of it, such as `exposures.net_gex`. */
  readonly facts?: readonly string[];
}

export interface ToolParameters {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** A call the plan makes; its arguments fit the tool's schema. */
export interface ToolCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Measures that need it. */
  readonly measures?: readonly string[] | undefined;
  /** The fields that answer; those of the tool without. */
  readonly fields?: readonly Field[] | undefined;
}

/** A call and what it answered. */
export interface ToolResult extends ToolCall {
  readonly result: unknown;
}

/** One analysis the oracle may call, as data: what it takes, and the words people ask for it with. */
export interface OracleTool {
  readonly name: string;
  /** One sentence for the person who asks what can be asked. */
  readonly description: string;
  /** JSON Schema of its arguments: an object; `symbol` makes one call a symbol, `symbols` one call for all. */
  readonly parameters: ToolParameters;
  /** Lower-case words and phrases that ask for it and mean nothing else. */
  readonly metricWords: readonly string[];
  /** Words that ask for it too, but also occur elsewhere: they count beside a symbol or a word of any list above. */
  readonly weakWords?: readonly string[];
  /** The tool that has this one's past. */
  readonly historyTool?: string;
  /** Paths of a result worth saying first, such as `exposures.net_gex`; others follow in their own order. */
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
}

/** A call and what it answered. */
export interface ToolResult extends ToolCall {
  readonly result: unknown;
}

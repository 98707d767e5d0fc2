/**
 * One message of a conversation. Parts and calls are in the words of OpenAI's chat completions; the route has checked
 * them.
 */
export interface TextMessage {
  readonly role: 'developer' | 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null | readonly TextPart[];
  readonly name?: string;
  readonly toolCalls?: readonly TextToolCall[];
  /** Id of the call that a `tool` message answers. */
  readonly toolCallId?: string;
}

export type TextPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly url: string; readonly detail?: 'auto' | 'low' | 'high' };

/** A call that a model wants made; its arguments are JSON as the model wrote it, unchecked. */
export interface TextToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface TextTool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly parameters?: object;
  readonly strict?: boolean;
}

/** Request for one turn of text, whichever route it came by. */
export interface TextRequest {
  readonly messages: readonly TextMessage[];
  readonly tools?: readonly TextTool[];
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string };
  readonly parallelToolCalls?: boolean;
  readonly format?:
    | { readonly type: 'text' | 'json_object' }
    | {
        readonly type: 'json_schema';
        readonly name: string;
        readonly schema: object;
        readonly strict?: boolean;
        readonly description?: string;
      };
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly seed?: number;
  readonly stop?: readonly string[];
  readonly reasoningEffort?: string;
  /** Length of the answer, in the provider's words. */
  readonly verbosity?: string;
  readonly user?: string;
}

export interface TextUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number;
  readonly reasoningTokens?: number;
}

/** Counts of tokens as a provider reports them, without those that cannot be true. */
export type ReportedUsage = Partial<TextUsage>;

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** Piece of a turn, in order; `finish` comes once, `usage` after it where the provider reports it. */
export type TextDelta =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refusal'; readonly text: string }
  /** The first piece of a call has its id and name. */
  | {
      readonly kind: 'tool';
      readonly index: number;
      readonly id?: string;
      readonly name?: string;
      readonly arguments: string;
    }
  | { readonly kind: 'finish'; readonly reason: FinishReason }
  | { readonly kind: 'usage'; readonly usage: ReportedUsage };

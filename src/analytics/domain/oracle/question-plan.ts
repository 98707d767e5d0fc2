import type { MarketSymbol } from '#src/analytics/domain/symbols.ts';
import type { Shock } from './read-shocks.ts';
import type { ToolCall } from './tool.ts';

/** What a question asks, as far as it was understood. */
export interface QuestionPlan {
  readonly answerable: true;
  readonly calls: readonly ToolCall[];
  readonly symbols: readonly MarketSymbol[];
  /** Names there is no data of. */
  readonly unknown_symbols: readonly string[];
  readonly levels: readonly number[];
  readonly shocks: readonly Shock[];
  readonly from: string | null;
  readonly to: string | null;
  /** What was assumed or left out, to be said with the answer. */
  readonly notes: readonly string[];
}

/** Why there is no answer, and what could be asked. */
export interface NoAnswer {
  readonly answerable: false;
  readonly reason: 'outside_domain' | 'unknown_symbol' | 'too_long' | 'empty';
  readonly message: string;
  readonly can: readonly { readonly tool: string; readonly description: string }[];
}

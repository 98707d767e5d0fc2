import type { Unique } from '@proofline/client';
/** A step that an earlier attempt has done. `after`: number of steps that had ended when it began. */
export interface StoredStep {
  readonly name: string;
  readonly n: number;
  readonly kind: 'step' | 'child' | 'sleep' | 'signal' | 'result';
  readonly after: number;
  readonly value: unknown;
}

export type EffectState = 'fresh' | 'done' | 'again' | 'unknown';

/** Report of a story; each is answered before the story goes on. */
export type StoryReport =
  | { readonly type: 'step'; readonly name: string; readonly after: number; readonly value: unknown }
  | { readonly type: 'effect_intended'; readonly name: string; readonly request: unknown }
  | {
      readonly type: 'effect_done';
      readonly name: string;
      readonly outcome: unknown;
      readonly external_id?: string | undefined;
      readonly cost_usd?: number | undefined;
    }
  | { readonly type: 'effect_failed'; readonly name: string; readonly message: string }
  | { readonly type: 'effect_unknown'; readonly name: string }
  | {
      readonly type: 'submit';
      readonly name: string;
      readonly after: number;
      readonly queue: string;
      readonly payload: unknown;
      readonly version?: number;
      readonly delay_ms?: number;
      readonly priority?: number;
      readonly metadata?: Readonly<Record<string, unknown>>;
      readonly unique?: Unique;
    };

/** Report that nothing waits for. */
export type TalkReport =
  | { readonly type: 'progress'; readonly data: unknown; readonly key?: string }
  | {
      readonly type: 'log';
      readonly level: LogLevel;
      readonly message: string;
      readonly data?: Readonly<Record<string, unknown>>;
    };

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Thing that a suspended job waits for. */
export type Wait =
  | { readonly kind: 'sleep'; readonly name: string; readonly until: string }
  | { readonly kind: 'signal'; readonly name: string; readonly timeout_ms?: number }
  | { readonly kind: 'result'; readonly name: string; readonly child: string };

export interface ReportedFailure {
  readonly code?: string;
  readonly message: string;
  readonly details?: unknown;
}

/** Report that ends an attempt. */
export type EndReport =
  | { readonly type: 'suspended'; readonly on: Wait; readonly after: number }
  | { readonly type: 'succeeded'; readonly result: unknown }
  | { readonly type: 'failed'; readonly error: ReportedFailure; readonly retryable: boolean }
  | { readonly type: 'released' };

export type Report = StoryReport | TalkReport | EndReport;

/** Answer to one report. */
export type ReportAnswer =
  | {
      readonly status: 'accepted';
      /** Value of a step that was kept first. */
      readonly value?: unknown;
      /** State of an intended effect, whose `key` is the same at every try; of an outcome the one that was kept first. */
      readonly effect?: { readonly state: EffectState; readonly key: string; readonly outcome?: unknown };
      /** Id of a submitted child. */
      readonly child?: string;
    }
  /** The job is no longer this worker's. */
  | { readonly status: 'stale'; readonly message: string }
  | { readonly status: 'refused'; readonly code: string; readonly message: string; readonly path?: string };

export type Accepted = Extract<ReportAnswer, { status: 'accepted' }>;

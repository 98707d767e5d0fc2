import type { GenerationRequest, MediaCapability } from '#queues/providers.ts';
import type { Context } from '#src/system/context.ts';
import type { Threads } from '#src/system/threads.ts';
import type { Provider } from './catalogue.ts';

/** What an input asset is, for whoever hands it on. */
export interface InputAsset {
  readonly id: string;
  readonly mediaType: string;
  readonly bytes: () => Promise<Uint8Array>;
  /** An address under which the provider can fetch it for a while. */
  readonly url: () => Promise<string>;
}

/** One call of one provider. */
export interface ProviderCall {
  readonly context: Context;
  readonly threads: Threads;
  readonly provider: Provider;
  readonly capability: MediaCapability;
  readonly request: GenerationRequest;
  readonly inputs: ReadonlyMap<string, InputAsset>;
  /** The same at every try of this call: what an idempotent provider is given as its key. */
  readonly key: string;
  readonly signal: AbortSignal;
  /** Told before a request leaves: until then nothing can have happened there. */
  readonly onSend?: () => void;
  readonly progress: (stage: string, fraction?: number) => void;
}

/** One thing that was made. */
export interface Produced {
  /** What it is within the call: `video`, `video-9x16`, `thumbnail`, `captions`. */
  readonly name: string;
  readonly kind: 'image' | 'video' | 'audio' | 'text' | 'data';
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** Pixels. */
  readonly width?: number;
  readonly height?: number;
  /** Seconds. */
  readonly duration?: number;
  /** Name of the produced picture that shows this one at a glance. */
  readonly thumbnail?: string;
}

export interface Generated {
  readonly produced: readonly Produced[];
  /** What the provider says it costs, in millionths of a dollar; null where it does not say, and the quote stands. */
  readonly billed: number | null;
  /** The provider's own name for it. */
  readonly externalId: string | null;
  /** What a provider of text said. */
  readonly text?: string;
  /** What was left out or is otherwise than asked, in sentences. */
  readonly notes?: readonly string[];
}

/**
 * How a kind of provider is called. What it throws decides what happens next: `provider_refused` ends the call (another
 * provider would be asked for the same unwanted thing), `provider_failed` and `unavailable` go on to the next provider,
 * and an EffectRefused says that nothing was done and nothing is owed: see `callEnds`.
 */
export type Adapter =
  /** One exchange that ends with what was made. */
  | {
      readonly kind: 'exchange';
      /** What a second try after a crash means there: nothing new (`idempotent`), or perhaps a second payment (`neither`). */
      readonly repeat: (provider: Provider) => 'idempotent' | 'neither';
      readonly generate: (call: ProviderCall) => Promise<Generated>;
    }
  /** A task that is submitted, watched, and fetched; only the submission costs. */
  | {
      readonly kind: 'task';
      readonly submit: (call: ProviderCall) => Promise<string>;
      /** The task that an earlier try has submitted under this key, where the provider can tell; null where it has none. */
      readonly find?: (call: ProviderCall) => Promise<string | null>;
      /** How long a submission may stay invisible to `find`. */
      readonly visibilityDelayMs?: number;
      readonly fetch: (call: ProviderCall, taskId: string) => Promise<Generated>;
      readonly cancel: (call: ProviderCall, taskId: string) => Promise<void>;
    };

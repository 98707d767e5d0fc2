import type { GenerationRequest, MediaCapability } from '#queues/providers.ts';
import type { Context } from '#src/system/context.ts';
import type { Threads } from '#src/system/threads.ts';
import type { Provider } from './catalogue.ts';

/** An input asset of a call, for adapters that pass it on. */
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
  /** Same at every try of this call; idempotent providers get it as their key. */
  readonly key: string;
  readonly signal: AbortSignal;
  /** Called before a request leaves: until then nothing can have happened there. */
  readonly onSend?: () => void;
  readonly progress: (stage: string, fraction?: number) => void;
}

/** One thing that was made. */
export interface Produced {
  /** Name within the call: `video`, `video-9x16`, `thumbnail`, `captions`. */
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
  /** Cost that the provider reports, in millionths of a dollar; null where it does not, and the quote counts. */
  readonly billed: number | null;
  /** The provider's own name for it. */
  readonly externalId: string | null;
  /** Text that a provider wrote. */
  readonly text?: string;
  /** Differences from the request, and parts left out, in sentences. */
  readonly notes?: readonly string[];
}

/**
 * Calls one kind of provider. The error that it throws decides what happens next: `provider_refused` ends the call
 * (another provider would get the same unwanted request), `provider_failed` and `unavailable` go on to the next
 * provider, and an EffectRefused says that nothing was done and nothing is owed: see `callEnds`.
 */
export type Adapter =
  /** One exchange that ends with what was made. */
  | {
      readonly kind: 'exchange';
      /**
       * Says what a second try after a crash means there: nothing new (`idempotent`), or perhaps a second payment
       * (`neither`).
       */
      readonly repeat: (provider: Provider) => 'idempotent' | 'neither';
      readonly generate: (call: ProviderCall) => Promise<Generated>;
    }
  /** A task that is submitted, watched, and fetched; only the submission costs. */
  | {
      readonly kind: 'task';
      readonly submit: (call: ProviderCall) => Promise<string>;
      /**
       * Finds the task that an earlier try has submitted under this key, where the provider can look it up; null where
       * it has none.
       */
      readonly find?: (call: ProviderCall) => Promise<string | null>;
      /** Longest time in milliseconds that a submission may stay invisible to `find`. */
      readonly visibilityDelayMs?: number;
      readonly fetch: (call: ProviderCall, taskId: string) => Promise<Generated>;
      readonly cancel: (call: ProviderCall, taskId: string) => Promise<void>;
    };

import type { MediaCapability } from '#queues/providers.ts';
import type { Adapter, InputAsset, Produced } from '#src/providers/adapter.ts';
import type { Provider } from '#src/providers/catalogue.ts';
import type { Context } from '#src/system/context.ts';

/** A call that may go, as the breaker knows it. */
export interface Admission {
  readonly admitted: true;
  readonly provider: string;
  readonly capability: MediaCapability;
  readonly token: string;
  readonly since: number;
}

/** What an asset says of how it came about. */
export interface AssetOrigin {
  readonly owner: string;
  readonly job: string;
  readonly capability: MediaCapability;
  readonly provider: string;
  readonly surface: 'studio' | 'platform';
}

/** What the calls of providers are made with. */
export interface Parts {
  readonly catalogueOf: (context: Context) => readonly Provider[];
  /** @throws AppError `media_unavailable` for a style that this process cannot speak. */
  readonly adapterOf: (style: Provider['style']) => Adapter;
  readonly admit: (
    context: Context,
    provider: Provider,
    capability: MediaCapability,
  ) => Promise<Admission | { readonly admitted: false; readonly retryAt: Date }>;
  readonly report: (
    context: Context,
    admission: Admission,
    outcome: 'succeeded' | 'refused' | 'failed' | 'cancelled',
  ) => Promise<void>;
  readonly takePlace: (context: Context, provider: Provider, signal: AbortSignal) => Promise<AsyncDisposable>;
  readonly countCost: (context: Context, provider: string, capability: MediaCapability, cost: number) => void;
  /** Keeps all that a call has produced, in its order; the same job and name again is the same asset. */
  readonly keepAssets: (
    context: Context,
    origin: AssetOrigin,
    produced: readonly Produced[],
    nameOf: (name: string) => string,
  ) => Promise<
    readonly { readonly id: string; readonly name: string; readonly kind: string; readonly mediaType: string }[]
  >;
  /** The assets of these ids, which must be the owner's. @throws AppError `not_found`. */
  readonly inputsOf: (
    context: Context,
    owner: string,
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, InputAsset>>;
}

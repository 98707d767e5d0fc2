/** A provider as the catalogue shows it. Prices in dollars, times in milliseconds. */
export interface Provider {
  readonly id: string;
  readonly title: string;
  readonly style: string;
  readonly health: Health;
  /** The environment variable that holds its key; null where it needs none. */
  readonly credential: { readonly variable: string; readonly present: boolean } | null;
  readonly capabilities: readonly Offer[];
}

export interface Health {
  readonly state: 'healthy' | 'degraded' | 'unhealthy';
  readonly circuit: 'closed' | 'open' | 'half_open';
  readonly reason: string;
}

export interface Offer {
  readonly capability: string;
  readonly model: string;
  readonly available: boolean;
  readonly unavailableBecause: string | null;
  readonly priceUsd: Price;
  readonly latencyMs: { readonly base: number; readonly perSecond: number };
  readonly quality: number;
  readonly limits: { readonly seconds?: number; readonly characters?: number };
}

export type Price = Readonly<
  Partial<
    Record<
      | 'perCall'
      | 'perSecond'
      | 'perImage'
      | 'perThousandCharacters'
      | 'perMillionInput'
      | 'perMillionCachedInput'
      | 'perMillionOutput',
      number
    >
  >
>;

/** A capability, and the providers that offer it. */
export interface Capability {
  readonly capability: string;
  readonly status: 'available' | 'unavailable' | 'planned';
  readonly modes: readonly string[];
  readonly providers: readonly (Offer & {
    readonly provider: string;
    readonly title: string;
    /** Health of the provider for this capability alone. */
    readonly health: Health;
  })[];
}

/** Outcome of a provider's calls for the caller's own work. */
export interface Posture {
  readonly provider: string;
  readonly calls: number;
  readonly settled: number;
  readonly released: number;
  readonly costUsd: number;
  readonly latencyMs: { readonly p50: number | null; readonly p95: number | null };
}

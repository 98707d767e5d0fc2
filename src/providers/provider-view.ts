import type { MediaCapability } from '#queues/providers.ts';
import type { Provider } from './catalogue.ts';
import type { ProviderHealth } from './health.ts';

/** How a provider is, for whoever looks. */
export function healthView(health: ProviderHealth | undefined) {
  const { state = 'healthy', circuit = 'closed', reason = '' } = health ?? {};
  return { state, circuit, reason };
}

/** What one provider offers of one capability; prices in dollars, times in milliseconds. */
export function offerView({ capabilities }: Provider, capability: MediaCapability, health: ProviderHealth | undefined) {
  const offered = capabilities[capability];
  const lacking = health?.without?.get(capability) ?? (health?.state === 'unhealthy' ? health.reason : null);
  return {
    model: offered?.model ?? '',
    available: lacking === null,
    unavailableBecause: lacking,
    priceUsd: { ...offered?.price },
    latencyMs: {
      base: (offered?.latency.base ?? 0) * 1_000,
      perSecond: (offered?.latency.perSecond ?? 0) * 1_000,
    },
    quality: offered?.quality ?? 0,
    limits: { ...offered?.limits },
  };
}

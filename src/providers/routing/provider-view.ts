import type { MediaCapability } from '#queues/providers.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import { type Health, healthFor, type ProviderHealth } from './health.ts';

/** Builds the public view of a provider's health, in all or for one capability. */
export function healthView(health: Health | undefined) {
  const { state = 'healthy', circuit = 'closed', reason = '' } = health ?? {};
  return { state, circuit, reason };
}

/** Builds the view of one provider's offer of one capability; prices in dollars, times in milliseconds. */
export function offerView({ capabilities }: Provider, capability: MediaCapability, health: ProviderHealth | undefined) {
  const offered = capabilities[capability];
  const own = healthFor(health, capability);
  const lacking = health?.without?.get(capability) ?? (own?.state === 'unhealthy' ? own.reason : null);
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

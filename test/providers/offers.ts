import type { Offered, Provider } from '#src/providers/catalogue/catalogue.ts';

/** An offer with ordinary figures, except what a test cares for. */
export function offer(overrides: Partial<Offered> = {}): Offered {
  return { model: 'model-1', price: { perCall: 0.02 }, latency: { base: 5 }, quality: 0.5, ...overrides };
}

/** A provider of pictures that is never called, except for what a test cares for. */
export function provider(overrides: Partial<Provider> = {}): Provider {
  return {
    id: 'one',
    title: 'One',
    style: 'replicate-style',
    url: 'https://one.example/v1',
    capabilities: { 'image.generate': offer() },
    ...overrides,
  };
}

import type { Adapter } from '#src/providers/catalogue/adapter.ts';
import type { ProviderStyle } from '#src/providers/catalogue/catalogue.ts';
import { falAdapter } from './fal.ts';
import { localAdapter } from './local.ts';
import { openaiAdapter } from './openai.ts';
import { replicateAdapter } from './replicate.ts';

const adapters: Readonly<Record<ProviderStyle, Adapter>> = {
  'local-animatic': localAdapter,
  'openai-compatible': openaiAdapter,
  'replicate-style': replicateAdapter,
  'fal-style': falAdapter,
};

/** Returns the adapter of a provider style. */
export function adapterOf(style: ProviderStyle): Adapter {
  return adapters[style];
}

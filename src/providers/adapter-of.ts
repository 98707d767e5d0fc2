import type { Adapter } from './adapter.ts';
import { falAdapter } from './adapters/fal.ts';
import { localAdapter } from './adapters/local.ts';
import { openaiAdapter } from './adapters/openai.ts';
import { replicateAdapter } from './adapters/replicate.ts';
import type { ProviderStyle } from './catalogue.ts';

const adapters: Readonly<Record<ProviderStyle, Adapter>> = {
  'local-animatic': localAdapter,
  'openai-compatible': openaiAdapter,
  'replicate-style': replicateAdapter,
  'fal-style': falAdapter,
};

/** How providers of a style are called. */
export function adapterOf(style: ProviderStyle): Adapter {
  return adapters[style];
}

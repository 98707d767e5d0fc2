import { AppError } from '#src/lib/errors.ts';
import type { Adapter } from './adapter.ts';
import { falAdapter } from './adapters/fal.ts';
import { openaiAdapter } from './adapters/openai.ts';
import { replicateAdapter } from './adapters/replicate.ts';
import type { ProviderStyle } from './catalogue.ts';

const adapters: Partial<Readonly<Record<ProviderStyle, Adapter>>> = {
  'openai-compatible': openaiAdapter,
  'replicate-style': replicateAdapter,
  'fal-style': falAdapter,
};

/** How providers of a style are called. @throws AppError `media_unavailable` for one that this process cannot call */
export function adapterOf(style: ProviderStyle): Adapter {
  const adapter = adapters[style];
  if (adapter) return adapter;
  throw new AppError('media_unavailable', `expected a style of ${Object.keys(adapters).join(', ')}, got ${style}.`, {
    style,
  });
}

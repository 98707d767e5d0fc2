import type { MediaCapability } from '#queues/providers.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Adapter, Generated, ProviderCall } from '#src/providers/catalogue/adapter.ts';
import { speak, transcribe } from './openai-audio.ts';
import { makeImages } from './openai-images.ts';
import { write } from './openai-text.ts';

const makers: Partial<Readonly<Record<MediaCapability, (call: ProviderCall) => Promise<Generated>>>> = {
  'image.generate': makeImages,
  'image.edit': makeImages,
  'tts.synthesize': speak,
  'audio.transcribe': transcribe,
  'text.generate': write,
};

/**
 * One exchange with a service that speaks OpenAI's API of pictures, sound and text.
 *
 * @see https://platform.openai.com/docs/api-reference
 */
export const openaiAdapter: Adapter = {
  kind: 'exchange',
  repeat: ({ idempotent }) => (idempotent ? 'idempotent' : 'neither'),
  generate: async (call) => {
    const make = makers[call.capability];
    if (make) return await make(call);
    throw new AppError('invalid_request', `expected one of ${Object.keys(makers).join(', ')}, got ${call.capability}.`);
  },
};

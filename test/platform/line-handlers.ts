import { batch, respond } from '#queues/platform.ts';
import { generate } from '#queues/providers.ts';
import { keepAsset } from '#src/providers/assets/assets.ts';
import { respondProcessor } from '#workers/platform/respond.ts';
import { runBatchProcessor } from '#workers/platform/run-batch.ts';
import { handler } from '#workers/run/processor.ts';

const kindOf = (capability: string) => {
  if (capability.startsWith('image.')) return { kind: 'image', mediaType: 'image/png' } as const;
  const isSound = capability.startsWith('tts.') || capability.startsWith('music.');
  return isSound
    ? ({ kind: 'audio', mediaType: 'audio/wav' } as const)
    : ({ kind: 'video', mediaType: 'video/mp4' } as const);
};

/** The platform's processors, beside a provider that makes one thing of the kind that it is asked for. */
export const handlers = [
  handler(batch, runBatchProcessor),
  handler(respond, respondProcessor),
  handler(generate, async ({ payload: { name, surface, capability }, job, context }) => {
    const made = { provider: 'many', cost: 0, tried: [] };
    if (capability === 'audio.transcribe') return { ...made, assets: [], text: 'What was said.' };
    const { id, kind, mediaType } = await keepAsset(context, {
      owner: job.owner,
      job: job.id,
      name,
      capability,
      provider: 'many',
      surface,
      produced: { ...kindOf(capability), bytes: Buffer.from(capability) },
    });
    return { ...made, assets: [{ id, name, kind, mediaType }] };
  }),
];

import { generate } from '#queues/providers.ts';
import { publish } from '#queues/studio.ts';
import { AppError } from '#src/lib/errors.ts';
import { assetBytes, keepAsset, readAsset } from '#src/providers/assets/assets.ts';
import { handler } from '#workers/run/processor.ts';
import { publishPackagesProcessor } from '#workers/studio/publish-packages.ts';

const sizes = { '16:9': [1_280, 720], '9:16': [720, 1_280], '1:1': [720, 720], '4:5': [720, 900] } as const;

const untilAborted = async (signal: AbortSignal) =>
  await new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** Nobody waits for minutes here: the queue as it is, but for the pauses between its attempts. */
const impatient = { ...publish, backoffMs: 10, backoffCapMs: 50 };

/**
 * The processor of publications, beside a provider that says of any film that it has the shape and length that were asked
 * for, with a thumbnail; of one that is called `unreadable` that it cannot.
 */
export const handlers = [
  handler(impatient, publishPackagesProcessor),
  handler(generate, async ({ payload, job, context, signal }) => {
    const { request, name, surface, capability } = payload;
    const { aspect = '16:9', seconds } = request;
    const original = await readAsset(context, request.inputs?.video ?? '', job.owner);
    if (!original) throw new AppError('not_found', 'expected a film, got none.');
    if (original.name === 'unreadable') throw new AppError('provider_refused', 'expected a film, got noise.');
    if (original.name === 'slow') await untilAborted(signal);
    const [width, height] = sizes[aspect];
    const origin = { owner: job.owner, job: job.id, capability, provider: 'local-animatic', surface };
    const thumbnail = await keepAsset(context, {
      ...origin,
      name: `${name}-thumbnail`,
      produced: { kind: 'image', mediaType: 'image/png', bytes: Buffer.from(`glance at ${aspect}`), width, height },
    });
    const bytes = Buffer.concat([await assetBytes(context, original), Buffer.from(` in ${aspect}, ${seconds} s`)]);
    const film = await keepAsset(context, {
      ...origin,
      name: `${name}-video`,
      produced: {
        kind: 'video',
        mediaType: 'video/mp4',
        bytes,
        width,
        height,
        ...(seconds !== undefined && { duration: seconds }),
      },
      thumbnailId: thumbnail.id,
    });
    const ref = ({ id, name: called, kind, mediaType }: typeof film) => ({ id, name: called, kind, mediaType });
    return { provider: 'local-animatic', assets: [ref(film), ref(thumbnail)], cost: 0, tried: [] };
  }),
];

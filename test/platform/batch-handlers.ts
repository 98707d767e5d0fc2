import { batch } from '#queues/platform.ts';
import { generate } from '#queues/providers.ts';
import { AppError } from '#src/lib/errors.ts';
import { keepAsset } from '#src/providers/assets/assets.ts';
import { runBatchProcessor } from '#workers/platform/run-batch.ts';
import { handler } from '#workers/run/processor.ts';

const untilAborted = async (signal: AbortSignal) =>
  await new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** Nobody waits for a minute here: the queue as it is, but for the pauses between its attempts. */
const impatient = { ...batch, backoffMs: 10, backoffCapMs: 50 };

/**
 * The processor of batches, beside a provider that does what a prompt says: `refuse` is refused, `wait` goes on until it is
 * stopped, `doomed` the same in a process that is to be killed, any other is a picture, of which `cheap` and `doomed`
 * leave nothing behind.
 */
export const handlers = [
  handler(impatient, runBatchProcessor),
  handler(generate, async ({ payload, job, context, signal }) => {
    const { request, name, surface, capability } = payload;
    const { prompt } = request;
    if (prompt === 'refuse') throw new AppError('provider_refused', 'expected something harmless, got this.');
    if (prompt === 'wait' || (prompt === 'doomed' && process.env['DOOMED'] === 'yes')) await untilAborted(signal);
    const made = { provider: 'local-animatic', cost: 0, tried: [] };
    if (prompt === 'cheap' || prompt === 'doomed') return { ...made, assets: [] };
    const { id, kind, mediaType } = await keepAsset(context, {
      owner: job.owner,
      job: job.id,
      name,
      capability,
      provider: 'local-animatic',
      surface,
      produced: { kind: 'image', mediaType: 'image/svg+xml', bytes: Buffer.from(`<svg><!-- ${prompt} --></svg>`) },
    });
    return { ...made, assets: [{ id, name, kind, mediaType }] };
  }),
];

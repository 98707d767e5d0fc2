import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerCalls } from '#bench/lib/calls.ts';
import { now } from '#bench/lib/clock.ts';
import { handlers } from '#bench/load/batch-handlers.ts';
import { batch } from '#queues/platform.ts';
import { generate } from '#queues/providers.ts';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { openBatch } from '#src/platform/batches/batch-store.ts';
import { recordFile } from '#src/platform/files/file-store.ts';
import { blobsOf } from '#src/system/blobs/blobs.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { startFleet } from '#workers/run/fleet.ts';

/** A worker process that carries out one batch at a time, with the loops that an API process has. */
const context = await openContext(loadConfig(), 'worker');
startSweep(context, [batch.name, generate.name]);
startRelay(context);
await startFleet(context, {
  name: 'platform',
  handlers,
  module: new URL('../load/batch-handlers.ts', import.meta.url),
});

/** Heap and buffers after a collection, MiB. */
function heldMb(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

function* linesOf(lines: number, bytes: number) {
  const prompt = 'x'.repeat(bytes);
  for (let line = 1; line <= lines; line++) {
    const body = { prompt };
    yield `${JSON.stringify({ custom_id: `line-${line}`, method: 'POST', url: '/v1/images/generations', body })}\n`;
  }
}

answerCalls({
  /** Carries out `lines` lines of about `bytes` bytes. @throws after ten minutes */
  run: async ({ lines, bytes }: { lines: number; bytes: number }) => {
    const content = await blobsOf(context).put(Readable.from(linesOf(lines, bytes), { objectMode: false }));
    const owner = 'bench';
    const { id: file } = await context.db.transaction(
      async (tx) =>
        await recordFile(context, tx, content, { owner, name: 'bench', purpose: 'batch', mediaType: 'text/plain' }),
    );
    const before = heldMb();
    const from = now();
    const payload = { file, ...content, endpoint: null, metadata: null, outputSeconds: null, keyId: null };
    const { job } = await submit(context, batch, { principal: { owner }, payload });
    let most = before;
    for (const deadline = from + 600_000; ; await sleep(250)) {
      most = Math.max(most, heldMb());
      const { completed, endedAt } = await openBatch(context, job.id, owner, payload);
      if (endedAt) return { completed, seconds: (now() - from) / 1_000, sizeMb: content.size / 2 ** 20, before, most };
      if (now() > deadline) throw new Error(`expected ${lines} lines within ten minutes, got ${completed}`);
    }
  },
});

import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHelper } from '#bench/lib/calls.ts';
import type { Claim } from '#bench/lib/claim.ts';
import { atLeast, figure, table } from '#bench/lib/markdown.ts';

/** The most that a batch may hold beside what its process held before, whatever the size of its file. */
const MOST_MB = 40;

interface Measured {
  readonly completed: number;
  readonly seconds: number;
  readonly sizeMb: number;
  readonly before: number;
  readonly most: number;
}

/** Memory and pace of a worker that carries out a whole batch: one of short lines, and one nearly as large as may be. */
export const batch: Claim = async (servers, { quick, say }) => {
  const lines = quick ? 500 : 10_000;
  const measured: Measured[] = [];
  for (const bytes of [100, 18_000]) {
    await using home = await mkdtempDisposable(join(tmpdir(), 'proofline-bench-batch-'));
    const env = { ...(await servers.fresh('ours')), PROOFLINE_HOME: home.path };
    await using worker = await startHelper(new URL('../children/batch.ts', import.meta.url), env);
    measured.push(await worker.call('run', { lines, bytes }));
    say(`  ${lines} lines of ${bytes} bytes`);
  }
  const held = ({ most, before }: Measured) => most - before;
  return {
    title: `A batch of ${lines.toLocaleString('en-US')} lines`,
    body: [
      'Lines whose work is nothing, in one worker process that carries out the batch and its jobs; heap and buffers after a collection, the most of four samples a second beside what was held before.',
      table(
        ['file, MiB', 'lines a second', 'held at most, MiB'],
        measured.map((one) => [one.sizeMb, one.completed / one.seconds, held(one)].map(figure)),
      ),
    ].join('\n\n'),
    verdicts: [
      atLeast('a batch of short lines:', 2_500, measured[0]!.completed / measured[0]!.seconds, 'lines/s'),
      ...measured.map((one) => ({
        promise: `a batch of ${figure(one.sizeMb)} MiB holds at most ${MOST_MB} MiB`,
        measured: `${figure(held(one))} MiB, ${one.completed} of ${lines} lines`,
        held: held(one) <= MOST_MB && one.completed === lines,
      })),
    ],
  };
};

import { expect, test } from 'vitest';
import { mineInTime } from '#src/system/embedded/mine-in-time.ts';

test('a transaction that comes between the question and the block is made final as any other, and then nothing is mined', async () => {
  const exited = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  /** Transactions of each block. */
  const blocks: number[] = [];
  let pending = 0;
  let idle = 0;
  mineInTime(
    {
      getTxpoolStatus: async () => {
        const status = { pending };
        // the first block after the start has something that nobody had announced
        if (blocks.length === 0) pending = 1;
        if (blocks.length === 5 && ++idle === 3) asked.resolve();
        return status;
      },
      mine: async () => {
        blocks.push(pending);
        pending = 0;
      },
      getBlockTransactionCount: async () => blocks.at(-1) ?? 0,
    },
    1,
    2,
    exited.promise,
  );
  await asked.promise;
  exited.resolve();
  expect(blocks).toEqual([1, 0, 0, 0, 0]);
});

/** The part of a chain's client that makes blocks. */
export interface Miner {
  readonly getTxpoolStatus: () => Promise<{ readonly pending: number }>;
  readonly mine: (parameters: { readonly blocks: number }) => Promise<void>;
  /** Number of transactions in the newest block. */
  readonly getBlockTransactionCount: () => Promise<number>;
}

/** A block in every interval with something for it, and then as many empty ones as make it final. */
export function mineInTime(client: Miner, everyMs: number, depth: number, exited: Promise<unknown>): void {
  let empty = 0;
  const turn = async () => {
    const { pending } = await client.getTxpoolStatus();
    if (pending === 0 && empty >= 2 * depth) return;
    await client.mine({ blocks: 1 });
    // one that came since the question is in this block too, and nothing may come behind it to make it final
    empty = (await client.getBlockTransactionCount()) > 0 ? 0 : empty + 1;
  };
  // a turn that fails is followed by the next; one that outlasts the interval is not overtaken
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    void turn()
      .catch(() => {})
      .finally(() => {
        busy = false;
      });
  }, everyMs);
  timer.unref();
  void exited.finally(() => clearInterval(timer));
}

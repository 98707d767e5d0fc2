/** Wei of one unit of gas: the most that is paid in all, and the part of it above the base fee. */
export interface Fees {
  readonly maxFee: bigint;
  readonly priorityFee: bigint;
}

/** Enough for six full blocks in a row, each of which raises the base fee by an eighth; `most` bounds it. */
export function marketFees(baseFee: bigint, priorityFee: bigint, most: bigint): Fees {
  return bounded({ maxFee: 2n * baseFee + priorityFee, priorityFee }, most);
}

/**
 * Computes the fees of a replacement: both an eighth higher, rounded up, and no lower than the market's. Nodes refuse
 * less than a tenth. @see go-ethereum, core/txpool/legacypool, PriceBump
 */
export function bumpedFees({ maxFee, priorityFee }: Fees, market: Fees, most: bigint): Fees {
  return bounded(
    {
      maxFee: larger(market.maxFee, anEighthMore(maxFee)),
      priorityFee: larger(market.priorityFee, anEighthMore(priorityFee)),
    },
    most,
  );
}

/** Checks whether nodes take `fees` in the place of `before`. */
export function replaces(fees: Fees, before: Fees): boolean {
  return fees.maxFee >= anEighthMore(before.maxFee) && fees.priorityFee >= anEighthMore(before.priorityFee);
}

function bounded({ maxFee, priorityFee }: Fees, most: bigint): Fees {
  const max = maxFee < most ? maxFee : most;
  return { maxFee: max, priorityFee: priorityFee < max ? priorityFee : max };
}

const anEighthMore = (fee: bigint): bigint => (fee * 9n + 7n) / 8n;
const larger = (left: bigint, right: bigint): bigint => (left > right ? left : right);

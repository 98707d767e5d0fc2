/** ms on a clock that every process of this machine shares and none sets. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

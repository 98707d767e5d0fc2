/** Dollars in millionths, rounded up: an estimate is never below what it says. */
export function microUsd(usd: number): number {
  return Math.ceil(Math.round(usd * 1e9) / 1e3);
}

/** Dollars as text with six decimals: receipts hold no fractions as numbers. */
export function usdText(usd: number): string {
  return usd.toFixed(6);
}

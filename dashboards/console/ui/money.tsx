const plain = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD' });
const fine = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});

/** US dollars; below ten cents with as many digits as there are, since calls of models cost that little. */
export function Money({ usd }: { readonly usd: number }) {
  return <span className="number">{formatMoney(usd)}</span>;
}

export function formatMoney(usd: number): string {
  return (usd !== 0 && Math.abs(usd) < 0.1 ? fine : plain).format(usd);
}

const DECIMAL = /^-?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,4})?$/i;

/**
 * The finite number that a text writes in decimal, such as `12`, `-0.5`, `.5` or `1e3`; null for any other text. `Number()`
 * also takes `Infinity`, `1e999` (for the same), `0x10`, and blanks (for zero).
 */
export function readDecimal(text: string): number | null {
  if (!DECIMAL.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** One listed contract, as its OSI symbol names it. */
export interface OsiSymbol {
  readonly root: string;
  /** Expiry day, `YYYY-MM-DD`. */
  readonly date: string;
  readonly isCall: boolean;
  readonly strike: number;
}

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Reads root + yymmdd + C or P + strike × 1000 in eight digits, e.g. `SPXW261120C06000000`; null for anything else.
 * Spaces that pad the root to six characters are accepted.
 */
export function parseOsiSymbol(text: string): OsiSymbol | null {
  const series = parseOsiSeries(osiSeries(text));
  const strike = osiStrike(text);
  const isCall = osiIsCall(text);
  return series && isCall !== null && strike > 0 ? { ...series, isCall, strike } : null;
}

/** The part that all contracts of one root and day share: the text before the C or P. */
export function osiSeries(text: string): string {
  return text.slice(0, -9);
}

/** The strike of an OSI symbol, in points; NaN where the last eight characters are not digits. */
export function osiStrike(text: string): number {
  return digits(text, text.length - 8, 8) / 1000;
}

export function osiIsCall(text: string): boolean | null {
  const kind = text.charCodeAt(text.length - 9);
  return kind === 67 ? true : kind === 80 ? false : null;
}

/** Root and day of {@link osiSeries}; null unless the root is one and the day exists. */
export function parseOsiSeries(series: string): Pick<OsiSymbol, 'root' | 'date'> | null {
  const tail = series.length - 6;
  if (tail < 1 || tail > 6) return null;
  const root = series.slice(0, tail).trimEnd();
  const year = digits(series, tail, 2);
  const month = digits(series, tail + 2, 2);
  const day = digits(series, tail + 4, 2);
  if (!(isRoot(root) && year >= 0 && day >= 1 && day <= (DAYS[month - 1] ?? 0))) return null;
  if (month === 2 && day === 29 && year % 4 !== 0) return null;
  return {
    root,
    date: `20${series.slice(tail, tail + 2)}-${series.slice(tail + 2, tail + 4)}-${series.slice(tail + 4)}`,
  };
}

/** The inverse of {@link parseOsiSymbol}, for years 2000 to 2099. */
export function formatOsiSymbol({ root, date, isCall, strike }: OsiSymbol): string {
  const day = date.slice(2).replaceAll('-', '');
  return `${root}${day}${isCall ? 'C' : 'P'}${String(Math.round(strike * 1000)).padStart(8, '0')}`;
}

function isRoot(root: string): boolean {
  if (root.length === 0) return false;
  for (let i = 0; i < root.length; i++) {
    const code = root.charCodeAt(i);
    if (!((code >= 65 && code <= 90) || (i > 0 && code >= 48 && code <= 57))) return false;
  }
  return true;
}

/** The number in `count` ASCII digits from `start`; NaN if one of them is something else. */
function digits(text: string, start: number, count: number): number {
  let value = 0;
  for (let i = start; i < start + count; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

import { counted } from '#src/lib/text/counted.ts';

type Output = Readonly<Record<string, unknown>>;

const dollars = (value: unknown) => {
  const size = Math.abs(Number(value));
  const sign = Number(value) < 0 ? '−' : '';
  return size >= 1e9 ? `${sign}$${(size / 1e9).toFixed(2)} bn` : `${sign}$${(size / 1e6).toFixed(1)} m`;
};
const percent = (value: unknown) => `${Number(value) > 0 ? '+' : ''}${Number(value).toFixed(2).replace('-', '−')} %`;
const isSynthetic = (synthetic: unknown) => (synthetic === true ? ' (synthetic market)' : '');

/**
 * Writes a step's output as a sentence for its owner; null where its kind has none. The numbers are those of the
 * output.
 */
export const summaries: Readonly<Record<string, (output: Output) => string | null>> = {
  'analytics.oracle': ({ data }) => (data as { answer?: string } | null)?.answer ?? null,
  'analytics.snapshot': ({ symbol, data, as_of, synthetic }) => {
    const { spot, exposures, flips } = data as {
      spot: number;
      exposures: { net_gex: number };
      flips: { primary?: { level: number } | null };
    };
    const flip = flips.primary ? `, gamma flip ${flips.primary.level.toFixed(2)}` : '';
    return `${String(symbol)} at ${spot} as of ${String(as_of)}${isSynthetic(synthetic)}: net gamma ${dollars(exposures.net_gex)} per +1 %${flip}.`;
  },
  'analytics.stress': ({ results, before }) => {
    const rows = results as readonly Readonly<Record<string, unknown>>[];
    const books = before as readonly { symbol: string; synthetic: boolean }[];
    const shocks = rows.map((row) => {
      const days = Number(row['days']) > 0 ? ` after ${counted(Number(row['days']), 'day')}` : '';
      const pnl = (row['pnl'] as { hedged: number }).hedged;
      return `spot ${percent(row['spot_shock_pct'])}, volatility ${percent(row['vol_shock_pct'])}${days}: net gamma ${dollars(row['net_gex'])} per +1 %, hedged P&L of the dealers ${dollars(pnl)}`;
    });
    return `${books.map(({ symbol }) => symbol).join(', ')}${isSynthetic(books.some(({ synthetic }) => synthetic))}: ${shocks.join('; ')}.`;
  },
  'content.digest': ({ sha256, of }) => `SHA-256 of the ${String(of)}: ${String(sha256)}.`,
  'http.fetch': ({ url, status, bytes }) => `${String(url)} answered ${String(status)} with ${String(bytes)} bytes.`,
  'job.status': ({ jobId, state }) => `The job ${String(jobId)} is ${String(state).replaceAll('_', ' ')}.`,
  'receipt.verify': ({ integrity, authenticity, anchor }) =>
    `Integrity ${verdict(integrity)}, authenticity ${verdict(authenticity)}, anchor ${verdict(anchor)}.`,
  'notify.webhook': ({ url, status }) => `${String(url)} took the message (${String(status)}).`,
  'media.generate': ({ provider, assets }) => {
    const made = (assets as readonly { name: string; mediaType: string }[]).map(
      ({ name, mediaType }) => `${name} (${mediaType})`,
    );
    return `Made by ${String(provider)}: ${made.join(', ')}.`;
  },
};

/** The sentence of a step; null where there is none, also for an output of another form than expected. */
export function summaryOf(capability: string, output: unknown): string | null {
  if (typeof output !== 'object' || output === null) return null;
  try {
    return summaries[capability]?.(output as Output) ?? null;
  } catch {
    // kept by another release, in another form
    return null;
  }
}

const verdict = (part: unknown) => (part as { verdict?: string } | null)?.verdict ?? 'unknown';

import type { FastifyRequest } from 'fastify';
import { isMarketSymbol, type MarketSymbol, marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { liveKeys, marketName } from './publish-live.ts';

/**
 * Time for which a look keeps the market of a symbol at its full pace: longer than streams wait between two
 * comparisons.
 */
const AUDIENCE_MS = 60_000;
/** Each process writes it down at most this often for a symbol. */
const NOTE_MS = 5_000;

/** Time at which this process last wrote each symbol down, of `performance.now()`. */
const notedAt = perContext((): Map<MarketSymbol, number> => new Map());

const keyOf = ({ config }: Pick<Context, 'config'>, symbol: MarketSymbol): string =>
  liveKeys(config, marketName(symbol)).watched;

/**
 * Writes down in Redis that a client reads these symbols now. Never waits and never fails: a lost note costs some pace.
 */
export function noteAudience(context: Context, symbols: readonly MarketSymbol[]): void {
  const noted = notedAt(context);
  const now = performance.now();
  for (const symbol of symbols) {
    if (now - (noted.get(symbol) ?? -Infinity) < NOTE_MS) continue;
    noted.set(symbol, now);
    context.redis.set(keyOf(context, symbol), '1', 'PX', AUDIENCE_MS).catch((error: unknown) => {
      noted.delete(symbol);
      context.log.debug({ err: error, symbol }, 'the audience of a symbol was not noted');
    });
  }
}

/** A hook for the routes of the market: the symbol of the path has an audience, or all have where it names none. */
export function noteRequest(context: Context): (request: FastifyRequest) => Promise<void> {
  return async ({ params }) => {
    const { symbol = '' } = params as { symbol?: string };
    const named = symbol.toUpperCase();
    noteAudience(context, isMarketSymbol(named) ? [named] : marketSymbols);
  };
}

/** Symbols that a client has read within the last minute, over any process; none while Redis is away. */
export async function watchedSymbols(context: Context): Promise<ReadonlySet<MarketSymbol>> {
  const watched = await Promise.all(
    marketSymbols.map(async (symbol) => (await context.redis.exists(keyOf(context, symbol)).catch(() => 0)) === 1),
  );
  return new Set(marketSymbols.filter((_symbol, at) => watched[at]));
}

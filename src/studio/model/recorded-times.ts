import { sql } from 'slonik';
import { Type } from 'typebox';
import type { GenerationRequest, MediaCapability } from '#queues/providers.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import { quote } from '#src/providers/routing/quote.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Calls that are looked at in all, the newest first. */
const MOST_CALLS = 200;
/** Fewer calls of one kind say nothing. */
const LEAST_CALLS = 3;

const Recorded = Type.Object({
  provider: Type.String(),
  capability: Type.Unsafe<MediaCapability>({ type: 'string' }),
  ms: Type.Number(),
  request: Type.Unsafe<GenerationRequest>({}),
});

/**
 * Ratio of a call's recorded time to its catalogue's, by provider and capability; undefined where too few calls are
 * recorded.
 */
export type RecordedTimes = (provider: string, capability: string) => number | undefined;

/**
 * Compares the recent times of provider calls with the catalogue's: the median of each kind. The time is that of the
 * call; waiting for a worker is not in it.
 */
export async function recordedTimes(
  { db }: Pick<Context, 'db'>,
  catalogue: readonly Provider[],
): Promise<RecordedTimes> {
  const calls = await db.any(sql.type(row(Recorded))`
    select c.provider, c.capability, extract(epoch from c.ended_at - c.created_at)::float8 * 1000 as ms,
      j.payload -> 'request' as request
    from provider_calls c join jobs j on j.id = c.job
    where c.state = 'settled' and j.queue = 'providers.generate' order by c.ended_at desc limit ${MOST_CALLS}`);
  const ratios = new Map<string, number[]>();
  for (const { provider: id, capability, ms, request } of calls) {
    const provider = catalogue.find((one) => one.id === id);
    if (!provider?.capabilities[capability]) continue;
    const { latencyMs } = quote(provider, capability, request);
    if (latencyMs > 0) ratios.getOrInsertComputed(`${id} ${capability}`, () => []).push(ms / latencyMs);
  }
  return (provider, capability) => {
    const known = ratios.get(`${provider} ${capability}`)?.toSorted((left, right) => left - right) ?? [];
    return known.length < LEAST_CALLS ? undefined : known[Math.floor(known.length / 2)];
  };
}

import type { Gauge } from 'prom-client';
import { sharedAnswer } from '#src/lib/async/shared-answer.ts';
import type { Context } from './context.ts';

/** The gauges of one scrape are read together. */
const SHARED_MS = 500;

/** Has `read` fill these gauges at every scrape, once for all of them. */
export function fillGauges({ log }: Pick<Context, 'log'>, gauges: readonly Gauge[], read: () => Promise<void>): void {
  const collect = sharedAnswer(SHARED_MS, async () => {
    // a scrape while a server is away must still show everything else
    await read().catch((error: unknown) => log.debug({ err: error }, 'gauges were not read'));
  });
  for (const gauge of gauges) Object.assign(gauge, { collect });
}

import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { atmVolatility } from '#src/analytics/domain/book/atm-volatility.ts';
import { priceBook } from '#src/analytics/domain/book/price-book.ts';
import { sessionOf } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { tradingHours } from '#src/analytics/domain/calendar/horizons.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { markets } from '#src/analytics/domain/chain/symbols.ts';
import { charmTable, vannaTable } from '#src/analytics/domain/exposures/exposure-table.ts';
import { EXPOSURE_TABLE } from '#src/analytics/domain/exposures/exposure-table-schema.ts';
import { exposures } from '#src/analytics/domain/exposures/exposures.ts';
import { charm } from '#src/analytics/domain/hedging/charm.ts';
import { charmSchedule } from '#src/analytics/domain/hedging/charm-schedule.ts';
import { CHARM_SCHEDULE } from '#src/analytics/domain/hedging/charm-schedule-schema.ts';
import { CHARM } from '#src/analytics/domain/hedging/charm-schema.ts';
import { flowForecast } from '#src/analytics/domain/hedging/flow-forecast.ts';
import { FLOW_FORECAST } from '#src/analytics/domain/hedging/flow-forecast-schema.ts';
import { hedgingBands } from '#src/analytics/domain/hedging/hedging-bands.ts';
import { HEDGING_BANDS } from '#src/analytics/domain/hedging/hedging-bands-schema.ts';
import { vannaCharmSignal } from '#src/analytics/domain/hedging/vcm.ts';
import { VCM } from '#src/analytics/domain/hedging/vcm-schema.ts';
import { bucketFlips } from '#src/analytics/domain/levels/bucket-flips.ts';
import { BUCKET_FLIPS } from '#src/analytics/domain/levels/bucket-flips-schema.ts';
import { allLevels } from '#src/analytics/domain/levels/levels.ts';
import { ALL_LEVELS } from '#src/analytics/domain/levels/levels-schema.ts';
import { staticPositions } from '#src/analytics/domain/positions/positions-static.ts';
import { dealerStability } from '#src/analytics/domain/regime/dsi.ts';
import { DSI } from '#src/analytics/domain/regime/dsi-schema.ts';
import { gammaThetaBurn } from '#src/analytics/domain/regime/gtbr.ts';
import { GTBR } from '#src/analytics/domain/regime/gtbr-schema.ts';
import { shadowGamma } from '#src/analytics/domain/regime/shadow-gamma.ts';
import { SHADOW_GAMMA } from '#src/analytics/domain/regime/shadow-gamma-schema.ts';
import { skewStickiness } from '#src/analytics/domain/regime/skew-stickiness.ts';

const folder = new URL('../../../../../shared/data/cboe/', import.meta.url);
const absent = existsSync(folder) ? undefined : 'skipped: the real chains are not in ../shared/data';

test.for(['SPX', 'SPY'] as const)(
  'every metric of the %s chain of 2023-09-14 fits its schema, in the sizes of that market',
  (symbol, { skip }) => {
    skip(absent !== undefined, absent);
    const file = new URL(`${symbol.toLowerCase()}-2023-09-14.csv.gz`, folder);
    const chain = cleanChain(readChain(gunzipSync(readFileSync(file)).toString(), symbol));
    const { book, coverage } = priceBook(chain);
    const asOf = Date.parse(chain.asOf);
    // The chain was taken after the close: the session ahead is the third Friday's.
    const session = sessionOf('2023-09-15');
    const { advUsd } = markets[symbol];
    const volatility = atmVolatility(book);
    const slopes = Float64Array.from(book.expiries, ({ years }) => (0.5 * -0.12) / Math.sqrt(Math.max(years, 0.01)));
    const common = { book, stickiness: skewStickiness([]), slopes, atmVolatility: volatility, advUsd, asOf, session };
    const fits = <Result>(schema: TSchema, result: Result): Result => {
      expect([...Value.Errors(schema, result)]).toEqual([]);
      return result;
    };
    const shadow = fits(SHADOW_GAMMA, shadowGamma(common));
    expect(Math.abs(shadow.gex)).toBeLessThanOrEqual(shadow.gex_abs);
    expect(fits(DSI, dealerStability(common)).status).toBe('insufficient_history');
    const burn = fits(GTBR, gammaThetaBurn({ book, realisedVolatility: 0.1 }));
    // Near the money volatility was about eleven percent that day; the wings of the last day, quoted by the tick, add.
    expect(burn.sigma_gamma! > 0.09 && burn.sigma_gamma! < (symbol === 'SPX' ? 0.16 : 0.4)).toBe(true);
    fits(VCM, vannaCharmSignal({ ...common, horizon: tradingHours(3), realisedVolatility: 0.1 }));
    const bands = fits(HEDGING_BANDS, hedgingBands(common));
    for (const edge of [bands.lower, bands.upper]) expect(Math.abs(edge!.level / book.spot - 1)).toBeLessThan(0.05);
    expect(fits(CHARM, charm(common)).by_expiry.length).toBeGreaterThan(20);
    const schedule = fits(CHARM_SCHEDULE, charmSchedule(common));
    expect([schedule.status, schedule.windows.length]).toEqual(['ok', 15]);
    const scenarios = [{ spotReturn: 0.01, years: 1 / 365, volPoints: -1 }];
    expect(fits(FLOW_FORECAST, flowForecast({ ...common, scenarios })).horizons).toHaveLength(3);
    const own = staticPositions(book);
    for (const table of [vannaTable(book, own), charmTable(book, own)]) fits(EXPOSURE_TABLE, table);
    const { gexByContract } = exposures(book);
    fits(ALL_LEVELS, allLevels({ book, gexByContract, flip: null, asOf }));
    const buckets = fits(BUCKET_FLIPS, bucketFlips({ book, asOf, coverage }));
    expect([buckets.zero_dte.expiries, buckets.all.flips.status]).toEqual([0, 'ok']);
    expect(buckets.monthly.expiries).toBeGreaterThan(8);
    const dynamics = { regime: 'ssr', skewAt: (e: number) => 2 * slopes[e]! } as const;
    const moving = fits(BUCKET_FLIPS, bucketFlips({ book, asOf, coverage, dynamics }));
    const [still, slid] = [buckets.all.flips.primary!.level, moving.all.flips.primary!.level];
    expect(Math.abs(slid / still - 1)).toBeLessThan(0.03);
  },
);

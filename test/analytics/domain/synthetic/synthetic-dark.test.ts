import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { sessionOn } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { DARK_POOL } from '#src/analytics/domain/darkpool/dark-pool-schema.ts';
import { darkShare } from '#src/analytics/domain/darkpool/short-volume-share.ts';
import { marketFigures } from '#src/analytics/domain/figures/market-figures.ts';
import { observe } from '#src/analytics/domain/signals/observe.ts';
import { OBSERVATION } from '#src/analytics/domain/signals/signals-schema.ts';
import { syntheticDarkTapes } from '#src/analytics/domain/synthetic/dark-tapes.ts';
import { readShortVolume } from '#src/analytics/domain/tapes/finra-short-volume.ts';
import { sectionAnswers } from '#src/analytics/sections/section-answers.ts';
import { seed, syntheticMarket } from '#test/analytics/synthetic.ts';

const at = Date.parse('2025-11-20T17:00:00Z');
const session = sessionOn('2025-11-20');
const market = syntheticMarket('SPX');
const tapes = syntheticDarkTapes(seed, market.path);
const dark = tapes('SPX', at);
const chain = market.chainAt(at);
const facts = { chain, advUsd: 4e11, session, realisedVolatility: 0.15, open: market.spotAt(session.open), flow: null };
const figures = marketFigures({ ...facts, dark });

test('the tapes of an index are its fund’s: files that were known, prints of the session so far', () => {
  expect(dark.days).toHaveLength(61);
  expect(dark.days[0]?.date).toBe('2025-11-19');
  for (const { knowledgeTime } of dark.days) expect(knowledgeTime).toBeLessThan(at);
  const row = readShortVolume(market.shortVolumeOf('2025-11-19') ?? '').rows.get('SPY');
  expect(dark.days[0]).toMatchObject({ totalVolume: row?.totalVolume, shortVolume: row?.shortVolume });
  expect(dark.prints.length).toBeGreaterThan(100);
  for (const { time } of dark.prints) expect(time >= session.open && time <= at).toBe(true);
  expect(tapes('SPX', at)).toEqual(dark);
  expect(tapes('SPY', at)).toEqual(dark);
  expect(tapes('QQQ', at).days[0]?.totalVolume).not.toBe(row?.totalVolume);
  // the next day knows one file more, and still as many
  const next = tapes('SPX', at + 86_400_000);
  expect([next.days.length, next.days[0]?.date, next.days[1]]).toEqual([61, '2025-11-20', dark.days[0]]);
});

test('the dark-pool section of the synthetic market has every figure but those of constituents', () => {
  const answer = JSON.parse(sectionAnswers(figures, 'configured').get('darkpool:1') ?? '');
  expect(Compile(DARK_POOL).Check(answer.data)).toBe(true);
  expect(answer).toMatchObject({
    status: 'ok',
    // the file is of the fund and of yesterday, the chain of today
    data_as_of: {
      chain: chain.asOf,
      short_volume: '2025-11-19',
      prints: new Date(dark.prints.at(-1)!.time).toISOString(),
    },
    data: {
      symbol: 'SPX',
      proxy: 'SPY',
      dpi: darkShare(dark.days[0]!),
      dpi_z_status: 'ok',
      dix_status: 'no_constituents',
      gci_status: 'ok',
      levels_status: 'ok',
      prints: dark.prints.length,
    },
  });
});

test('a chain without tapes has no dark-pool figure, and each says why', () => {
  const answer = JSON.parse(sectionAnswers(marketFigures(facts), 'own').get('darkpool:1') ?? '');
  expect([answer.status, answer.data.status]).toEqual(['no_tapes', 'no_tapes']);
  expect(answer.data).toMatchObject({ dpi: null, dpi_status: 'no_data', gci: null, gci_status: 'no_proxy_price' });
});

test('signals are made of the figures of a generation, off-exchange confirmation among them', () => {
  const first = figures.generations['1']!;
  const observation = observe(first, { chain, session, open: facts.open, pPositive: 0.3 });
  expect(Compile(OBSERVATION).Check(observation)).toBe(true);
  expect(observation).toMatchObject({
    symbol: 'SPX',
    as_of: at,
    minutes_to_close: 240,
    next_close: Date.parse('2025-11-21T21:00:00Z'),
    net_gex: first.analytics.exposures.net_gex,
    gex_p_positive: 0.3,
    call_wall: first.levels.call_wall,
    gci_confirmed: expect.any(Boolean),
  });
  const marks = first.darkpool.levels;
  expect(marks.map(({ level }) => level)).toContain(observation.confirmed_level);
  const level = { ...marks[0]!, level: observation.spot * 1.01, confirmed: true };
  const confirmedAt = (p: number | null) =>
    observe(
      { ...first, darkpool: { ...first.darkpool, gci_p_value: p, levels: [...marks, level] } },
      { chain, session, open: null, pPositive: null },
    );
  const others = marks.map((mark) => ({ ...mark, confirmed: false }));
  const unconfirmed = observe(
    { ...first, darkpool: { ...first.darkpool, gci_p_value: 0.01, levels: others } },
    { chain, session, open: null, pPositive: null },
  );
  expect(unconfirmed.gci_confirmed).toBe(false);
  expect([confirmedAt(0.01).gci_confirmed, confirmedAt(0.2).gci_confirmed, confirmedAt(null).gci_confirmed]).toEqual([
    true,
    false,
    null,
  ]);
});

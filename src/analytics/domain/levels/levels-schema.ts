import { type Static, Type } from 'typebox';
import { closed, maybe, number } from '#src/analytics/domain/schema-parts.ts';

/** Walls and other levels of a book, which its streams publish as well. */
export const BOOK_LEVELS = {
  call_wall: maybe(
    'Strike at or above spot where dealers are most long calls, by gamma, points; null where they are long none there',
  ),
  put_wall: maybe(
    'Strike at or below spot where dealers are most short puts, by gamma, points; null where they are short none there',
  ),
  abs_gamma: maybe('Strike with the most gross gamma, points'),
  hvl: maybe('Strike where cumulative GEX by strike is least, points; not the flip'),
  hvl_cumulative_gex: maybe('Cumulative GEX there, $ per +1 % spot'),
  atm_volatility: maybe('Volatility at the money for 30 days, decimal per square root of a year'),
  expected_move_1d: maybe('One standard deviation of a day, points'),
};

/** All levels as the API sends them. */
export const ALL_LEVELS = closed(
  {
    ...BOOK_LEVELS,
    expected_range_1d: Type.Union(
      [closed({ lower: number('Spot less it, points'), upper: number('Spot plus it, points') }), Type.Null()],
      { description: 'One standard deviation of a day around spot' },
    ),
    flip: maybe('Primary gamma flip, points'),
    vol_trigger: closed(
      {
        level: maybe('The same number as flip, points'),
        alias_of: Type.Literal('flip', { description: 'Another name in the trade for what is here the flip' }),
      },
      'Volatility trigger',
    ),
    pin_strike: maybe('Strike with the most gross gamma of today’s expiries within half an expected move, points'),
    pin_status: Type.Enum(['ok', 'no_zero_dte', 'no_strike_in_range', 'no_volatility'], {
      description: 'Whether there is a pin strike, and if not, why',
    }),
    max_pain: Type.Array(
      closed({
        expiry: Type.String({ description: 'Root and day' }),
        level: maybe('Strike at which holders of its open interest are paid least, points; null without any'),
      }),
      { description: 'By expiry, in the order of settlement' },
    ),
  },
  { title: 'MarketLevels', description: 'Strikes and levels people watch' },
);

export type AllLevels = Static<typeof ALL_LEVELS>;

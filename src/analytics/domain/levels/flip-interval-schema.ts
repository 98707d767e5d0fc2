import { type Static, Type } from 'typebox';
import { GENERATION } from '#src/analytics/domain/positions/estimate-schema.ts';
import { closed, maybe } from '#src/analytics/domain/schema-parts.ts';

/** Interval of the primary flip, given the uncertainty of the positions. */
export const FLIP_INTERVAL = closed(
  {
    status: Type.Enum(['ok', 'open_below', 'open_above', 'open', 'no_flip', 'no_sd'], {
      description:
        'ok: both ends. open_below, open_above, open: one sd of positions away there is no such flip within ±15 % on ' +
        'that side, or on either; an end is never the flip itself, nor on its other side. no_flip: there is no primary ' +
        'flip. no_sd: generation 1 is a convention that states no error, so it has no interval',
    }),
    method: Type.Enum(['shift', 'bootstrap'], {
      description:
        'shift: positions moved by ±1 sd of gamma at the flip. bootstrap: 16 % and 84 % of seeded draws; one that is not ' +
        'on its side of the flip leaves that side open',
    }),
    low: maybe('Lower end, below the flip, points; null where that side is open'),
    high: maybe('Upper end, above the flip, points; null where that side is open'),
    resolved_share: maybe('Share of the re-rootings that found the flip, 0 to 1'),
  },
  { title: 'FlipInterval' },
);

/** The interval beside the flip it belongs to, both of one generation and one law of the smile. */
export const LEVELS_INTERVAL = closed(
  {
    generation: GENERATION,
    flip: maybe('The flip the interval is around: that of the same answer, points'),
    ...FLIP_INTERVAL.properties,
  },
  {
    title: 'LevelsInterval',
    description:
      'Interval of the primary flip, given the uncertainty of its own generation about the dealers’ positions',
  },
);
export type LevelsInterval = Static<typeof LEVELS_INTERVAL>;

export type FlipInterval = Static<typeof FLIP_INTERVAL>;

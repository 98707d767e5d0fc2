import { type Static, Type } from 'typebox';
import { closed, maybe, number } from '#src/analytics/domain/schema-parts.ts';

const flows = {
  cex: number('Charm exposure by formula, $ of delta per calendar day; it diverges as an expiry nears'),
  flow_1h: number('Flow of the next hour by full reprice, $; above zero dealers buy'),
  flow_to_close: maybe('Flow until the close, $; null without a session or after it'),
  flow_1d: number('Flow of the next calendar day, $'),
};

/** Charm as the API sends it. */
export const CHARM = closed(
  {
    status: Type.Enum(['ok', 'no_position'], { description: 'Whether there is a position at all' }),
    ...flows,
    cex_per_minute: number('Charm exposure by formula, $ of delta per minute'),
    by_expiry: Type.Array(
      closed({
        expiry: Type.String({ description: 'Root and day' }),
        years: number('ACT/365 years to settlement'),
        ...flows,
        settles_within_1d: Type.Boolean({ description: 'Its contracts resolve to intrinsic delta within the day' }),
      }),
      { description: 'In the order of settlement; expiries without a position left out' },
    ),
  },
  { title: 'Charm', description: 'What the passing of time makes dealers trade, at this spot and volatility' },
);

export type Charm = Static<typeof CHARM>;

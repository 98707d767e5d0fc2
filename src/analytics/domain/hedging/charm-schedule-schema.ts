import { type Static, Type } from 'typebox';
import { closed, maybe, number, orNull } from '#src/analytics/domain/schema-parts.ts';

const instant = (description: string) => Type.String({ description: `${description}, ISO 8601` });

const WINDOW = closed(
  {
    from: instant('Start'),
    to: instant('End'),
    flow_usd: number('Trades of dealers in the window, $; above zero they buy'),
    cumulative_usd: number('The same from the opening to its end, $'),
    share_of_volume: maybe('Its size over the volume expected in the window; null without a volume'),
    direction: orNull(Type.Enum(['BUY', 'SELL'], { description: 'Null where nothing is traded' })),
    by_expiry: Type.Record(Type.String(), Type.Number(), {
      description: 'Flow by root and day, $; expiries that add under a thousandth of the window left out',
    }),
  },
  { title: 'CharmWindow' },
);

/** The charm schedule of a session as the API sends it. */
export const CHARM_SCHEDULE = closed(
  {
    status: Type.Enum(['ok', 'no_session', 'no_flow'], { description: 'Whether there is a schedule, and if not, why' }),
    windows: Type.Array(WINDOW, { description: 'Windows of 30 minutes, 15 in the last hour' }),
    total_usd: number('Flow of the whole session, $'),
    activation: orNull(
      closed({
        at: instant('First minute that counts'),
        reason: Type.Enum(['cumulative', 'intensity'], {
          description: 'Flow so far above 0.5 % of the volume that remains, or a minute above twice the median minute',
        }),
      }),
    ),
    peak: orNull(WINDOW),
  },
  { title: 'CharmSchedule', description: 'What the passing of a session makes dealers trade, window by window' },
);

export type CharmSchedule = Static<typeof CHARM_SCHEDULE>;

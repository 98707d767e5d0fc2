import { type Static, Type } from 'typebox';
import { regimeStates } from '#src/analytics/domain/regime/regime.ts';
import { closed, maybe, number, orNull } from '#src/analytics/domain/schema-parts.ts';
import { SCORECARD } from '#src/analytics/domain/signals/scorecard-schema.ts';

const P = {
  p: maybe('P-value of the test; null where it could not be made'),
  deflated_p: maybe('The same corrected for the number of tests (Holm-Šidák)'),
};

const REGRESSION = closed(
  {
    regressor: Type.Enum(['ngr', 'dsi_raw_share'], { description: 'Figure known when the interval began' }),
    response: Type.Literal('abs_return', { description: '|ln| of the next close over the last' }),
    observations: Type.Integer({ description: 'Intervals with the figure' }),
    slope: maybe('Change of |r| for a change of one of the regressor; null where it does not vary'),
    standard_error: maybe('Newey-West'),
    t: maybe('Slope over its standard error'),
    lower: maybe('Lower end of the interval of the slope'),
    upper: maybe('Upper end of the interval of the slope'),
    lag: Type.Union([Type.Integer(), Type.Null()], { description: 'Lags of the Bartlett kernel' }),
    r_squared: maybe('Share of the variance explained, 0 to 1'),
    permutation_p: maybe('P-value of the slope under circular shifts, which needs no law; a check, not another test'),
    ...P,
  },
  { title: 'StudyRegression' },
);

const VOLATILITY = closed(
  {
    regime: Type.Enum(regimeStates, { description: 'Regime known when the interval began' }),
    observations: Type.Integer({ description: 'Intervals in it' }),
    volatility: maybe('Realised volatility per year, √(252·mean r²), decimal; null below five intervals'),
    lower: maybe('Lower end of its stationary bootstrap interval'),
    upper: maybe('Upper end'),
  },
  { title: 'StudyVolatility' },
);

const HIT = closed(
  {
    name: Type.Enum(
      ['flip_side_kept', 'call_wall_held', 'put_wall_held', 'momentum_below_flip', 'reversal_above_flip'],
      {
        description: 'Event that is counted',
      },
    ),
    meaning: Type.String({ description: 'When an interval is a trial, and when a hit' }),
    hits: Type.Integer({ description: 'Hits' }),
    trials: Type.Integer({ description: 'Trials' }),
    rate: maybe('Hits over trials'),
    lower: maybe('Lower end of Wilson’s interval'),
    upper: maybe('Upper end of Wilson’s interval'),
    null_rate: maybe('Rate under the hypothesis tested; null where none is'),
    ...P,
  },
  { title: 'StudyHit' },
);

/** Relation of a symbol's figures to its next session. */
export const HISTORY_STUDY = closed(
  {
    status: Type.Enum(['ok', 'insufficient_history'], { description: 'insufficient_history: too few intervals' }),
    needed: Type.Integer({ description: 'Intervals with figures that the study needs' }),
    present: Type.Integer({ description: 'Intervals with figures there are' }),
    first_session: orNull(Type.String({ description: 'First session predicted, YYYY-MM-DD' })),
    last_session: orNull(Type.String({ description: 'Last session predicted, YYYY-MM-DD' })),
    tests: Type.Integer({ description: 'Tests made, which deflated_p corrects for' }),
    level: number('Level of every interval, 0 to 1'),
    abs_return_autocorrelation: maybe('Lag-one autocorrelation of |r|: why the errors are robust and blocks are drawn'),
    regressions: Type.Array(REGRESSION, { description: 'Next |r| on each figure' }),
    regime_volatility: Type.Array(VOLATILITY, { description: 'Realised volatility of the next session by regime' }),
    negative_over_positive: closed(
      {
        ratio: maybe('Volatility after negative over that after positive regimes; null where one is not seen'),
        lower: maybe('Lower end of its stationary bootstrap interval'),
        upper: maybe('Upper end'),
        ...P,
      },
      'Whether moves are larger where dealers amplify',
    ),
    hits: Type.Array(HIT, { description: 'Levels and directions' }),
  },
  {
    title: 'HistoryStudy',
    description: 'Point-in-time statistics of dealer positioning; empty lists where history is insufficient',
  },
);
export type HistoryStudy = Static<typeof HISTORY_STUDY>;

/** The same with how the signals that are kept have done. */
export const STATISTICS = closed(
  { ...HISTORY_STUDY.properties, scorecard: SCORECARD },
  {
    title: 'StudyStatistics',
    description:
      'Point-in-time statistics of dealer positioning, and how signals have done; empty lists where history is insufficient',
  },
);
export type Statistics = Static<typeof STATISTICS>;

/**
 * Questions of traders, and what an answer without a model must be: the figure that a route of the engine gives, found by
 * its path there, or a refusal that names what is missing. One row a question; add your own.
 *
 * `[question, route, path]`: the answer cites exactly that value, and its status is that of the route.
 * `[question, refusal]`: nothing is cited in its place, and the sentence fits the pattern.
 */
export type Row =
  | readonly [question: string, route: string, path: string | ((data: any) => number | null), body?: object]
  | readonly [question: string, refusal: RegExp];

/** A day some days before a New York day. */
const before = (today: string, days: number) => Temporal.PlainDate.from(today).subtract({ days }).toString();

const last = (path: string) => (data: any) =>
  path.split('.').reduce((value: any, key) => value?.[key], data.rows.at(-1)) ?? null;
const historyOf = (kind: string, day: string) =>
  `/v1/history/${kind}?symbol=SPX&from=${day}T05:00:00Z&to=${before(day, -1)}T05:00:00Z`;

/** The table for a New York day. */
export function questionsOn(today: string): readonly Row[] {
  const ago = (days: number) => before(today, days);
  return [
    // tenors and buckets
    ['30-day ATM vol of RUT', '/v1/surface/RUT?days=30&k=0', 'grid.volatility.0.0'],
    ['ATM vol of SPX, 90 days out', '/v1/surface/SPX?days=90&k=0', 'grid.volatility.0.0'],
    ['What is the 1 month implied volatility of QQQ?', '/v1/surface/QQQ?days=30&k=0', 'grid.volatility.0.0'],
    ['2-week vol SPX', '/v1/surface/SPX?days=14&k=0', 'grid.volatility.0.0'],
    [
      'Skew of SPX at 30 days',
      '/v1/surface/SPX?days=30&k=-0.0005,0.0005',
      ({
        grid: {
          volatility: [[low, high]],
        },
      }) => (high - low) / 0.001,
    ],
    ['0DTE gamma in SPX', '/v1/gex/SPX', 'flips_by_bucket.zero_dte.gex'],
    ['what is the zero dte gex on spx', '/v1/gex/SPX', 'flips_by_bucket.zero_dte.gex'],
    ['weekly gamma SPX', '/v1/gex/SPX', 'flips_by_bucket.week.gex'],
    ['gamma of monthly expiries in QQQ', '/v1/gex/QQQ', 'flips_by_bucket.monthly.gex'],
    ['gamma flip of the weeklies in SPX', '/v1/gex/SPX', 'flips_by_bucket.week.flips.primary.level'],
    ['30-day call wall of SPX', /call wall is not there for a tenor of 30 days/i],
    ['0DTE put wall SPX', /put wall is not there for today’s expiries/i],
    ['30-day gamma of SPX', /net gamma is not there for a tenor/i],
    ['DSI of SPX for weekly expiries', /Stability Index is not there for weekly expiries/i],
    // days
    ['SPX call wall 5 days ago', historyOf('levels', ago(5)), last('call_wall')],
    ['where was the gamma flip of SPX 3 days ago?', historyOf('levels', ago(3)), last('flip')],
    ['put wall SPX yesterday', historyOf('levels', ago(1)), last('put_wall')],
    [`SPX regime on ${ago(3)}`, historyOf('regime', ago(3)), last('ngr')],
    ['net gamma of SPX two days ago', historyOf('flips', ago(2)), last('net_gex')],
    ['DSI of SPX 2 days ago', historyOf('dsi', ago(2)), last('dsi')],
    ['SPX flip at the open', /no history is stored/i],
    ['SPX call wall 400 days ago', /no history is stored/i],
    ['vanna exposure of SPX yesterday', /vanna exposure is not there for the day/i],
    ['hedging bands of SPX 3 days ago', /hedging band is not there for the day/i],
    ['SPX gamma this morning', /“morning” beside net gamma was not understood/i],
    // levels
    ['where will SPX pin today?', '/v1/levels/SPX', 'pin_strike'],
    ['pin strike SPX', '/v1/levels/SPX', 'pin_strike'],
    ['max pain SPX', '/v1/levels/SPX', ({ max_pain }) => max_pain.find(({ level }: any) => level !== null).level],
    ['expected move of SPX tomorrow', '/v1/levels/SPX', 'expected_move_1d'],
    ['How far is SPX from its gamma flip in %?', '/v1/levels/SPX', ({ flip, spot }) => 100 * (flip / spot - 1)],
    ['distance to the call wall in points, QQQ', '/v1/levels/QQQ', ({ call_wall, spot }) => call_wall - spot],
    ['is SPX above or below its flip?', '/v1/levels/SPX', ({ flip, spot }) => flip - spot],
    ['support for SPX', '/v1/levels/SPX', 'put_wall'],
    ['call wall SPX, generation 2', '/v1/levels/SPX?generation=2', 'call_wall'],
    ['flip interval of SPX by the ensemble', '/v1/levels/SPX?generation=ensemble', 'flip_interval.low'],
    ['How sure is the gamma flip of SPX?', /convention of generation 1 states no error/i],
    ['zero gamma of the S&P 500 by the ensemble', '/v1/levels/SPX?generation=ensemble', 'flip'],
    ['HVL SPX', '/v1/levels/SPX', 'hvl'],
    // exposures
    [
      'Which expiry holds the most gamma in SPX?',
      '/v1/gex/SPX',
      ({ gex_by_expiry }) => gex_by_expiry.toSorted((a: any, b: any) => Math.abs(b.gex) - Math.abs(a.gex))[0].gex,
    ],
    ['delta exposure SPX', '/v1/gex/SPX', 'dex_estimate.value'],
    ['gross gamma SPX', '/v1/gex/SPX', 'gex_abs'],
    ['How sure are you about the SPX regime by the ensemble?', '/v1/regime/SPX?generation=ensemble', 'confidence'],
    ['error bar of SPX gex in generation 2', '/v1/gex/SPX?generation=2', 'estimate.sd'],
    ['How sure are you about the SPX regime?', /convention of generation 1 states no error/i],
    ['DSI percentile of SPX', '/v1/dsi/SPX', 'percentile_252d'],
    // flows and shocks
    ['hedge flow of SPX at -1%', '/v1/flow-forecast/SPX?spot_shock_pct=-1', 'scenarios.0.flow_usd'],
    [
      'What will dealers have to trade in SPX if it drops 2%?',
      '/v1/flow-forecast/SPX?spot_shock_pct=-2',
      'scenarios.0.flow_usd',
    ],
    ['hedging flow of SPX if vol rises 5 points', '/v1/flow-forecast/SPX?vol_points=5', 'scenarios.0.flow_usd'],
    [
      'dealer flow in SPX for a 1% drop with vol up 3 vol points',
      '/v1/flow-forecast/SPX?spot_shock_pct=-1&vol_points=3',
      'scenarios.0.flow_usd',
    ],
    [
      'how much will dealers buy into the close on SPX',
      '/v1/flow-forecast/SPX',
      ({ horizons }) => horizons.find(({ horizon }: any) => horizon === 'close').mean_usd,
    ],
    [
      'SPX dealer P&L if it drops 3% and vol rises 10 points',
      '/v1/portfolio/stress',
      'results.0.pnl.hedged',
      { symbols: ['SPX'], scenarios: [{ spot_shock_pct: -3, vol_points: 10 }] },
    ],
    [
      'net gamma of SPX if it falls 5%',
      '/v1/portfolio/stress',
      'results.0.net_gex',
      { symbols: ['SPX'], scenarios: [{ spot_shock_pct: -5 }] },
    ],
    [
      'net gamma of SPX if it falls five percent',
      '/v1/portfolio/stress',
      'results.0.net_gex',
      { symbols: ['SPX'], scenarios: [{ spot_shock_pct: -5 }] },
    ],
    ['gamma flip of SPX if it falls 5%', /gamma flip is not there for a move/i],
    ['What if SPX and QQQ lose 200 points?', /another percentage for each/i],
    ['charm flow in SPX tomorrow', '/v1/charm/SPX', 'flow_1d'],
    ['charm in SPX next hour', '/v1/charm/SPX', 'flow_1h'],
    // portfolios
    [
      'gamma of a portfolio of 60 % SPX, 40 % QQQ',
      '/v1/portfolio/analyze',
      'net_gex',
      { symbols: ['SPX', 'QQQ'], weights: [60, 40] },
    ],
    [
      'stress 70% SPX and 30% RUT',
      '/v1/portfolio/stress',
      'results.0.net_gex',
      { symbols: ['SPX', 'RUT'], weights: [70, 30] },
    ],
    ['analyse my portfolio', /what you hold is not known/i],
    // history, off-exchange volume
    [
      'how often did the flip hold in SPX',
      '/v1/history/statistics?symbol=SPX',
      ({ hits }) => hits.find(({ name }: any) => name === 'flip_side_kept')?.rate ?? null,
    ],
    [
      'call wall hit rate SPX',
      '/v1/history/statistics?symbol=SPX',
      ({ hits }) => hits.find(({ name }: any) => name === 'call_wall_held')?.rate ?? null,
    ],
    ['Sharpe ratio of the rules on SPX', '/v1/history/backtest?symbol=SPX', ({ rules }) => rules[0]?.sharpe ?? null],
    ['Does the dark pool confirm the levels of SPX?', '/v1/darkpool/SPX', 'gci'],
    ['short volume SPY', '/v1/darkpool/SPY', 'dpi'],
    ['realised vol of SPX', '/v1/gtbr/SPX', 'realised_volatility'],
    // of a second set of questions, written after the first was answered
    ['How much gamma expires today in SPX?', '/v1/gex/SPX', 'flips_by_bucket.zero_dte.gex'],
    ['vol of the 6000 strike in SPX, 30 days', '/v1/surface/SPX?days=30&strikes=6000', 'grid.volatility.0.0'],
    ['60/40 SPX QQQ net gamma', '/v1/portfolio/analyze', 'net_gex', { symbols: ['SPX', 'QQQ'], weights: [60, 40] }],
    ['hedge flow SPX -1% and +1%', '/v1/flow-forecast/SPX?spot_shock_pct=1', 'scenarios.0.flow_usd'],
    ['how confident is the ensemble in SPX net gamma', '/v1/gex/SPX?generation=ensemble', 'estimate.p_positive'],
    ['Is SPX in positive or negative gamma right now?', '/v1/regime/SPX', 'ngr'],
    ['what strike has the most gamma in QQQ', '/v1/levels/QQQ', 'abs_gamma'],
    ['SPX vs SPY gamma flip', '/v1/levels/SPY', 'flip'],
    ['stress SPX with a 5% crash, and its vol 30 days out', '/v1/surface/SPX?days=30&k=0', 'grid.volatility.0.0'],
    ['how much do dealers have to sell if SPX falls 1 percent by the close', /“close” beside the hedging flow/i],
    ['SPX charm at 3pm', /“3pm” beside the charm flow/i],
    ['which regime will SPX be in tomorrow', /regime is not there for a horizon/i],
    ['SPX down 3 sigma', /how far that is depends on a volatility and a time/i],
    ['gamma flip of SPX in 5 days', /gamma flip is not there for a tenor of 5 days/i],
    ['SPX call wall not including 0dte', /“not” beside the call wall/i],
    ['highest call wall of SPX this week', /“highest” beside the call wall/i],
    // negations, conditions, aggregates, causes, names that are none
    ['SPX gamma excluding 0DTE', /“excluding” beside net gamma was not understood/i],
    ['if gamma is negative in SPX, where is the flip?', /“if”.* was not understood/i],
    ['average gex of SPX last month', /“average” beside net gamma was not understood/i],
    ['change in the SPX flip since yesterday', /“change” beside the gamma flip was not understood/i],
    ['SPX open interest at the call wall', /open interest is not computed here/i],
    ['vol of vol of SPX', /volatility of volatility is not computed here/i],
    ['What is the IV rank of SPX?', /rank of implied volatility is not computed here/i],
    ['call gamma of SPX', /“call” beside net gamma was not understood/i],
    ['SPX skew in generation 3', /generation 1 alone/i],
    ['why is the market moving?', /no analysis here says why/i],
    ['why is SPX down today', /no analysis here says why/i],
    ['PLTR gamma flip', /there is no data of PLTR/i],
    ['gex of TSLA', /there is no data of TSLA/i],
    ['XYZQ', /there is no data of XYZQ/i],
    ['quux gamma', /“quux” was not understood, and no underlying is named/i],
    [
      'explain what dealers will have to do into Friday’s close',
      /“friday”, “close” beside the hedging flow was not understood/i,
    ],
    ['what is the weather', /names none of the analyses/i],
  ];
}

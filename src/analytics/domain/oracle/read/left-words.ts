const set = (text: string) => new Set(text.trim().split(/\s+/));

/** Words that ask for nothing by themselves. */
const silent = set(`
  a an the of in on for to from at by with and or as is are was were be been being do does did doing has have had having
  what which who whose where how much many me my we our us you your i it its it's that this these those there here their
  they he she show give tell get find see let know want need like would could should can may might will shall please
  pls hey hi hello thanks thank ok okay so well just also too now currently current presently present latest live today
  today's moment right about into out off around during within over upon per sit sits sitting stand stands standing
  lie lies located look looks looking value figure number read reading level levels amount size big large strong
  right give say says said get gets got dealer dealers market's markets market index etf fund stock stocks options option
  think going go goes come comes still really actually exactly roughly approximately approx about quick quickly briefly
  brief please update status info information data answer question what's whats where's wheres how's hows who's
  current state side same again then more else any some all each both together respectively vs. etc against
  'd 's 'm 're 've i'm i'd i'll let's expect happens happen happened if's whether
  was currently using use used model models based under given sign signs terms there's
  exposure exposures position positions option dollars usds customer customers
  analyse analyze analysis explain tool according compute computed calculate calculated calculation estimate estimated
  much far close near away spot price trading trade session day's days'
`);

/**
 * Words that narrow or turn a question. Where one of them is left over, the figure beside it is another one
 * than the requested one.
 */
const narrowing = set(`
  not no never none without except excluding exclude minus non neither nor only but instead rather unless
  if when until till while before after since because although provided assuming suppose whenever
  why cause causes caused because reason reasons driver drivers driving drove
  average averages averaged avg mean median maximum minimum max min highest lowest higher lower high low peak trough
  change changes changed changing change's difference differences delta-change increase increased decrease decreased growth
  versus vs vs. compared compare comparison relative ratio rank ranking percentile zscore z-score trend trending
  cumulative total sum net gross notional premium open interest volume oi adv turnover shares share contracts contract
  realised realized historical forecast forecasted predict predicted prediction predicting probability odds chance chances
  likely likelihood expected implied actual true false theoretical
  daily weekly monthly quarterly yearly annual annualised annualized hourly intraday overnight premarket pre-market
  after-hours morning afternoon noon lunch evening night midnight open opening opened close closing closed bell
  monday tuesday wednesday thursday friday saturday sunday monday's tuesday's wednesday's thursday's friday's
  january february march april june july august september october november december
  second seconds minute minutes hour hours day days week weeks month months quarter quarters year years session sessions
  yesterday tomorrow yesterday's tomorrow's ago past future next previous prior last first third fourth earlier later
  yet ever always often frequently times once twice long short longer shorter
  front back nearest furthest farthest closest biggest largest smallest greatest most least top bottom best worst
  above below between beyond under upper lower inside outside upside downside up down
  call calls put puts strike strikes expiry expiries expiration expirations expire expires expiring expired settle settles settling otm itm atm wing wings delta deltas gamma vega
  theta vanna charm rho vomma volga speed color colour greek greeks skew smile kurtosis iv vol vols volatility vix
  buy buys buying sell sells selling bought sold hold holds held holding
  drop drops dropped fall falls fell rise rises rose rally rallies rallied crash crashes move moves moved moving
  gap gaps gapped jump jumps spike spikes surge lose loses gain gains hit hits reach reaches break breaks broke
  percent points profile profiles curve surface chart history
  half double doubles doubled triple triples zero one two three four five six seven eight nine ten eleven twelve twenty
  thirty forty fifty hundred thousand million billion dozen sigma sigmas bps bp basis pct pts pt
  weighted weight weights beta-adjusted beta correlation correlated dividend dividends rate rates yield interest
  sector sectors futures future es nq vxx uvxy single-name component components constituent constituents
  everything everybody else other others another different
  negative positive bullish bearish sign
`);

export interface LeftWords {
  /** Words that make the question another one than the figures answer. */
  readonly narrowing: readonly string[];
  /** Words that nothing here knows. */
  readonly unknown: readonly string[];
}

/** Words that compare: beside several underlyings, whose figures are side by side, they ask for nothing else. */
const comparing = set(`
  vs versus vs. compare compared comparison higher lower bigger smaller larger highest lowest biggest smallest largest most
  least than between difference stronger weaker
`);

/**
 * Sorts the words of a text that no reader has taken, by what they may mean.
 *
 * @param isComparison whether the question is about several underlyings
 */
export function leftWords(left: string, isComparison = false): LeftWords {
  const found = { narrowing: [] as string[], unknown: [] as string[] };
  for (const word of left.match(/[\p{L}\p{N}$%+_][\p{L}\p{N}$%+_&'.:/-]*/gu) ?? []) {
    const bare = word.replace(/[.:'/&-]+$/, '').replace(/'s$/, '');
    if (bare === '' || (bare.length === 1 && /[\p{L}+]/u.test(bare))) continue;
    const isNarrowing = /\p{N}|%/u.test(bare) || narrowing.has(bare) || narrowing.has(word) || bare.endsWith("n't");
    if (isComparison && comparing.has(bare)) continue;
    if (isNarrowing) found.narrowing.push(bare);
    else if (!silent.has(bare) && !silent.has(word)) found.unknown.push(bare);
  }
  return { narrowing: [...new Set(found.narrowing)], unknown: [...new Set(found.unknown)] };
}

const MOST_QUOTED = 8;
const QUOTABLE = /^(?:[\p{L}][\p{L}'-]{0,15}|[$+-]?\d{1,6}(?:\.\d{1,4})?(?:%|[a-z]{1,7})?)$/u;

/**
 * Words of a question in quotes, for a sentence that names what was not understood: plain words and short numbers, a few
 * of them, so that an answer is no place for text of the asker's choice.
 */
export function quoteWords(words: readonly string[]): string {
  const shown = words.filter((word) => QUOTABLE.test(word)).slice(0, MOST_QUOTED);
  if (shown.length === 0) return 'some of its words';
  return `${shown.map((word) => `“${word}”`).join(', ')}${shown.length < words.length ? ' and more' : ''}`;
}

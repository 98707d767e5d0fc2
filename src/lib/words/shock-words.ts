const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Words that say that something falls. */
export const downWords = set(
  `drop drops dropped dropping fall falls fell fallen falling decline declines declined declining lose loses lost losing
  sink sinks sank crash crashes crashed crashing plunge plunges plunged tank tanks tanked tanking down lower selloff sell-off slide
  slides slid dip dips dipped collapse collapses collapsed decrease decreases decreased minus negative slump slumps slumped sheds shed
  tumble tumbles tumbled retreat retreats retreated correction corrects downside rout off weaker slips slip slipped
  retrace retraces drawdown compress compresses cheaper downward downwards softer`,
);
/** Words that say that something rises. */
export const upWords = set(
  `rise rises rose risen rising gain gains gained gaining rally rallies rallied rallying jump jumps jumped jumping up climb
  climbs climbed higher spike spikes spiked spiking increase increases increased increasing surge surges surged pop pops popped plus
  positive bounce bounces bounced rip rips soar soars soared upside advance advances adds expand expands stronger
  richer upward upwards rebound rebounds`,
);
/** Words that say by how much on their own: percent. */
export const multiples: ReadonlyMap<string, number> = new Map(
  Object.entries({
    double: 100,
    doubles: 100,
    doubled: 100,
    doubling: 100,
    triple: 200,
    triples: 200,
    tripled: 200,
    tripling: 200,
    quadruple: 300,
    quadruples: 300,
    quadrupled: 300,
    halve: -50,
    halves: -50,
    halved: -50,
    halving: -50,
  }),
);
/** Nouns that a shock can be of. */
export const volWords = set('vol vols volatility volatilities iv ivs vix implied implieds');
export const spotWords = set(
  `spot price prices market markets index indices indexes underlying underlyings stock stocks equities shares futures it
  they them both each everything`,
);
/** Words around a shock that say nothing of their own. */
export const shockFillers = set(
  `a an the this by of about around roughly approximately move moves moved moving change changes shock shocks scenario
  scenarios stress suddenly instantly immediately instantaneous further another is are was were be been would should could
  will might may goes go went going gets trades opens closes case us i their its to at all percentage on in for across
  sell sells sold gap gaps gapped`,
);
/** Marks and words that end what belongs to one shock. */
export const segmentEnds = set(
  ', ; ? ! : ( ) — – . / and or while with but then if when versus vs & plus whereas | as after',
);
/** Before a number: the level that is reached, not the move. */
export const levelWords = set('to at below above under over near');
/** Words that are never the subject of a shock, so that what follows them is read on its own. */
export const functionWords = set(
  `what how who where why which does do did done happens happen happened would could should can will if when whether see show tell me
  us give run make let imagine suppose assume assuming say after before during from against under given test stress shock please
  then so that the and or but because into onto through until not no of have has had think mean means cause causes affect affects hit hits
  hurt look looks look like using apply applying try simulate model consider compute calculate estimate analyze analyse check for in on
  at by with versus vs case scenario scenarios shocks stresses i we you it my our dealers dealer`,
);
/** Nouns that may name a shock whose size is said elsewhere: "a crash scenario: down 7%". */
export const shockNouns = set(
  'crash selloff sell-off rally correction shock meltdown slump collapse rout spike surge bounce drawdown downside upside drop rise',
);
/** Nouns that may follow such a noun. */
export const scenarioNouns = set('scenario scenarios case test shock event');

/** Says that it does not move so. */
export const notWords = set("not never no don't doesn't won't without cannot can't");

export const percentWords = set('% percent pct percents per-cent percentage');
export const pointWords = set('point points pt pts');
export const bpWords = set('bp bps');
export const perMilleWords = set('‰ permille per-mille');
export const sigmaWords = set('sigma sigmas sd stdev σ standard-deviation');
/** Words beside shocks that say nothing of them. */
export const fillerWords: ReadonlySet<string> = new Set([
  ...segmentEnds,
  ...shockFillers,
  ...'stress shock shocks scenario scenarios test run what happens please'.split(' '),
]);

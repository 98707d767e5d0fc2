import type { Token } from '#src/lib/words/tokens.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Words that may be left over: they ask for nothing. The list is closed: any other word left over is named. */
export const fillers = set(
  `a an the this that these those it its of for to on in at with from by and as about into onto over per via please pls plz kindly can could
  would will shall should may might you your i i'd i'll id me my we us our want wants need needs like let lets let's go ahead hi hello hey thanks
  thank thx so there be is are was gimme lemme do does did done have has had just only also now right here current currently latest today todays
  today's quick quickly simple whole full complete all some any sure ok okay then new one ones using use get gets way job thing
  things bit little as well too both each im i'm some which what's it's`,
);
/** Says that something is not to be done, also in the commonest words of other languages. */
export const negations = set(
  `not no never none nothing nobody neither nor without don't dont doesn't doesnt didn't didnt won't wont wouldn't wouldnt can't cant
  cannot shouldn't shouldnt mustn't mustnt isn't isnt aren't arent avoid skip refrain except excluding exclude ex minus unless nicht kein keine keinen nichts nie pas
  jamais sans ohne niemals nunca sin`,
);
/** Says that something is to be done only in some case. */
export const conditions = set(
  `if unless when whenever once until till while otherwise else provided providing depending depends case assuming supposing whether should
  instead rather before after wenn falls si cuando`,
);
/** Conditions that only a decision can settle. */
export const strictConditions = set(
  'if unless when whenever once until till while provided providing depending depends wenn falls si cuando',
);
/** Says when, or how often: nothing here can wait or repeat. */
export const scheduleWords = set(
  `every daily weekly monthly hourly nightly yearly tomorrow tonight later morning mornings evening evenings afternoon noon midnight
  monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays weekday weekdays weekend weekends
  friday's monday's tomorrow's am pm o'clock next soon regularly periodically continuously constantly recurring schedule scheduled repeat
  again until eod eow asap live realtime real-time forever jeden täglich morgen`,
);
/** Says of which time in the past: only a question can take them. */
export const pastWords = set(
  `yesterday yesterday's ago last past previous since week weeks month months day days year years quarter quarters hour hours minute minutes
  mins session sessions january february march april june july august september october november december jan feb mar apr jun jul aug sep
  sept oct nov dec history historical`,
);
/** Counts that are no numbers. */
export const countWords = set(
  'hundred thousand each another pair first second third fourth fifth sixth seventh eighth ninth tenth twice thrice couple several few many dozens hundreds thousands triple double quadruple quarter',
);
/** Other algorithms than the one there is. */
export const isOtherHash = (low: string) => /^(?:sha|md|crc|blake|keccak)-?\d/.test(low) && !/^sha-?256$/.test(low);

const bases =
  `fetch get download read load stress shock snapshot take show compute calculate hash digest fingerprint verify check validate notify post send tell
  deliver ask answer explain fit summarise summarize report make create generate produce render draw paint design compose record shoot speak publish
  share email mail text sms slack message tweet ping call alert warn remind inform buy sell trade order watch monitor track
  compare delete remove cancel wait book pay spend save store upload print translate write run simulate plot chart give list find
  forward push submit dm whatsapp telegram phone sign encrypt approve rank sort filter average sum convert follow unsubscribe subscribe narrate
  visit open pull retrieve tag attach export import edit crop upscale animate transcribe`.split(/\s+/);
const verbSet: ReadonlySet<string> = new Set(bases);

/** The plain form of a known verb: "posting", "posts" and "posted" are "post"; null for any other word. */
export function verbOf(low: string): string | null {
  if (verbSet.has(low)) return low;
  for (const ending of ['ing', 'es', 'ed', 's', 'd', 't']) {
    if (!low.endsWith(ending) || low.length < ending.length + 3) continue;
    const stem = low.slice(0, -ending.length);
    const found = [stem, `${stem}e`, stem.replace(/(.)\1$/, '$1'), stem.replace(/i$/, 'y')].find((one) =>
      verbSet.has(one),
    );
    if (found !== undefined && (ending.length > 1 || ending === 's')) return found;
  }
  return irregular[low] ?? null;
}

const irregular: Readonly<Record<string, string>> = {
  sent: 'send',
  told: 'tell',
  made: 'make',
  making: 'make',
  taken: 'take',
  took: 'take',
  bought: 'buy',
  sold: 'sell',
  paid: 'pay',
  spent: 'spend',
  found: 'find',
  drawn: 'draw',
  shown: 'show',
  given: 'give',
  written: 'write',
  running: 'run',
};

/** Words for what the caller owns: no analysis of a mission knows it. */
export const ownWords = set(
  'portfolio portfolios position positions book holding holdings account watchlist trades pnl p&l exposure',
);
/** Figures that a question can be about. */
export const metricWords =
  /^(?:gex|gamma|vanna|vex|charm|cex|dsi|regimes?|flips?|walls?|levels?|signals?|skew|vcm|hedg\w+|darkpool|dark|pool|dix|flows?|positioning|gtbr|dealers?|dealer's|pin\w*|volatility|vol|squeeze|gammas|0dte|iv|pain)$/;

/** Words that may be left out though no step says them: they ask for nothing that could be done otherwise. */
const harmless = set(
  `bad badly good nice nicely great lovely beautiful awesome cool fancy big huge quickly really actually basically simply maybe perhaps grab pick through look looks see
  think thinks curious interested interesting wonder wondering guess know hear team folks everyone guys sir madam dear cheers regards best
  somehow anyway well than there here thing things stuff kind kinds sort bit lot lots much way ways figure figures info information
  details data analysis`,
);

/** Checks whether leaving this word out may change the goal's meaning, so that a human must say yes first. */
export function isWeighty({ kind, low }: Token): boolean {
  return kind !== 'word' || !harmless.has(low);
}

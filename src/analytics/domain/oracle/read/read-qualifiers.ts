import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import type { QualifierKind } from '#src/analytics/domain/oracle/measures/measure.ts';
import { type MarkedText, takeAll } from './marked-text.ts';
import type { Qualifiers } from './qualifiers.ts';
import { readMoves } from './read-moves.ts';
import { readTimes } from './read-times.ts';

const generations: readonly (readonly [RegExp, 1 | 2 | 3 | 'ensemble'])[] = [
  [/\b(?:by |in |of |under |with |for |using )?(?:the )?ensemble\b/g, 'ensemble'],
  [/\b(?:by |in |of |under |with |for |using )?(?:gen|generation)[ -]?1\b|\bby (?:the )?(?:static )?convention\b/g, 1],
  [/\b(?:by |in |of |under |with |for |using )?(?:gen|generation)[ -]?2\b|\bby the prior\b/g, 2],
  [/\b(?:by |in |of |under |with |for |using )?(?:gen|generation)[ -]?3\b|\b(?:by|from) (?:signed )?trades\b/g, 3],
];

const buckets: readonly (readonly [RegExp, 'zero_dte' | 'week' | 'monthly'])[] = [
  [
    /\b(?:0|zero)[- ]?d(?:te|ays? to expir\w+)\b|\b(?:options |contracts )?(?:expiring|expires?|that expires?|settling|settles?) today\b|\btoday'?s? (?:expir\w+|options|contracts)\b|\bsame[- ]day (?:expir\w+|options)\b/g,
    'zero_dte',
  ],
  [
    /\bweekl(?:y|ies)\b(?: (?:expir\w+|options))?|\bthis week'?s? (?:expir\w+|options)\b|\bexpiring (?:this|within a) week\b/g,
    'week',
  ],
  [/\bmonthl(?:y|ies)\b(?: (?:expir\w+|options|opex))?|\bopex\b/g, 'monthly'],
];

const horizons: readonly (readonly [RegExp, '30m' | '1h' | 'close' | '1d'])[] = [
  [/\b(?:(?:in|over|for|within) )?(?:the )?(?:next )?(?:30[ -]?m(?:in(?:ute)?s?)?|half an hour|half hour)\b/g, '30m'],
  [
    /\b(?:(?:in|over|for|within) )?(?:the )?(?:next |coming )(?:hour|60 min(?:ute)?s?)\b|\b(?:(?:in|over|for|within) )?(?:1|one|an) hour\b/g,
    '1h',
  ],
  [
    /\b(?:(?:into|by|until|till|before|to|at) )(?:today's |the )?(?:close|bell|end of (?:the )?(?:day|session))\b|\beod\b/g,
    'close',
  ],
  [
    /\b(?:by |until |till |for )?tomorrow\b|\b(?:over the |over)?next (?:trading )?(?:day|session)\b|\b24 hours\b|\bovernight\b/g,
    '1d',
  ],
];

const units: Readonly<Record<string, number>> = {
  d: 1,
  day: 1,
  dte: 1,
  w: 7,
  week: 7,
  m: 30,
  month: 30,
  y: 365,
  year: 365,
};
const counts: Readonly<Record<string, number>> = { a: 1, one: 1, two: 2, three: 3, six: 6 };
const TENOR =
  /\b(?<count>\d{1,4}(?:\.\d{1,2})?|a|one|two|three|six)[ -]?(?<unit>days?|dte|weeks?|months?|years?|d|w|m|y)\b(?:[ -](?:out|ahead|tenor|maturity|expiry))?/g;
const STRIKE =
  /\b(?:(?:at|of|on|for) )?(?:the )?\$?(?<a>\d{2,6}(?:\.\d{1,4})?)[ -]strike\b|\b(?:(?:at|of|on|for) )?(?:the )?strike \$?(?<b>\d{2,6}(?:\.\d{1,4})?)\b|\bat \$?(?<c>\d{2,6}(?:\.\d{1,4})?)(?![\d.]*\d)(?! ?(?:%|percent|pct|d\b|days?|bps?|am|pm|:))/g;

/** Takes what narrows the question out of its text, before its measures are looked for. */
export function readQualifiers(marked: MarkedText, symbols: readonly MarketSymbol[], today: string): Qualifiers {
  const found: Qualifiers = { notes: [], refused: [] };
  for (const [pattern, value] of generations) takeAll(marked, pattern, () => void (found.generation = value));
  readWeights(marked, symbols, found);
  for (const [pattern, value] of buckets) takeAll(marked, pattern, () => void (found.bucket = value));
  readTimes(marked, today, found);
  readMoves(marked, found);
  for (const [pattern, value] of horizons) takeAll(marked, pattern, () => void (found.horizon = value));
  takeAll(marked, /\b(?:today|intraday|this session|for the day)\b/g, () => void (found.today = true));
  const tenors: number[] = [];
  takeAll(marked, TENOR, ({ groups = {} }) => {
    const unit = groups['unit']!.replace(/(?<=..)s$/, '');
    const days = (counts[groups['count']!] ?? Number(groups['count'])) * units[unit]!;
    // a second one is another question: it stays, and is named as not understood
    if (tenors.length > 0 || !(days > 0 && days <= 3650)) return false;
    tenors.push(days);
    return true;
  });
  if (tenors[0] !== undefined) found.tenor = tenors[0];
  takeAll(marked, STRIKE, ({ groups = {} }) => {
    if (found.strike !== undefined) return false;
    found.strike = Number(groups['a'] ?? groups['b'] ?? groups['c']);
    return true;
  });
  return found;
}

const about: readonly (readonly [RegExp, 'distance' | 'certainty' | 'percentile'])[] = [
  [
    /\bhow (?:far|close|near)(?: away)?(?: (?:above|below|over|under))?\b(?: or below)?|\bdistance\b(?: in (?:%|percent|points))?|\b(?:percent|%|points) (?:away )?(?:from|to)\b|\bfar (?:from|away)\b|\b(?:above|over) or (?:below|under)\b|\b(?:below|under) or (?:above|over)\b/g,
    'distance',
  ],
  [
    /\bhow (?:sure|certain|confident|reliable|accurate)(?: (?:is|are) (?:that|it|you|we|this|the model))?\b(?: of)?|\bconfidence(?: interval| band)?\b|\berror bars?\b|\bmargin of error\b|\buncertaint(?:y|ies)\b|\bstandard deviation of positions?\b|\bhow (?:much )?(?:certainty|confidence)\b|\bprobability (?:that it is|of being) (?:positive|above zero)\b/g,
    'certainty',
  ],
  [/\bpercentile\b|\bpercentile rank\b/g, 'percentile'],
];

/** Takes the qualifiers of a measure, once measures were taken: how far, how sure, which percentile. */
export function readAspects(marked: MarkedText, found: Qualifiers): void {
  for (const [pattern, kind] of about) takeAll(marked, pattern, () => void (found[kind] = true));
  if (found.distance === true)
    takeAll(
      marked,
      /\b(?:in|as) (?:a )?(?:%|percent(?:age)?|points?)(?!\w)|%(?!\w)|\bpercent\b|\bpoints\b|\b(?:above|below)\b/g,
      () => {},
    );
}

/** "60 % SPX, 40 % IWM", "SPX 60%, IWM 40%" or "60/40 SPX IWM": a weight for each symbol, which sum to a hundred. */
function readWeights(marked: MarkedText, symbols: readonly MarketSymbol[], found: Qualifiers): void {
  if (symbols.length < 2) return;
  const name = symbols.map((symbol) => symbol.toLowerCase()).join('|');
  const forms = [
    new RegExp(
      String.raw`(?<![-+\w.])(?<weight>\d{1,3}(?:\.\d{1,2})?) ?(?:%|percent|pct) (?:of |in |long )?(?<symbol>${name})\b`,
      'g',
    ),
    new RegExp(String.raw`\b(?<symbol>${name}):? (?<weight>\d{1,3}(?:\.\d{1,2})?) ?(?:%|percent|pct)`, 'g'),
  ];
  for (const form of forms) {
    const rows = [...marked.text.matchAll(form)].map(
      ({ groups = {} }) => [groups['symbol']!.toUpperCase(), Number(groups['weight'])] as const,
    );
    const weights = Object.fromEntries(rows);
    const sum = rows.reduce((total, [, weight]) => total + weight, 0);
    if (rows.length !== symbols.length || Object.keys(weights).length !== symbols.length || Math.abs(sum - 100) > 0.5)
      continue;
    takeAll(marked, form, () => {});
    found.weights = weights;
    return;
  }
  const pair = new RegExp(
    String.raw`(?<![-+\w.])(?<a>\d{1,2})\/(?<b>\d{1,2}) (?:of |in )?(?<x>${name})(?:\/| and | & |, | )(?<y>${name})\b`,
    'g',
  );
  takeAll(marked, pair, ({ groups: { a = '', b = '', x = '', y = '' } = {} }) => {
    if (symbols.length !== 2 || Number(a) + Number(b) !== 100 || x === y) return false;
    found.weights = { [x.toUpperCase()]: Number(a), [y.toUpperCase()]: Number(b) };
    return true;
  });
}

/** Returns the kinds of qualifiers that a question carries, beside its generation. */
export function kindsOf(found: Qualifiers): QualifierKind[] {
  const { from, to } = found;
  const kinds: (QualifierKind | false)[] = [
    found.bucket !== undefined && 'bucket',
    found.tenor !== undefined && 'tenor',
    found.strike !== undefined && 'strike',
    from !== undefined && from === to && 'date',
    from !== undefined && from !== to && 'span',
    found.opening === true && 'opening',
    found.horizon !== undefined && 'horizon',
    found.moves !== undefined && 'move',
    found.distance === true && 'distance',
    found.certainty === true && 'certainty',
    found.percentile === true && 'percentile',
    found.weights !== undefined && 'weights',
  ];
  return kinds.filter((kind) => kind !== false);
}

import type { Token } from '#src/lib/words/tokens.ts';
import { innerSteps } from './analysis-rules.ts';
import { metricWords, negations } from './goal-words.ts';
import { leftOver } from './left-over.ts';
import { quoted } from './own-rules.ts';
import { referredSteps, refersToLost } from './refer.ts';
import {
  type Draft,
  hasWord,
  kindPlaces,
  type ProposedStep,
  placesOf,
  type Rule,
  refusal,
  type Scene,
  wordSet,
} from './rule.ts';

const verbs = wordSet(
  'notify post send tell deliver call share forward push submit message inform ping webhook report',
);
const beside = wordSet(
  'webhook webhooks hook url address endpoint server channel notification notifications saying message about',
);
const mostMessages = 10;

/**
 * Tells an address what the words say and nothing more: "it" is what came last, "the hash" is the hash, words in quotes
 * are themselves, and an analysis that is named is made first. With none of these it is everything before.
 */
export const messageRule: Rule = (tokens, scene) => {
  const urls = kindPlaces(tokens, 'url');
  if (urls.length === 0 || urls.length > mostMessages || !hasWord(tokens, verbs)) return null;
  if (tokens.some(({ low }) => negations.has(low)))
    return refusal('it says something is not to be sent, so nothing is');
  if (saysMoreBetween(tokens, urls))
    return refusal('it is not clear what is sent to which address: give each address a sentence of its own');
  const used = new Set([...urls, ...headOf(tokens), ...placesOf(tokens, beside)]);
  const object = tokens.map((token, place) => (used.has(place) ? blank(token) : token));
  const content = contentOf(object, scene);
  if (content === null)
    return refusal('it is not clear what is to be sent: name a step before, or put the words in quotes');
  const bodies = urls.map((place) => ({
    capability: 'notify.webhook',
    title: 'Tell an address what came of it',
    input: { url: tokens[place]!.text, body: content.body },
    waitsFor: scene.before.map(({ id }) => id),
  }));
  return { drafts: [...content.drafts, ...bodies], used: new Set([...used, ...content.used]), notes: content.notes };
};

/** The verb that tells: "the call wall" is no call. */
function headOf(tokens: readonly Token[]): readonly number[] {
  const isNoun = (place: number) => tokens[place]!.low === 'call' && metricWords.test(tokens[place + 1]?.low ?? '');
  return placesOf(tokens, verbs)
    .filter((place) => !isNoun(place))
    .slice(0, 1);
}

/** "the hash to A and the snapshot to B": only "A and B" are sent the same. */
function saysMoreBetween(tokens: readonly Token[], urls: readonly number[]): boolean {
  const between = tokens.slice(urls[0], (urls.at(-1) ?? 0) + 1);
  return between.some(
    ({ kind, low }) => kind !== 'url' && kind !== 'mark' && !['and', 'to', 'also', 'then'].includes(low),
  );
}

interface Content {
  readonly body: unknown;
  readonly used: readonly number[];
  /** Steps that are made for it. */
  readonly drafts: readonly Draft[];
  readonly notes: readonly string[];
}

function contentOf(object: readonly Token[], scene: Scene): Content | null {
  const quotes = kindPlaces(object, 'quote');
  const words = quotes.map((place) => quoted(object[place]!));
  const message = words.length === 0 ? {} : { message: words.join('\n') };
  if (words.length === 0 && refersToLost(object, scene)) return null;
  const referred = referredSteps(object, scene);
  if (referred && isAllUsed(object, [...quotes, ...referred.used], scene))
    return {
      body: { ...message, ...resultsOf(referred.steps) },
      used: [...quotes, ...referred.used],
      drafts: [],
      notes: [],
    };
  if (isAllUsed(object, quotes, scene))
    return { body: words.length > 0 ? message : resultsOf(scene.before), used: quotes, drafts: [], notes: [] };
  const read = innerSteps(object, scene, quotes);
  if (!read) return null;
  const results = Object.fromEntries(read.drafts.map((_, n) => [scene.name(n), { $from: scene.name(n) }]));
  return { body: { ...message, results }, used: [...quotes, ...read.used], drafts: read.drafts, notes: read.notes };
}

function resultsOf(steps: readonly ProposedStep[]) {
  return { results: Object.fromEntries(steps.map(({ id }) => [id, { $from: id }])) };
}

function isAllUsed(object: readonly Token[], used: readonly number[], { goal }: Scene): boolean {
  const left = leftOver(goal, object, new Set(used));
  return left.length === 0;
}

/** A token that says nothing more, in its place. */
function blank(token: Token): Token {
  return { ...token, kind: 'mark', low: '', text: '', symbol: null };
}

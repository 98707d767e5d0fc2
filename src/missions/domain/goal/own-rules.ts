import { type Token, tokenize } from '#src/lib/words/tokens.ts';
import { innerSteps } from './analysis-rules.ts';
import { countWords, fillers, isOtherHash, negations, pastWords, scheduleWords } from './goal-words.ts';
import { leftOver } from './left-over.ts';
import { referredSteps, refersToLost } from './refer.ts';
import { hasWord, kindPlaces, placesOf, type Reading, type Rule, refusal, type Scene, wordSet } from './rule.ts';

const receiptWords = wordSet(
  'verify check validate receipt receipts valid holds hold genuine authentic whether mission of integrity authenticity',
);
const jobWords = wordSet(
  'status job jobs state check show what where how stands stand doing going is look tell get find progress',
);
const fetchVerbs = wordSet('fetch get download read load open retrieve pull visit');
const fetchNouns = wordSet(
  'page website site json data file contents content document url address resource text result whatever says there',
);
const digestWords = wordSet('hash digest fingerprint checksum sha-256 sha256');
const digestBeside = wordSet('compute calculate take make create give get produce show text word words string');

/** "verify the receipt 0198…", "status of job 0198…": one step for each id. */
const receiptRule: Rule = (tokens) => {
  const ids = kindPlaces(tokens, 'id');
  if (ids.length === 0 || !hasWord(tokens, wordSet('receipt receipts'))) return null;
  const drafts = ids.map((place) => ({
    capability: 'receipt.verify',
    title: 'Verify a receipt',
    input: { receiptId: tokens[place]!.low },
  }));
  return { drafts, used: new Set([...ids, ...placesOf(tokens, receiptWords)]), notes: [] };
};

const jobRule: Rule = (tokens) => {
  const ids = kindPlaces(tokens, 'id');
  if (ids.length === 0 || !hasWord(tokens, wordSet('job jobs'))) return null;
  // to cancel or repeat one is more than to look at it
  const drafts = ids.map((place) => ({
    capability: 'job.status',
    title: 'Look at a job',
    input: { jobId: tokens[place]!.low },
  }));
  const used = new Set([...ids, ...placesOf(tokens, jobWords)]);
  const isLook = !tokens.some(({ low }) =>
    ['cancel', 'delete', 'remove', 'repeat', 'redrive', 'stop', 'rerun', 'pause', 'retry'].includes(low),
  );
  return isLook ? { drafts, used, notes: [] } : refusal('of a job, a mission can only read the status');
};

/** "fetch https://…": one step for each address. */
const fetchRule: Rule = (tokens) => {
  const urls = kindPlaces(tokens, 'url');
  const first = tokens.find(({ kind, low }) => kind === 'url' || fetchVerbs.has(low));
  if (urls.length === 0 || !first || !hasWord(tokens, fetchVerbs) || tokens.some(({ low }) => negations.has(low)))
    return null;
  const drafts = urls.map((place) => ({
    capability: 'http.fetch',
    title: 'Read an address',
    input: { url: tokens[place]!.text },
  }));
  return {
    drafts,
    used: new Set([...urls, ...placesOf(tokens, fetchVerbs), ...placesOf(tokens, fetchNouns)]),
    notes: [],
  };
};

/** "hash it", "the SHA-256 of “hello”". */
const digestRule: Rule = (tokens, scene) => {
  if (!hasWord(tokens, digestWords) || kindPlaces(tokens, 'url').length > 0) return null;
  if (tokens.some(({ low }) => isOtherHash(low))) return refusal('the only digest there is, is SHA-256');
  const used = new Set([...placesOf(tokens, digestWords), ...placesOf(tokens, digestBeside)]);
  return digestOfQuotes(tokens, used) ?? digestOfSteps(tokens, scene, used);
};

function digestOfQuotes(tokens: readonly Token[], used: ReadonlySet<number>): Reading | null {
  const quotes = kindPlaces(tokens, 'quote');
  if (quotes.length === 0) return null;
  const drafts = quotes.map((place) => digestOf(quoted(tokens[place]!)));
  return { drafts, used: new Set([...used, ...quotes]), notes: [] };
}

/** After these comes the text itself: "hash the words gamma flip of SPX" asks no question about SPX. */
const textWords = wordSet('word words phrase sentence string letters characters');

function digestOfSteps(tokens: readonly Token[], scene: Scene, used: ReadonlySet<number>): Reading {
  if (hasWord(tokens, textWords)) return refusal('which text is meant is not clear: put it in quotes');
  const others = tokens.map((token, place) => (used.has(place) ? { ...token, low: '', kind: 'mark' as const } : token));
  if (refersToLost(others, scene))
    return refusal('what it is about has no step: put a text in quotes, or name a step before');
  const referred = referredSteps(others, scene);
  const steps = referred?.steps ?? scene.last;
  const named = [...(referred?.used ?? [])];
  const left = leftOver(scene.goal, others, new Set(named));
  // times and counts beside it are named as left out; a thing that is no step is not digested in the place of another
  const isClear = left.every(({ text }) =>
    tokenize(text).every(
      ({ low, kind }) =>
        kind === 'number' || scheduleWords.has(low) || pastWords.has(low) || countWords.has(low) || fillers.has(low),
    ),
  );
  if (steps.length > 0 && isClear)
    return { drafts: steps.map(({ id }) => digestOf({ $from: id })), used: new Set([...used, ...named]), notes: [] };
  const inner = innerSteps(others, scene);
  if (inner) {
    const digests = inner.drafts.map((_, n) => digestOf({ $from: scene.name(n) }));
    return { drafts: [...inner.drafts, ...digests], used: new Set([...used, ...inner.used]), notes: inner.notes };
  }
  return refusal('there is nothing before it to digest: put a text in quotes, or name a step before');
}

const digestOf = (value: unknown) => ({ capability: 'content.digest', title: 'Digest a result', input: { value } });

/** Returns the text between the quotes. */
export function quoted({ text }: Token): string {
  return text.slice(1, -1);
}

export const ownRules: readonly Rule[] = [receiptRule, jobRule];
export const fetchRules: readonly Rule[] = [fetchRule];
export const digestRules: readonly Rule[] = [digestRule];

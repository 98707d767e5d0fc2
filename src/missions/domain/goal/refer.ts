import type { Token } from '#src/lib/words/tokens.ts';
import { type ProposedStep, placesOf, type Scene, wordSet } from './rule.ts';

const nouns: readonly (readonly [words: ReadonlySet<string>, capability: string])[] = [
  [wordSet('hash hashes digest digests fingerprint fingerprints checksum checksums sha-256 sha256'), 'content.digest'],
  [wordSet('snapshot snapshots overview overviews'), 'analytics.snapshot'],
  [wordSet('surface surfaces'), 'analytics.surface'],
  [wordSet('stress stresses scenario scenarios'), 'analytics.stress'],
  [wordSet('answer answers'), 'analytics.oracle'],
  [
    wordSet(
      'picture pictures image images poster posters film films video videos clip clips music song voice-over voiceover narration photo photos',
    ),
    'media.generate',
  ],
  [wordSet('page pages content contents file files response responses'), 'http.fetch'],
  [wordSet('status'), 'job.status'],
  [wordSet('verdict verdicts verification'), 'receipt.verify'],
];
const lastWords = wordSet('it this that result outcome output finding what came');
const allWords = wordSet('them these those both everything results outcomes outputs findings all each');
const beside = wordSet('test tests');

/** Steps that words such as "it", "the hash" or "both" are about. */
export interface Referred {
  readonly steps: readonly ProposedStep[];
  readonly used: readonly number[];
}

/** Checks whether a clause is about the result of one that has no step. */
export function refersToLost(tokens: readonly Token[], { isLost, before }: Scene): boolean {
  const isAbout = placesOf(tokens, lastWords).length > 0 || placesOf(tokens, allWords).length > 0;
  return isAbout && (isLost || before.length === 0);
}

/** The steps before that a clause refers to; null where it refers to none. */
export function referredSteps(tokens: readonly Token[], { before, last }: Scene): Referred | null {
  const named = nouns.flatMap(([words, capability]) => {
    const used = placesOf(tokens, words);
    if (used.length === 0) return [];
    const near = last.filter((step) => step.capability === capability);
    const all = before.filter((step) => step.capability === capability);
    const isMany =
      used.some((place) => tokens[place]!.low.endsWith('es') || tokens[place]!.low.endsWith('s')) && all.length > 1;
    const steps = near.length > 0 && !isMany ? near : isMany ? all : all.slice(-1);
    return steps.length > 0
      ? [{ steps, used: [...used, ...(capability === 'analytics.stress' ? placesOf(tokens, beside) : [])] }]
      : [];
  });
  if (named.length > 0) {
    const pointers = [...placesOf(tokens, lastWords), ...placesOf(tokens, allWords)].filter(
      (place) => tokens[place]!.low !== 'all',
    );
    const isJoined = tokens.some(({ low }) => low === 'and');
    return {
      steps: named.flatMap(({ steps }) => steps),
      used: [...named.flatMap(({ used }) => used), ...(isJoined ? [] : pointers)],
    };
  }
  const every = placesOf(tokens, allWords);
  if (every.length > 0 && before.length > 0) return { steps: before, used: [...every, ...placesOf(tokens, lastWords)] };
  const one = placesOf(tokens, lastWords);
  return one.length > 0 && last.length > 0 ? { steps: last, used: one } : null;
}

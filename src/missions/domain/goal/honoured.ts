import type { Token } from '#src/lib/words/tokens.ts';
import { conditions, fillers, negations, scheduleWords, verbOf } from './goal-words.ts';

/** Part of a step that a "do not" may forbid. */
interface Done {
  readonly capability: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const message = ['notify.webhook'];
const forbids: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    'post send notify tell deliver call share forward push submit message inform ping publish email mail text sms slack tweet dm whatsapp telegram alert warn webhook'
      .split(' ')
      .map((verb) => [verb, message]),
  ),
  ...Object.fromEntries('hash digest fingerprint'.split(' ').map((verb) => [verb, ['content.digest']])),
  ...Object.fromEntries('fetch download read load open visit'.split(' ').map((verb) => [verb, ['http.fetch']])),
  ...Object.fromEntries(
    'make create generate produce render draw paint design compose record shoot speak buy spend pay'
      .split(' ')
      .map((verb) => [verb, ['media.generate']]),
  ),
  ...Object.fromEntries('stress shock simulate'.split(' ').map((verb) => [verb, ['analytics.stress']])),
  verify: ['receipt.verify'],
  snapshot: ['analytics.snapshot'],
  fit: ['analytics.surface'],
  surface: ['analytics.surface'],
};

const leadWords = new Set(['but', 'please', 'instead', 'rather', 'than', 'must', 'ever', 'bother', 'try']);

/** They say nothing without what they are done to: "take a snapshot". */
const lightVerbs = new Set(['take', 'do', 'run', 'get', 'give', 'use']);

/**
 * Checks that no step does what a clause forbids: only where the clause names a deed, and nothing else that a step
 * could miss.
 */
export function isHonoured(tokens: readonly Token[], steps: readonly Done[]): boolean {
  const isPlain = tokens.every(
    ({ kind, low }) =>
      kind !== 'number' && kind !== 'date' && kind !== 'shape' && !conditions.has(low) && !scheduleWords.has(low),
  );
  // the verb alone: "don't put text on it" forbids no message
  const head = tokens.find(
    ({ kind, low }) => kind === 'word' && !fillers.has(low) && !negations.has(low) && !leadWords.has(low),
  );
  const isLight = head !== undefined && lightVerbs.has(verbOf(head.low) ?? head.low);
  const words = isLight ? tokens.filter(({ kind }) => kind === 'word') : head ? [head] : [];
  const deeds = words.flatMap(({ low }) => forbids[verbOf(low) ?? low] ?? []);
  if (!isPlain && !onlyInstead(tokens)) return false;
  // an address that the forbidden deed has nothing to do with belongs to another
  if (
    tokens.some(({ kind }) => kind === 'url') &&
    !deeds.some((deed) => deed === 'notify.webhook' || deed === 'http.fetch')
  )
    return false;
  const symbols = tokens.flatMap(({ symbol }) => symbol ?? []);
  // "instead of QQQ" forbids no deed, but the symbol
  if (deeds.length === 0)
    return (
      symbols.length > 0 &&
      isBare(tokens) &&
      !steps.some(({ input }) => symbols.some((symbol) => hasText(input, symbol)))
    );
  return !steps.some(({ capability }) => deeds.includes(capability));
}

/** Checks whether only names come after the negation. */
function isBare(tokens: readonly Token[]): boolean {
  return tokens.every(
    ({ kind, low }) =>
      kind !== 'word' || negations.has(low) || fillers.has(low) || ['instead', 'rather', 'than'].includes(low),
  );
}

function hasText(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.includes(text);
  return typeof value === 'object' && value !== null && Object.values(value).some((one) => hasText(one, text));
}

/** "instead of posting it", "rather than posting it" set no condition. */
function onlyInstead(tokens: readonly Token[]): boolean {
  return tokens.every(
    ({ kind, low }) =>
      kind !== 'number' &&
      kind !== 'date' &&
      kind !== 'shape' &&
      !scheduleWords.has(low) &&
      (!conditions.has(low) || low === 'instead' || low === 'rather'),
  );
}

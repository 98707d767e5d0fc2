import { type Token, textOf } from '#src/lib/words/tokens.ts';
import { countWords, fillers, negations, scheduleWords, verbOf } from './goal-words.ts';
import { bounds, copyWords, eraWords, otherUnits, readShape, secondsOf } from './media-shape.ts';
import {
  countsOn,
  isEach,
  isOtherList,
  links,
  listOf,
  pointsBack,
  type Subject,
  says,
  subjectOf,
  withoutShape,
} from './media-subject.ts';
import { silentWords, wishAt } from './media-wishes.ts';
import { mediaKinds } from './media-words.ts';
import { quoted } from './own-rules.ts';
import { type Draft, type Reading, type Rule, refusal, wordSet } from './rule.ts';

const verbs = wordSet(
  'make create generate produce render draw paint design compose record shoot speak narrate write give want need get',
);
/** Words that say no more than the capability does; any other, such as "poster", is part of the wish. */
const plainThings = wordSet(
  'picture pictures image images pic pics film films video videos movie movies clip clips music',
);
const pointers = wordSet('it this that them these those');
/** Up to this many words may lie between the verb and what is made. */
const MOST_BETWEEN = 14;
const MOST_COPIES = 10;

/** A picture, film, voice-over or music: each made once for every one that is requested. */
export const mediaRule: Rule = (tokens, { goal }) => {
  const found = thingIn(tokens);
  if (!found) return null;
  const { verb, thing, capability } = found;
  const clause = tokens.slice(0, repeatAt(tokens, thing));
  const wide = subjectOf(clause, thing, capability);
  const {
    shape,
    used: shaped,
    count: counted,
    conflict,
  } = readShape(clause, {
    thing,
    capability,
    subjectFrom: wide?.from ?? clause.length,
    isQuoted: wide?.isQuoted ?? false,
  });
  const subject = wide && withoutShape(clause, wide, shaped);
  const cut =
    wide && subject ? clause.flatMap((_, place) => (place >= subject.to && place < wide.to ? [place] : [])) : [];
  const listed = subject ? listOf(goal, subject.tokens).length : 1;
  const each = subject && isEach(clause, subject) ? listed : 1;
  const why = conflict ?? whyNot({ clause, subject, counted, each, listed });
  if (why !== null) return refusal(why);
  const count = each > 1 ? each : (counted ?? 1);
  const used = new Set<number>([...(verb < 0 ? [] : [verb]), thing, ...shaped, ...cut]);
  const adjectives = clause.flatMap((_, place) =>
    place > verb && place < thing && !used.has(place) && isLook(clause, place) ? [place] : [],
  );
  const isSpeech = capability === 'tts.synthesize';
  // words that are spoken are no guess: without any there is nothing to say
  if (isSpeech && (subject === null || pointers.has(textOf(goal, subject.tokens).toLowerCase()))) return null;
  const prompts = promptsOf({
    goal,
    clause,
    subject,
    adjectives: isSpeech ? [] : adjectives,
    thing,
    count,
    capability,
  });
  for (const place of prompts.used) used.add(place);
  const drafts = prompts.texts.map(
    (prompt): Draft => ({
      capability: 'media.generate',
      title: 'Have something made',
      input: { capability, prompt, ...shape },
    }),
  );
  const isMany = counted === null && each === 1 && /[^s]s$/.test(clause[thing]!.low) && clause[thing]!.low !== 'lens';
  const notes = isMany ? [`“${clause[thing]!.text}” says no number: one is made`] : [];
  return { drafts, used, notes } satisfies Reading;
};

function opensThing(first: Token | undefined): boolean {
  return first !== undefined && (first.kind === 'number' || ['a', 'an', 'some'].includes(first.low));
}

function thingIn(tokens: readonly Token[]): { verb: number; thing: number; capability: string } | null {
  const said = tokens.findIndex(({ kind, low }) => kind === 'word' && verbs.has(verbOf(low) ?? low));
  // "three pictures of the sea" needs no verb
  const verb = said >= 0 ? said : opensThing(tokens[0]) ? -1 : null;
  if (verb === null) return null;
  for (let place = verb + 1; place < Math.min(tokens.length, verb + MOST_BETWEEN); place++) {
    const { kind, low } = tokens[place]!;
    if (kind === 'quote' || negations.has(low)) return null;
    const two = `${low}${tokens[place + 1]?.low ?? ''}`;
    const at = mediaKinds.findIndex(([words]) => words.has(low) || (low === 'voice' && words.has(two)));
    if (kind === 'word' && at >= 0)
      return { verb, thing: low === 'voice' ? place + 1 : place, capability: mediaKinds[at]![1] };
  }
  return null;
}

/** Finds the place of the words that want it made again and again: no prompt can have them. */
function repeatAt(tokens: readonly Token[], thing: number): number {
  const at = tokens.findIndex(({ low }, place) => {
    if (place <= thing) return false;
    if (['daily', 'weekly', 'hourly', 'monthly', 'nightly'].includes(low)) return place === tokens.length - 1;
    const next = tokens[place + 1]?.low ?? '';
    return (
      (low === 'every' || low === 'each') &&
      (scheduleWords.has(next) ||
        ['day', 'week', 'hour', 'month', 'minute', 'year'].includes(next) ||
        tokens[place + 1]?.kind === 'number')
    );
  });
  return at < 0 ? tokens.length : at;
}

interface CountedWish {
  readonly clause: readonly Token[];
  readonly subject: Subject | null;
  /** Number that is counted out; null where none is said. */
  readonly counted: number | null;
  /** Number that "each" makes of a list. */
  readonly each: number;
  /** Number of parts that the words of the subject list. */
  readonly listed: number;
}

/** Says why the wish is not clear, or cannot be made; null where it can. */
function whyNot({ clause, subject, counted, each, listed }: CountedWish): string | null {
  const count = each > 1 ? each : counted;
  if (count !== null && (count > MOST_COPIES || !Number.isInteger(count) || count < 1))
    return `at most ${MOST_COPIES} of a kind are made at once, each counted out`;
  if (subject === null) return null;
  if (pointsBack(subject)) return 'what is made cannot be taken from another step: say in words what it shows';
  if (countsOn(subject)) return 'it counts more than one kind: name each that is to be made';
  const isOther = each > 1 ? (counted ?? 1) > 1 && counted !== each : isOtherList(clause, subject, counted, listed);
  return isOther ? `it asks for ${counted} and lists ${listed}: name each that is to be made` : null;
}

interface Wish {
  readonly goal: string;
  readonly clause: readonly Token[];
  readonly subject: Subject | null;
  readonly adjectives: readonly number[];
  readonly thing: number;
  readonly count: number;
  readonly capability: string;
}

function promptsOf({ goal, clause, subject, adjectives, thing, count, capability }: Wish): {
  texts: readonly string[];
  used: readonly number[];
} {
  const isSpeech = capability === 'tts.synthesize';
  const text = subject ? (subject.isQuoted ? quoted(subject.tokens[0]!) : textOf(goal, subject.tokens)) : '';
  const all = clause.map((_, place) => place);
  // what "it" is, only the whole clause may show
  if (!subject || pointers.has(text.toLowerCase())) {
    const end = wishAt(clause, thing + 1, capability);
    const whole = textOf(goal, clause.slice(0, end));
    return { texts: repeated(whole, count), used: all.filter((place) => place < end && !isCountLeft(clause, place)) };
  }
  const places = all.filter((place) => place >= subject.from && place < subject.to);
  const linked = all.filter(
    (place) =>
      place > thing &&
      place < subject.from &&
      (links.has(clause[place]!.low) || says.has(clause[place]!.low) || clause[place]!.low === 'each'),
  );
  const noun = plainThings.has(clause[thing]!.low) ? '' : clause[thing]!.low.replace(/s$/, '');
  if (subject.isQuoted)
    return {
      texts: repeated(noun === '' || isSpeech ? text : `${noun} “${text}”`, count),
      used: [...places, ...linked],
    };
  const parts = listOf(goal, subject.tokens);
  const texts = count > 1 && parts.length === count ? parts : repeated(text, count);
  const look = adjectives
    .map((place) => (clause[place]!.isJoined ? '' : ' ') + clause[place]!.text)
    .join('')
    .trim();
  const kind = [look, noun === '' && look !== '' ? clause[thing]!.low.replace(/s$/, '') : noun]
    .filter((word) => word !== '')
    .join(' ');
  const full = kind === '' || isSpeech ? texts : texts.map((one) => `${kind} of ${one}`);
  return { texts: full, used: [...places, ...linked, ...adjectives] };
}

const repeated = (text: string, count: number): readonly string[] => Array.from({ length: count }, () => text);

function isCountLeft(clause: readonly Token[], place: number): boolean {
  return negations.has(clause[place]!.low);
}

/**
 * Checks whether a word before the thing says what it looks like: "90s style", not "2 hour", "several" or "at most".
 */
function isLook(clause: readonly Token[], place: number): boolean {
  const { kind, low } = clause[place]!;
  const [before, after, next] = [clause[place - 1], clause[place + 1]?.low ?? '', clause[place + 2]?.low ?? ''];
  if (kind === 'number') return after === 's' && eraWords.has(next);
  if (before?.kind === 'number' && low === 's') return eraWords.has(after);
  if (kind !== 'word' || (before?.kind === 'number' && otherUnits.has(low))) return false;
  return (
    secondsOf[low] === undefined &&
    !fillers.has(low) &&
    !silentWords.has(low) &&
    !negations.has(low) &&
    low !== 'or' &&
    !copyWords.has(low) &&
    !countWords.has(low) &&
    !bounds.has(low) &&
    verbOf(low) === null
  );
}

import { type Token, textOf } from '#src/lib/words/tokens.ts';
import { countWords, fillers, negations, scheduleWords, verbOf } from './goal-words.ts';
import { bounds, copyWords, eraWords, otherUnits, readShape, secondsOf } from './media-shape.ts';
import { wishAt } from './media-wishes.ts';
import { mediaKinds } from './media-words.ts';
import { quoted } from './own-rules.ts';
import { type Draft, kindPlaces, type Reading, type Rule, refusal, wordSet } from './rule.ts';

const verbs = wordSet(
  'make create generate produce render draw paint design compose record shoot speak narrate write give want need get',
);
/** Words that say no more than the capability does; any other, such as "poster", is part of the wish. */
const plainThings = wordSet(
  'picture pictures image images pic pics film films video videos movie movies clip clips music',
);
const pointers = wordSet('it this that them these those');
/** Words after which comes what it shows or says. */
const links = wordSet('of about for from showing with saying reading that where featuring depicting : titled called');
const says = wordSet('say says read reads show shows said');
/** Up to this many words may lie between the verb and what is made. */
const MOST_BETWEEN = 14;
const MOST_COPIES = 10;

/** A picture, film, voice-over or music: each made once for every one that is asked for. */
export const mediaRule: Rule = (tokens, { goal }) => {
  const found = thingIn(tokens);
  if (!found) return null;
  const { verb, thing, capability } = found;
  const clause = tokens.slice(0, repeatAt(tokens, thing));
  const subject = subjectOf(clause, thing);
  const {
    shape,
    used: shaped,
    count,
  } = readShape(clause, {
    thing,
    capability,
    subjectFrom: subject?.from ?? clause.length,
    isQuoted: subject?.isQuoted ?? false,
  });
  if (count !== null && (count > MOST_COPIES || !Number.isInteger(count) || count < 1))
    return refusal(`at most ${MOST_COPIES} of a kind are made at once, each counted out`);
  const used = new Set<number>([...(verb < 0 ? [] : [verb]), thing, ...shaped]);
  const adjectives = clause.flatMap((_, place) =>
    place > verb && place < thing && !used.has(place) && isLook(clause, place) ? [place] : [],
  );
  const isSpeech = capability === 'tts.synthesize';
  // words that are spoken are no guess: without any there is nothing to say
  if (isSpeech && (subject === null || pointers.has(textOf(goal, subject.tokens).toLowerCase()))) return null;
  if (subject && pointsBack(subject))
    return refusal('what is made cannot be taken from another step: say in words what it shows');
  if (subject && countsOn(subject)) return refusal('it counts more than one kind: name each that is to be made');
  if (subject && isOtherList(clause, subject, goal, count))
    return refusal(`it asks for ${count} and lists another number: name each that is to be made`);
  const prompts = promptsOf({
    goal,
    clause,
    subject,
    adjectives: isSpeech ? [] : adjectives,
    thing,
    count: count ?? 1,
    isSpeech,
  });
  for (const place of prompts.used) used.add(place);
  const drafts = prompts.texts.map(
    (prompt): Draft => ({
      capability: 'media.generate',
      title: 'Have something made',
      input: { capability, prompt, ...shape },
    }),
  );
  const isMany = count === null && /[^s]s$/.test(clause[thing]!.low) && clause[thing]!.low !== 'lens';
  const notes = isMany ? [`“${clause[thing]!.text}” says no number: one is made`] : [];
  return { drafts, used, notes } satisfies Reading;
};

interface Subject {
  readonly tokens: readonly Token[];
  readonly from: number;
  readonly to: number;
  readonly isQuoted: boolean;
}

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

/** Where the words begin that say it is to be made again and again: no prompt can have them. */
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

function subjectOf(clause: readonly Token[], thing: number): Subject | null {
  const quote = kindPlaces(clause, 'quote').find((place) => place > thing);
  if (quote !== undefined) return { tokens: [clause[quote]!], from: quote, to: quote + 1, isQuoted: true };
  for (let place = thing + 1; place < clause.length - 1; place++) {
    const { low } = clause[place]!;
    if (!links.has(low) || (low === 'that' && !says.has(clause[place + 1]?.low ?? ''))) continue;
    const from = low === 'that' ? place + 2 : place + 1;
    if (from >= clause.length) return null;
    const to = wishAt(clause, from);
    return to <= from ? null : { tokens: clause.slice(from, to), from, to, isQuoted: false };
  }
  return null;
}

const backWords = wordSet(
  'what it says say said that this the result results answer snapshot page content contents summary surface stress data them those shows found a of',
);

/** "a picture of what it says", "of the result": a prompt has to have the words itself. */
function pointsBack({ tokens, isQuoted }: Subject): boolean {
  const words = tokens.filter(({ kind }) => kind !== 'mark');
  return !isQuoted && words.length > 1 && words.every(({ low }) => backWords.has(low));
}

/** "2 pictures of a dog and 3 of a cat", "a picture of a dog and another of a cat". */
function countsOn({ tokens, isQuoted }: Subject): boolean {
  return (
    !isQuoted &&
    tokens.some(({ kind, low }, place) => {
      const isJoint = ['and', ','].includes(tokens[place - 1]?.low ?? '');
      return isJoint && (kind === 'number' || low === 'another') && tokens[place + 1]?.low === 'of';
    })
  );
}

/** "four pictures: dawn, noon, dusk". */
function isOtherList(clause: readonly Token[], subject: Subject, goal: string, count: number | null): boolean {
  const parts = listOf(goal, subject.tokens);
  return (
    count !== null && count > 1 && clause[subject.from - 1]?.low === ':' && parts.length > 1 && parts.length !== count
  );
}

interface Wish {
  readonly goal: string;
  readonly clause: readonly Token[];
  readonly subject: Subject | null;
  readonly adjectives: readonly number[];
  readonly thing: number;
  readonly count: number;
  readonly isSpeech: boolean;
}

function promptsOf({ goal, clause, subject, adjectives, thing, count, isSpeech }: Wish): {
  texts: readonly string[];
  used: readonly number[];
} {
  const text = subject ? (subject.isQuoted ? quoted(subject.tokens[0]!) : textOf(goal, subject.tokens)) : '';
  const all = clause.map((_, place) => place);
  // what "it" is, only the whole clause may tell
  if (!subject || pointers.has(text.toLowerCase())) {
    const end = wishAt(clause, thing + 1);
    const whole = textOf(goal, clause.slice(0, end));
    return { texts: repeated(whole, count), used: all.filter((place) => place < end && !isCountLeft(clause, place)) };
  }
  const places = all.filter((place) => place >= subject.from && place < subject.to);
  const linked = all.filter(
    (place) => place > thing && place < subject.from && (links.has(clause[place]!.low) || says.has(clause[place]!.low)),
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

/** "bread, cake and coffee": what stands between the commas. */
function listOf(goal: string, tokens: readonly Token[]): readonly string[] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.low === ',' || token.low === 'and' || token.low === '&') parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts.filter((part) => part.length > 0).map((part) => textOf(goal, part));
}

/** Whether a word before the thing says what it looks like: "90s style", not "2 hour", "several" or "at most". */
function isLook(clause: readonly Token[], place: number): boolean {
  const { kind, low } = clause[place]!;
  const [before, after, next] = [clause[place - 1], clause[place + 1]?.low ?? '', clause[place + 2]?.low ?? ''];
  if (kind === 'number') return after === 's' && eraWords.has(next);
  if (before?.kind === 'number' && low === 's') return eraWords.has(after);
  if (kind !== 'word' || (before?.kind === 'number' && otherUnits.has(low))) return false;
  return (
    secondsOf[low] === undefined &&
    !fillers.has(low) &&
    !negations.has(low) &&
    low !== 'or' &&
    !copyWords.has(low) &&
    !countWords.has(low) &&
    !bounds.has(low) &&
    verbOf(low) === null
  );
}

import { type Token, textOf } from '#src/lib/words/tokens.ts';
import { beforeShape, isLength } from './media-shape.ts';
import { isFilmPart, wishAt } from './media-wishes.ts';
import { kindPlaces, wordSet } from './rule.ts';

/** Words after which comes what it shows or says. */
export const links = wordSet(
  'of about for from showing with saying reading that where featuring depicting : titled called',
);
export const says = wordSet('say says read reads show shows said');

/** The words of a clause that say what is shown or spoken. */
export interface Subject {
  readonly tokens: readonly Token[];
  readonly from: number;
  readonly to: number;
  readonly isQuoted: boolean;
}

/** "a picture each of a dog and a cat", "of each of these: …": one for every part of the list. */
export function isEach(clause: readonly Token[], { from, isQuoted }: Subject): boolean {
  return !isQuoted && clause[from - 1]?.low === 'of' && clause[from - 2]?.low === 'each';
}

export function subjectOf(clause: readonly Token[], thing: number, capability: string): Subject | null {
  const quote = kindPlaces(clause, 'quote').find((place) => place > thing);
  if (quote !== undefined) return { tokens: [clause[quote]!], from: quote, to: quote + 1, isQuoted: true };
  for (let place = thing + 1; place < clause.length - 1; place++) {
    const { low } = clause[place]!;
    if (capability === 'video.generate' && isFilmPart(clause, place)) continue;
    if (low === 'for' && isLength(clause, place + 1)) continue;
    if (!links.has(low) || (low === 'that' && !says.has(clause[place + 1]?.low ?? ''))) continue;
    let from = low === 'that' ? place + 2 : place + 1;
    if (clause[from]?.low === 'each' && clause[from + 1]?.low === 'of') from += 2;
    if (from >= clause.length) return null;
    const to = wishAt(clause, from, capability);
    return to <= from ? null : { tokens: clause.slice(from, to), from, to, isQuoted: false };
  }
  return null;
}

/** Without the words at its end that say how long or large it is to be. */
export function withoutShape(clause: readonly Token[], subject: Subject, shaped: readonly number[]): Subject | null {
  if (subject.isQuoted) return subject;
  const to = beforeShape(clause, subject.from, subject.to, shaped);
  return to === subject.from ? null : { ...subject, to, tokens: clause.slice(subject.from, to) };
}

const backWords = wordSet(
  'what it says say said that this the result results answer snapshot page content contents summary surface stress data them those shows found a of',
);

/** "a picture of what it says", "of the result": a prompt has to have the words itself. */
export function pointsBack({ tokens, isQuoted }: Subject): boolean {
  const words = tokens.filter(({ kind }) => kind !== 'mark');
  return !isQuoted && words.length > 1 && words.every(({ low }) => backWords.has(low));
}

/** "2 pictures of a dog and 3 of a cat", "a picture of a dog and another of a cat". */
export function countsOn({ tokens, isQuoted }: Subject): boolean {
  return (
    !isQuoted &&
    tokens.some(({ kind, low }, place) => {
      const isJoint = ['and', ','].includes(tokens[place - 1]?.low ?? '');
      return isJoint && (kind === 'number' || low === 'another') && tokens[place + 1]?.low === 'of';
    })
  );
}

/** "four pictures: dawn, noon, dusk". */
export function isOtherList(
  clause: readonly Token[],
  subject: Subject,
  counted: number | null,
  listed: number,
): boolean {
  return counted !== null && counted > 1 && clause[subject.from - 1]?.low === ':' && listed > 1 && listed !== counted;
}

/** "bread, cake and coffee": the parts between the commas. */
export function listOf(goal: string, tokens: readonly Token[]): readonly string[] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.low === ',' || token.low === 'and' || token.low === '&') parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts.filter((part) => part.length > 0).map((part) => textOf(goal, part));
}

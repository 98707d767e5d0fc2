import type { Token } from '#src/lib/words/tokens.ts';
import { negations, scheduleWords } from './goal-words.ts';
import { bounds, secondsOf } from './media-shape.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
/** Parts of a film, picture or sound: "no voice" is no part of what it shows. */
const parts = set(
  'voice voices voiceover voice-over narration narrator speech speaking talking music sound sounds audio soundtrack captions caption subtitles subtitle text words writing logo logos watermark watermarks credits cuts',
);
/** Parts that a film may be given beside what it shows: no prompt of a film makes them. */
const filmParts = set(
  'voice voices voiceover voice-over narration narrator speech music sound sounds audio soundtrack captions caption subtitles subtitle credits watermark',
);
const joins = set('with plus including and add adding');
/** Up to this many words may describe a part: "with some calm piano music". */
const MOST_DESCRIBING = 4;
const halves = set('a an one half couple few');
const before = set(
  'for under below within over at most least than max maximum about only to of on a an the and with as in',
);
/** Words for a film that has no sound: no prompt makes it so. */
export const silentWords = set('silent muted mute soundless');
/** After these, another thing is shown: "with a man of no music" speaks of the man. */
const links = set('of in at on near playing listening to');
const money = set('dollar dollars usd euro euros eur pound pounds gbp cent cents buck bucks');
const timeUnits = set('second seconds minute minutes hour hours');
const budgets = set('budget budgets cost costs costing priced spend spending');
const formats = set('jpeg jpg png gif webp svg pdf mp4 mov webm wav mp3 flac');
const untilWords = set('by before until till');
const endings = set('tomorrow tonight asap eod eow soon later');
const weekdays = set('monday tuesday wednesday thursday friday saturday sunday');

/**
 * Finds the end of the subject that begins at `begin`: from there on the words say how it is to be made, for how much
 * or by when, which no prompt can have: "for $5", "by Friday", "no voice", and of a film "with subtitles". The number
 * of tokens where none do.
 */
export function wishAt(tokens: readonly Token[], begin: number, capability: string): number {
  const at = tokens.findIndex(
    (token, place) =>
      place >= begin &&
      (isWish(tokens, place, token) || (capability === 'video.generate' && isFilmPart(tokens, place))),
  );
  if (at < 0) return tokens.length;
  // "for at most $5", "on a budget": from the first of the words that lead to it
  let from = at;
  while (from > begin && (before.has(tokens[from - 1]!.low) || tokens[from - 1]!.kind === 'mark')) from--;
  return from;
}

function isWish(tokens: readonly Token[], place: number, { kind, low, text }: Token): boolean {
  const next = tokens[place + 1];
  const previous = tokens[place - 1]?.low ?? '';
  if (negations.has(low)) return tokens.slice(place + 1, place + 4).some((one) => parts.has(one.low));
  if (kind === 'shape' && /[x×]/.test(low)) return true;
  // "1024 x 1024", "1:30 long"
  if (kind === 'number' && ['x', '×', 'by'].includes(next?.low ?? '') && tokens[place + 2]?.kind === 'number')
    return true;
  if (kind === 'shape' && ['long', 'min', 'minutes'].includes(next?.low ?? '')) return true;
  if (kind === 'word' && formats.has(low)) return true;
  if (budgets.has(low)) return true;
  // "a minute and a half", "half a minute": how long, in words that are no number
  if (halves.has(previous) && timeUnits.has(low)) return true;
  if (low === 'each') return next === undefined || next.kind === 'mark';
  if (kind === 'number' && bounds.has(previous) && secondsOf[next?.low ?? ''] !== undefined) return true;
  if (low === 'price' && previous === 'the') return true;
  if (money.has(low) && ['a', 'one'].includes(previous)) return true;
  if (kind === 'number' && before.has(previous) && !['of', 'a', 'the', 'and', 'with'].includes(previous))
    return /^[-+]?[$€£]/.test(text) || money.has(next?.low ?? '');
  if (untilWords.has(low)) return next !== undefined && isTime(next);
  if (low === 'at') return next !== undefined && (next.kind === 'shape' || next.kind === 'number');
  if (low === 'on') return weekdays.has(next?.low ?? '') && place + 2 === tokens.length;
  return kind === 'word' && endings.has(low) && place === tokens.length - 1;
}

/** "with subtitles", "and a calm voice-over", "silent" at the end. */
export function isFilmPart(tokens: readonly Token[], place: number): boolean {
  const { low } = tokens[place]!;
  if (silentWords.has(low)) return place === tokens.length - 1 || tokens[place + 1]!.kind === 'mark';
  if (!joins.has(low)) return false;
  const described = tokens.slice(place + 1, place + 2 + MOST_DESCRIBING);
  const part = described.findIndex((one) => filmParts.has(one.low));
  return part >= 0 && !described.slice(0, part).some((one) => one.kind === 'mark' || links.has(one.low));
}

function isTime({ kind, low }: Token): boolean {
  return kind === 'number' || kind === 'date' || kind === 'shape' || (kind === 'word' && scheduleWords.has(low));
}

import { type MarkedText, takeAll } from './marked-text.ts';
import type { Move, Qualifiers } from './read-qualifiers.ts';
import { readShocks } from './read-shocks.ts';

const CLAUSE = /[^,;?!:()|]+/g;
const SPLIT = /\b(?:and|or|while|with|but|then|if|when|versus|vs)\b/;
const SIGNED = /\b(?:at|for|on|of|to) (?=(?:a )?[+-]\d)/g;
const POINTS =
  /\b(?:(?:if|when|and|with) )?(?:(?<name>vols?|volatility|iv|implied vol(?:atility)?) (?:is |goes |moves |go )?(?<way>up|down|rises?|falls?|drops?|jumps?|spikes?|gains?|loses?|adds?|sheds?|\+|-) ?(?:by )?(?<size>\d{1,3}(?:\.\d{1,2})?) (?:vol(?:atility)? )?(?:points?|pts?)\b|(?<sign>[+-]?)(?<size2>\d{1,3}(?:\.\d{1,2})?) vol(?:atility)? (?:points?|pts?)(?: (?<way2>up|down|higher|lower|rise|drop|fall|spike|jump))?)/g;
const DOWN = /^(?:down|falls?|drops?|loses?|sheds?|-|lower|fall)$/;
const NUMBER = /(?<![\w.])[+-]?\d{1,4}(?:\.\d{1,6})? ?(?:%|percent\b|pct\b|bps?\b|basis points\b)?/;
const DIRECTION =
  /\b(?:drops?|dropped|falls?|fell|declines?|loses?|sinks?|crash(?:es)?|plunges?|tanks?|down|lower|sells off|selloff|sell-off|slides?|dips?|collapses?|decreases?|minus|rises?|rose|gains?|rally|rallies|jumps?|up|climbs?|higher|spikes?|increases?|surges?|pops?|plus|bounces?|moves?|shock|shocks|change|changes)\b/g;
const VOL = /\b(?:vols?|volatility|iv|vix|implied)\b/g;
const SPAN =
  /\b(?:in|after|over|within|for) (?:the next )?\d{1,4} ?(?:calendar )?days?\b|\bovernight\b|\btomorrow\b|\blater\b/g;

/**
 * Takes the moves of a question: those in volatility points here, and what `readShocks` reads clause by clause. A clause
 * counts as understood as far as its number, its direction and its time go: what else stands in it is left over. Goals of
 * missions are read by another parser (`src/lib/words/shocks.ts`), which takes more: sizes in points, numbers in words.
 */
export function readMoves(marked: MarkedText, found: Qualifiers): void {
  const points: number[] = [];
  takeAll(marked, POINTS, ({ groups = {} }) => {
    const way = groups['way'] ?? groups['way2'] ?? '';
    const down = DOWN.test(way) || groups['sign'] === '-';
    // "10 vol points" alone says no direction
    if (way === '' && groups['sign'] === '' && points.length === 0) return false;
    if (points.length > 0) return false;
    points.push((down ? -1 : 1) * Number(groups['size'] ?? groups['size2']));
    return true;
  });
  marked.text = marked.text.replaceAll(SIGNED, ' ');
  const { shocks, notes } = readShocks(marked.text.replaceAll('|', ','));
  const assumed = notes.filter((note) => note.includes('taken as'));
  const refused = notes.filter((note) => !assumed.includes(note));
  const moves: Move[] = shocks.map((shock) => ({ ...shock }));
  if (points[0] !== undefined) {
    if (moves.length === 0) moves.push({});
    // points beside several shocks belong to each of them
    for (const move of moves) move.vol_points = points[0];
  }
  found.refused.push(...refused);
  if (moves.length === 0) return;
  found.moves = moves;
  found.notes.push(...assumed);
  marked.text = marked.text.replaceAll(CLAUSE, (clause) =>
    clause
      .split(SPLIT)
      .map((part) => {
        const [shock] = readShocks(part).shocks;
        return shock === undefined ? part : withoutMove(part, shock.vol_shock_pct !== undefined);
      })
      .join(' '),
  );
  takeAll(
    marked,
    /\b(?:if|when|what|happens?|scenario|suppose|say|assume|assuming|in case|case|of|a|an|by)\b/g,
    () => {},
  );
}

/** A clause without the move in it; what it asks beside it stays. */
function withoutMove(part: string, isOfVolatility: boolean): string {
  const rest = part.replaceAll(SPAN, ' ').replace(NUMBER, ' ').replaceAll(DIRECTION, ' ');
  return isOfVolatility ? rest.replaceAll(VOL, ' ') : rest;
}

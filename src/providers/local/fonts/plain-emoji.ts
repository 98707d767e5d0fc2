const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const REGIONAL_A = 0x1_f1e6;

/**
 * Emoji of several characters (joined, coloured, flags, keys) that fonts here have in parts only, and what is drawn of
 * each.
 */
export function emojiInParts(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { segment } of graphemes.segment(text)) {
    const plain = plainOf(segment);
    if (plain !== segment) found.set(segment, plain);
  }
  return found;
}

/** A text with each such emoji as the part that is drawn of it. */
export function withPlainEmoji(text: string): string {
  return Array.from(graphemes.segment(text), ({ segment }) => plainOf(segment)).join('');
}

function plainOf(segment: string): string {
  if (/^\p{Regional_Indicator}{2}$/u.test(segment)) return Array.from(segment, letterOf).join('');
  if (/^[#*0-9]\uFE0F?\u20E3$/u.test(segment)) return segment[0] ?? '';
  if (!/^\p{Emoji}/u.test(segment) || !/[\u200D\p{Emoji_Modifier}\u{E0020}-\u{E007F}]/u.test(segment.slice(1)))
    return segment;
  return Array.from(segment)[0] ?? '';
}

function letterOf(indicator: string): string {
  return String.fromCharCode((indicator.codePointAt(0) ?? REGIONAL_A) - REGIONAL_A + 65);
}

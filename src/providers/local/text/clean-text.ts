/** Marks on one character; more is noise that climbs over its neighbours. */
const MOST_MARKS = 4;
const marks = new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, 'gu');

/**
 * Text that can be drawn and spoken, of any script: well-formed Unicode in NFC, without control characters, private and
 * unassigned code points and marks that turn the direction of what follows. Blanks are single; a new line stays one.
 */
export function cleanText(text: string): string {
  return (
    text
      .toWellFormed()
      .normalize('NFC')
      .replace(/\r\n?|[\u2028\u2029\u0085]/gu, '\n')
      // joiners shape Indic letters and emoji, so they stay
      .replace(/(?![\n\u200C\u200D])[\p{Cf}\p{Cn}\p{Co}]/gu, '')
      .replace(/(?!\n)\p{Cc}/gu, ' ')
      .replace(marks, '$1')
      .replace(/[^\S\n]+/gu, ' ')
      .replace(/ ?\n[\s]*/gu, '\n')
      .trim()
  );
}

/** The same on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replaceAll('\n', ' ');
}

/** For XML text and attributes. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/gu, (character) => `&#${character.charCodeAt(0)};`);
}

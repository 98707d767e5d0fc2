const MOST = 160;

/** A text in quotation marks for a sentence that names it; of a long one its beginning. */
export function quoteText(text: string): string {
  const characters = Array.from(text);
  return characters.length <= MOST ? `“${text}”` : `“${characters.slice(0, MOST).join('').trimEnd()}…”`;
}

const units = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'.split(
  ' ',
);
const small = new Map<string, number>([
  ...[...units, 'sixteen', 'seventeen', 'eighteen', 'nineteen'].map((word, value): [string, number] => [word, value]),
  ...'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, n): [string, number] => [word, 10 * (n + 2)]),
  ['dozen', 12],
  ['half', 0.5],
]);
/** Fractions that have a character of their own. */
const fractions: Readonly<Record<string, number>> = {
  '½': 0.5,
  '¼': 0.25,
  '¾': 0.75,
  '⅛': 0.125,
  '⅜': 0.375,
  '⅝': 0.625,
  '⅞': 0.875,
};
const scales = new Map([
  ['hundred', 100],
  ['thousand', 1_000],
  ['million', 1_000_000],
]);

/** "1½" as 1.5: folded by its characters alone it would be 11⁄2. */
export function withPlainFractions(text: string): string {
  return text.replaceAll(
    /(?:(\d+) ?)?([½¼¾⅛⅜⅝⅞])/g,
    (_, whole: string | undefined, sign: string) => `${Number(whole ?? 0) + fractions[sign]!}`,
  );
}

/** A number in words at the start of `words`, and how many of them it takes; null where there is none. */
export function readNumberWords(words: readonly string[]): { readonly value: number; readonly length: number } | null {
  const whole = wholeAt(words);
  if (!whole) return null;
  const rest = words.slice(whole.length);
  if (rest[0] === 'and' && rest[1] === 'a' && rest[2] === 'half')
    return { value: whole.value + 0.5, length: whole.length + 3 };
  const tenths = rest[0] === 'point' ? wholeAt(rest.slice(1)) : null;
  if (tenths === null || !Number.isInteger(tenths.value)) return whole;
  return { value: Number(`${whole.value}.${tenths.value}`), length: whole.length + 1 + tenths.length };
}

function wholeAt(words: readonly string[]): { readonly value: number; readonly length: number } | null {
  let total = 0;
  let group = 0;
  let length = 0;
  let last = 0;
  for (const word of words) {
    const scale = scales.get(word);
    if (scale !== undefined && length > 0) {
      if (scale === 100) group *= 100;
      else {
        total += group * scale;
        group = 0;
      }
      last = scale;
      length++;
      continue;
    }
    const value = valueOf(word);
    // "five seven" is two numbers, "twenty five" and "two hundred five" are one
    const fits =
      value !== null && (length === 0 || (Number.isInteger(value) && (last >= 100 || (last >= 20 && value < 10))));
    if (!fits) break;
    group += value;
    last = value;
    length++;
  }
  return length === 0 ? null : { value: total + group, length };
}

/** "five", "twenty-five", "five-hundred". */
function valueOf(word: string): number | null {
  const plain = small.get(word);
  if (plain !== undefined) return plain;
  const parts = word.split('-');
  const read = parts.length > 1 ? wholeAt(parts) : null;
  return read?.length === parts.length ? read.value : null;
}

/** A brief's text by its uses: to be shown, spoken and posted. */
export interface FilmScript {
  /** Text to be shown: all of it but the parts that are marked as spoken or as the post's. */
  readonly shown: string;
  readonly spoken: string;
  readonly caption: string;
  /** Seconds that its first sentence names as the length of a film; null where it names none. */
  readonly seconds: number | null;
  /** Remarks on how it was read, in sentences. */
  readonly warnings: readonly string[];
}

type Part = 'shown' | 'spoken' | 'caption';
type Parts = Partial<Readonly<Record<Part, string>>>;

/** Words at the beginning of a line, before a colon, that say what follows them is. */
const labels: readonly (readonly [RegExp, Part])[] = [
  [/^\s*(?:narration|narrator|voice[- ]?over|vo|script|spoken|speech|sprechertext|erzähler)\s*:\s*/iu, 'spoken'],
  [/^\s*(?:caption|post|post text|post caption|bildunterschrift|beitrag)\s*:\s*/iu, 'caption'],
  [/^\s*(?:visuals?|shows?|on screen|pictures?|brief|bild)\s*:\s*/iu, 'shown'],
];

const MADE = String.raw`(?:teaser|trailer|film|video|movie|clip|spot|ads?|advert|commercial|reel|short|story|animation|animatic|campaign|promo|voice-?over|narration)`;
const LENGTH = String.raw`(\d{1,3}(?:\.\d)?)[- ]?(?:seconds?|secs?|s)`;
const instructions: readonly RegExp[] = [
  new RegExp(
    String.raw`^(?:please\s+)?(?:make|create|produce|generate|write|shoot|render|record|design|film)\b.{0,80}\b${MADE}\b`,
    'iu',
  ),
  new RegExp(
    String.raw`^(?:an?|the|one|two|three)?\s*(?:${LENGTH}\b)?[^.!?]{0,60}\b${MADE}\b\s*(?::|\b(?:for|about|of|on|showing|that|in which|with|to)\b)`,
    'iu',
  ),
];
const ownLength = new RegExp(String.raw`\b${LENGTH}[- ](?:long\s+)?(?:[\p{L}-]+\s+){0,3}?${MADE}\b`, 'iu');

/**
 * A brief's text in its parts. Lines that begin with `Narration:`, `Caption:` or `Visuals:` say what they and those
 * after them are for; without them all of it is shown, spoken and posted, and an instruction among it is pointed out.
 */
export function readFilmScript(prompt: string): FilmScript {
  const parts: Parts = labels.some(([pattern]) => prompt.split('\n').some((line) => pattern.test(line)))
    ? partsOf(prompt)
    : { shown: prompt };
  const first = /^[^\n.!?。！？]*[.!?。！？:]?/u.exec(prompt.trim())?.[0] ?? '';
  const seconds = Number(ownLength.exec(first)?.[1] ?? Number.NaN);
  const spoken = parts.spoken ?? parts.shown ?? prompt;
  const caption = parts.caption ?? parts.spoken ?? parts.shown ?? prompt;
  const uses = [
    ...(parts.spoken === undefined ? ['spoken'] : []),
    ...(parts.caption === undefined && parts.spoken === undefined ? ['posted as the caption'] : []),
  ];
  return {
    shown: parts.shown ?? parts.spoken ?? prompt,
    spoken,
    caption,
    seconds: seconds > 0 ? seconds : null,
    warnings:
      uses.length > 0 && instructions.some((pattern) => pattern.test(first))
        ? [
            `The brief begins like an instruction (${JSON.stringify(first.slice(0, 80))}), and is ${uses.join(' and ')} as it is written. Begin a line with "Narration:" for what is spoken, and one with "Caption:" for the text of the post.`,
          ]
        : [],
  };
}

/** The text under each label; all of it under `shown` before the first one. */
function partsOf(prompt: string): Parts {
  const lines: Record<Part, string[]> = { shown: [], spoken: [], caption: [] };
  let part: Part = 'shown';
  for (const line of prompt.split('\n')) {
    const label = labels.find(([pattern]) => pattern.test(line));
    if (label) part = label[1];
    lines[part].push(label ? line.replace(label[0], '') : line);
  }
  return Object.fromEntries(
    Object.entries(lines).flatMap(([name, texts]) => {
      const text = texts.join('\n').trim();
      return text === '' ? [] : [[name, text]];
    }),
  );
}

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const month = `(?<month>${months.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})`;

const DATES = new RegExp(
  [
    String.raw`\b(?<iso>\d{4}-\d{2}-\d{2})\b`,
    String.raw`\b${month}\.? (?<day>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\d{4}))?\b`,
    String.raw`\b(?<day2>\d{1,2})(?:st|nd|rd|th)? ${month.replace('<month>', '<month2>')}(?:,? (?<year2>\d{4}))?\b`,
  ].join('|'),
  'g',
);
const SPAN = /\b(?:last|past|previous) (?:(?<count>\d{1,4}) )?(?<unit>day|session|week|month|quarter|year)s?\b/;
const OPEN_END = /\b(?:since|after|from|starting)\b[^.]*$/;

export interface DatesRead {
  readonly from: string | null;
  readonly to: string | null;
  /** The text without the dates, so that their digits are no levels or shocks. */
  readonly text: string;
}

/**
 * The time a folded question asks about: one day, two, everything since one, or the last so many days, weeks, months or
 * years. A date without a year is the last one not after today; one that does not exist is no date.
 *
 * @param today `YYYY-MM-DD`
 */
export function readDates(folded: string, today: string): DatesRead {
  const found: string[] = [];
  let open = false;
  let text = folded.replaceAll(DATES, (match: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Record<string, string | undefined>;
    const value = dateOf(groups, today);
    if (value === null) return match;
    if (found.length === 0) open = OPEN_END.test(folded.slice(0, rest.at(-3) as number));
    found.push(value);
    return ' ';
  });
  const span = SPAN.exec(text);
  if (span !== null) text = text.replace(span[0], ' ');
  const yesterday = /\byesterday\b/.test(text);
  const [first = null, last = null] = found.toSorted();
  if (last !== null) return { from: first, to: found.toSorted().at(-1)!, text };
  if (first !== null) return { from: first, to: open ? today : first, text };
  if (span !== null) return { from: startOfSpan(span.groups!, today), to: today, text };
  if (!yesterday) return { from: null, to: null, text };
  const before = Temporal.PlainDate.from(today).subtract({ days: 1 }).toString();
  return { from: before, to: before, text };
}

function dateOf(groups: Record<string, string | undefined>, today: string): string | null {
  const name = groups['month'] ?? groups['month2'];
  const year = groups['year'] ?? groups['year2'];
  const day = groups['day'] ?? groups['day2'];
  try {
    if (name === undefined || day === undefined) return Temporal.PlainDate.from(groups['iso'] ?? '').toString();
    const now = Temporal.PlainDate.from(today);
    const fields = { month: months.findIndex((full) => full.startsWith(name.slice(0, 3))) + 1, day: Number(day) };
    const date = Temporal.PlainDate.from(
      { year: year === undefined ? now.year : Number(year), ...fields },
      { overflow: 'reject' },
    );
    const isLater = year === undefined && Temporal.PlainDate.compare(date, now) > 0;
    return (isLater ? date.subtract({ years: 1 }) : date).toString();
  } catch {
    // Temporal refuses a day that does not exist, such as 31 February.
    return null;
  }
}

function startOfSpan(groups: Record<string, string | undefined>, today: string): string {
  const count = Math.max(1, Number(groups['count'] ?? 1));
  const spans: Readonly<Record<string, Temporal.DurationLike>> = {
    day: { days: count },
    // Five sessions take a week.
    session: { days: Math.ceil((count * 7) / 5) },
    week: { days: 7 * count },
    month: { months: count },
    quarter: { months: 3 * count },
    year: { years: Math.min(count, 100) },
  };
  return Temporal.PlainDate.from(today).subtract(spans[groups['unit']!]!).toString();
}

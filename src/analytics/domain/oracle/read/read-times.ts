import { type MarkedText, takeAll } from './marked-text.ts';
import type { Qualifiers } from './qualifiers.ts';
import { readDates } from './read-dates.ts';

const counts: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
};
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const AGO = new RegExp(
  String.raw`\b(?<count>\d{1,4}|${Object.keys(counts).join('|')}) (?<kind>trading |business |calendar )?(?<unit>day|session|week|month|year)s? ago\b`,
  'g',
);
const WEEKDAY = new RegExp(String.raw`\b(?:on|last|this past|since last) (?<day>${weekdays.join('|')})(?:'s)?\b`, 'g');
const HISTORY = /\b(?:history of|history|historically|over time|through time|past)\b/g;
const THIS = /\b(?:so far )?this (?<unit>week|month|year)\b(?!'s| (?:expir|option))|\bytd\b|\byear to date\b/g;

/** Takes the day, or the days, that a question asks about: see `readDates`; beside them days ago, weekdays and openings. */
export function readTimes(marked: MarkedText, today: string, found: Qualifiers): void {
  const now = Temporal.PlainDate.from(today);
  const day = (date: Temporal.PlainDate) => {
    found.from = date.toString();
    found.to = date.toString();
  };
  takeAll(marked, AGO, ({ groups = {} }) => {
    const count = counts[groups['count']!] ?? Number(groups['count']);
    const unit = groups['unit']!;
    day(
      unit === 'session' || /trading|business/.test(groups['kind'] ?? '')
        ? sessionsBefore(now, count)
        : before(now, count, unit),
    );
  });
  takeAll(marked, WEEKDAY, ({ groups = {} }) => {
    const back = (now.dayOfWeek - (weekdays.indexOf(groups['day']!) + 1) + 7) % 7;
    day(now.subtract({ days: back === 0 ? 7 : back }));
  });
  if (found.from === undefined) {
    const { from, to, text } = readDates(marked.text, today);
    if (from !== null && to !== null) {
      [found.from, found.to] = [from, to];
      marked.text = text;
      takeAll(marked, /\byesterday(?:'s)?\b/g, () => {});
      takeAll(marked, /\b(?:since|between|until|starting)\b/g, () => {});
    }
  }
  takeAll(marked, THIS, ({ groups = {} }) => {
    if (found.from !== undefined) return false;
    const unit = groups['unit'] ?? 'year';
    const start =
      unit === 'week'
        ? now.subtract({ days: now.dayOfWeek - 1 })
        : now.with(unit === 'month' ? { day: 1 } : { month: 1, day: 1 });
    [found.from, found.to] = [start.toString(), today];
    return true;
  });
  takeAll(marked, HISTORY, () => {
    if (found.from === undefined) [found.from, found.to] = [now.subtract({ days: 30 }).toString(), today];
  });
  takeAll(marked, /\bat (?:the |today's |yesterday's )?open(?:ing)?(?: bell)?\b/g, () => void (found.opening = true));
  // the last row of a past day is that of its close
  if (found.from !== undefined && found.from === found.to && found.from !== today)
    takeAll(marked, /\b(?:at |by )?(?:the )?close\b/g, () => {});
}

function before(now: Temporal.PlainDate, count: number, unit: string): Temporal.PlainDate {
  return now.subtract({ [`${unit}s`]: Math.min(count, 100 * (unit === 'year' ? 1 : 365)) });
}

/** Weekdays before a day; holidays count as sessions, and their rows are missing and said to be. */
function sessionsBefore(now: Temporal.PlainDate, count: number): Temporal.PlainDate {
  let date = now;
  for (let left = Math.min(count, 5000); left > 0; ) {
    date = date.subtract({ days: 1 });
    if (date.dayOfWeek <= 5) left--;
  }
  return date;
}

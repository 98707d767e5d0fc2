import type { Channel } from './words.ts';

/** Suggested time of a publication. Nothing acts on it. */
export interface Schedule {
  /** UTC; null where there is nothing to say. */
  readonly at: string | null;
  readonly rule: string;
}

interface Slot {
  /** Days of the week, 0 for Sunday. */
  readonly days: readonly number[];
  /** UTC. */
  readonly hour: number;
}

const weekdays = [1, 2, 3, 4, 5];
const everyDay = [0, 1, 2, 3, 4, 5, 6];
const HOUR_MS = 3_600_000;
/** Time to look at a package before it could go out. */
const LEAD_MS = 2 * HOUR_MS;

/**
 * Usual hours of each channel, as a rule of thumb: when both Europe and the Americas are awake, on working days where
 * people come for work. No measurements support it. A shop has no better hour than another.
 */
const slots: Readonly<Record<Channel, Slot | null>> = {
  tiktok: { days: everyDay, hour: 18 },
  instagram: { days: everyDay, hour: 17 },
  youtube_shorts: { days: everyDay, hour: 16 },
  linkedin: { days: [2, 3, 4], hour: 14 },
  x_twitter: { days: weekdays, hour: 15 },
  pinterest: { days: [6, 0], hour: 19 },
  shopify: null,
  gumroad: null,
  manual_export: null,
};

const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The first such hour of the channel that is two hours or more after `from`. */
export function suggestSchedule(channel: Channel, from: Date): Schedule {
  const slot = slots[channel];
  if (!slot) return { at: null, rule: 'A suggestion: whenever you are ready; no hour is better than another here.' };
  const earliest = from.getTime() + LEAD_MS;
  const at = new Date(earliest);
  at.setUTCHours(slot.hour, 0, 0, 0);
  while (at.getTime() < earliest || !slot.days.includes(at.getUTCDay())) at.setUTCDate(at.getUTCDate() + 1);
  return {
    at: at.toISOString(),
    rule: `A suggestion: the next ${daysText(slot.days)} at ${slot.hour}:00 UTC, at least two hours after the approval was used. A rule of thumb, not a figure of your audience.`,
  };
}

function daysText(days: readonly number[]): string {
  if (days.length === 7) return 'day';
  return days === weekdays
    ? 'working day'
    : days
        .map((day) => dayNames[day])
        .join(', ')
        .replace(/, (\w+)$/, ' or $1');
}

import { Cron } from 'croner';
import { LRUCache } from 'lru-cache';
import { AppError } from '#src/lib/errors.ts';

/** Rule by which times follow each other: a cron pattern in a zone, or an interval from a beginning. */
export interface Rule {
  readonly cron: string | null;
  readonly everyMs: number | null;
  /** IANA name of the zone that the pattern is read in. */
  readonly zone: string;
  /** Beginning of the interval: its times are whole intervals from here. */
  readonly from: Date;
}

/** Patterns that are parsed already: parsing one costs more than its next time. */
const parsed = new LRUCache<string, Cron>({ max: 20_000 });

/** Times that are worked out already: many schedules share a pattern and a moment, and one costs about 0.2 ms. */
const followers = new LRUCache<string, { readonly at: Date | null }>({ max: 20_000 });

/** Five fields from the minute, or six from the second; no nicknames, no years, nothing that differs between programs. */
const PATTERN = /^\S+( +\S+){4,5}$/;

/**
 * Reads a pattern of five or six fields.
 *
 * @throws AppError `invalid_request` where it is none, its zone is not known, or no time ever fits it
 */
export function checkRule({ cron, zone }: Pick<Rule, 'cron' | 'zone'>, place: 'body' | 'query' = 'body'): void {
  if (!isZone(zone))
    throw wrong(
      `${place}.zone`,
      `the IANA name of a time zone, such as Europe/London, got ${JSON.stringify(zone.slice(0, 60))}`,
    );
  if (cron === null) return;
  if (!PATTERN.test(cron.trim()))
    throw wrong(
      `${place}.cron`,
      `five fields from the minute, or six from the second, got ${JSON.stringify(cron.slice(0, 80))}`,
    );
  let next: Date | null;
  try {
    next = patternOf(cron, zone).nextRun(new Date());
  } catch (error) {
    throw wrong(`${place}.cron`, `a pattern of five or six fields, got one that is not: ${messageOf(error)}`);
  }
  if (!next)
    throw wrong(`${place}.cron`, `a pattern that some time fits, got ${JSON.stringify(cron)}, which none ever does`);
}

/**
 * The first time after an instant; null where none comes. A local time that a change of clocks leaves out is taken at the
 * end of the gap, one that comes twice is taken once. Not so where seconds, minutes or hours have a `*`.
 */
export function timeAfter({ cron, everyMs, zone, from }: Rule, after: Date): Date | null {
  if (cron !== null) return patternTime(cron, zone, after);
  if (everyMs === null) return null;
  const passed = Math.floor((after.getTime() - from.getTime()) / everyMs);
  return new Date(from.getTime() + (Math.max(0, passed) + (passed < 0 ? 0 : 1)) * everyMs);
}

/** The next times after an instant, at most `count`. */
export function timesAfter(rule: Rule, after: Date, count: number): readonly Date[] {
  const times: Date[] = [];
  for (let at = timeAfter(rule, after); at && times.length < count; at = timeAfter(rule, at)) times.push(at);
  return times;
}

function patternTime(cron: string, zone: string, after: Date): Date | null {
  const key = `${zone} ${after.getTime()} ${cron}`;
  const known = followers.get(key);
  if (known) return known.at;
  const at = patternOf(cron, zone).nextRun(after);
  followers.set(key, { at });
  return at;
}

function patternOf(cron: string, zone: string): Cron {
  const key = `${zone} ${cron}`;
  const known = parsed.get(key);
  if (known) return known;
  const pattern = new Cron(cron.trim(), { timezone: zone, paused: true, fixedTimeRule: 'no-wildcard' });
  parsed.set(key, pattern);
  return pattern;
}

/** Checks for a name: `Intl` takes offsets such as +02:00 as well, which know of no change of clocks. */
function isZone(zone: string): boolean {
  if (/^[+-]/.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^\w+: /, '').slice(0, 200) : 'unreadable';
}

function wrong(field: string, expected: string): AppError {
  return new AppError('invalid_request', `${field}: expected ${expected}.`, { field });
}

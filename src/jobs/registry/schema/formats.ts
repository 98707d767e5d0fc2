import { isIP } from 'node:net';

/** Names of the formats that are checked; any other says something to people alone. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  'date-time': (text) => {
    const [date, time, ...others] = text.split(/t/i);
    return others.length === 0 && isDate(date ?? '') && isTime(time ?? '');
  },
  email: (text) => text.length <= 320 && /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text),
  hostname: (text) =>
    text.length <= 253 && text.split('.').every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label)),
  ipv4: (text) => isIP(text) === 4,
  ipv6: (text) => isIP(text) === 6,
  time: isTime,
  uri: (text) => text.length <= 8_192 && /^[a-z][a-z0-9+.-]*:/i.test(text) && URL.canParse(text),
  uuid: (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
};

/** Days of the months from January on, in a year that is no leap year. */
const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Checks whether a text is a `full-date` of RFC 3339 that is in the calendar. */
function isDate(text: string): boolean {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!found) return false;
  const [year = 0, month = 0, day = 0] = found.slice(1).map(Number);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (month === 2 && isLeap ? 29 : (days[month - 1] ?? 0));
}

/** Checks whether a text is a `full-time` of RFC 3339: second 60 is a leap second, which ends a day of UTC alone. */
function isTime(text: string): boolean {
  const found = /^(\d\d):(\d\d):(\d\d)(?:\.\d{1,100})?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text);
  if (!found) return false;
  const [hour = 0, minute = 0, second = 0] = found.slice(1, 4).map(Number);
  const [hours, minutes] = [Number(found[5] ?? 0), Number(found[6] ?? 0)];
  if (hour > 23 || minute > 59 || hours > 23 || minutes > 59) return false;
  if (second < 60) return true;
  const away = (hours * 60 + minutes) * (found[4] === '-' ? -1 : 1);
  const utc = (hour * 60 + minute - away + 2 * 1_440) % 1_440;
  return second === 60 && utc === 1_439;
}

/** Zone of the reader's machine. */
export const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A moment as clocks of a zone show it, with its offset: two times of a night of changing clocks differ by that alone. */
export function zoneTime(at: string, zone: string): string {
  const format = new Intl.DateTimeFormat(undefined, {
    timeZone: zone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'shortOffset',
  });
  return format.format(new Date(at));
}

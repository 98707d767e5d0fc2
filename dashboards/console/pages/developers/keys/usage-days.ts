import type { Answer } from '#console/api/client.ts';

export type Usage = Answer<'GET /api/studio/v1/keys/{id}/usage'>;

const dayMs = 86_400_000;
const mostSeries = 5;

/** Calls of each of the last days, for each of the most used capabilities; the rest together. */
export interface UsageByDay {
  /** `2026-11-22`, in UTC, oldest first and without gaps. */
  readonly days: readonly string[];
  readonly series: readonly { readonly name: string; readonly calls: readonly number[] }[];
}

/** Fills the days that nothing was called on. `now` in milliseconds since 1970. */
export function usageByDay({ byDay, capabilityBreakdown }: Usage, count: number, now: number): UsageByDay {
  const days = Array.from({ length: count }, (_, n) => dayOf(now - (count - 1 - n) * dayMs));
  const names = capabilityBreakdown.map(({ capability }) => capability);
  const [own, rest] = [names.slice(0, mostSeries), new Set(names.slice(mostSeries))];
  const callsOn = (fits: (capability: string) => boolean) =>
    days.map((day) =>
      byDay.filter((one) => one.day === day && fits(one.capability)).reduce((sum, { calls }) => sum + calls, 0),
    );
  const series = own.map((name) => ({ name, calls: callsOn((one) => one === name) }));
  const others = rest.size > 0 ? [{ name: 'others', calls: callsOn((one) => rest.has(one)) }] : [];
  return { days, series: [...series, ...others] };
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

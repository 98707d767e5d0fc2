import type { Helper } from './calls.ts';
import { figure, spreadText } from './markdown.ts';
import type { Servers } from './servers.ts';
import { spread } from './statistics.ts';

/** Rate of something done many times, and its processor time. */
export interface Cost {
  readonly perSecond: number;
  /** Microseconds of processor time for each, by process. */
  readonly cpu: Readonly<Record<string, number>>;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Runs something that does `count` things, and reads what each of these processes and both servers spent on them. */
export async function costOf(
  servers: Servers,
  processes: Readonly<Record<string, readonly Helper[]>>,
  count: number,
  run: () => Promise<Span>,
): Promise<Cost> {
  const used = async (): Promise<Record<string, number>> => {
    const own = Object.entries(processes).map(async ([name, helpers]) => {
      const each = await Promise.all(helpers.map((helper) => helper.call<number>('cpu')));
      return [name, each.reduce((sum, ms) => sum + ms, 0)] as const;
    });
    return { ...Object.fromEntries(await Promise.all(own)), ...servers.cpu() };
  };
  const before = await used();
  const { from, to } = await run();
  const after = await used();
  const cpu = Object.entries(after).map(([name, ms]) => [name, ((ms - (before[name] ?? 0)) * 1_000) / count] as const);
  return { perSecond: count / ((to - from) / 1_000), cpu: Object.fromEntries(cpu) };
}

/** Rows of a table: name, rate, its ratio to that of `reference`, processor time by process and in all. */
export function costRows(
  results: ReadonlyMap<{ readonly name: string }, readonly Cost[]>,
  reference: number,
  processes: readonly string[],
): readonly string[][] {
  return [...results].map(([{ name }, list]) => {
    const rate = spread(list.map(({ perSecond }) => perSecond));
    const median = (of: (cost: Cost) => number) => spread(list.map(of)).median;
    return [
      name,
      spreadText(rate),
      figure(rate.median / reference),
      ...processes.map((process) => figure(median(({ cpu }) => cpu[process] ?? Number.NaN))),
      figure(median(({ cpu }) => Object.values(cpu).reduce((sum, one) => sum + one, 0))),
    ];
  });
}

/** Greatest median rate of the cases whose name begins so. */
export function bestOf(
  results: ReadonlyMap<{ readonly name: string }, readonly Pick<Cost, 'perSecond'>[]>,
  name: string,
): number {
  const medians = [...results]
    .filter(([one]) => one.name.startsWith(name))
    .map(([, list]) => spread(list.map(({ perSecond }) => perSecond)).median);
  return Math.max(...medians);
}

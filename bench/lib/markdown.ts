import type { Spread } from './statistics.ts';

/** One claim's part of the results. */
export interface Section {
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  /** Promises with a number: what was promised, what came, whether it holds. */
  readonly verdicts: readonly Verdict[];
  /** Figures that others have too. */
  readonly compared?: readonly Comparison[];
}

/** A figure of ours beside the same of other systems, as far as they have it. */
export interface Comparison {
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  readonly peers: Readonly<Record<string, number>>;
}

export interface Verdict {
  readonly promise: string;
  readonly measured: string;
  readonly held: boolean;
}

/** A promise that a figure is no less than `least`; `unit` stands behind it. */
export function atLeast(promise: string, least: number, measured: number, unit: string): Verdict {
  const written = unit === '' ? '' : ` ${unit}`;
  return {
    promise: `${promise} at least ${figure(least)}${written}`,
    measured: `${figure(measured)}${written}`,
    held: measured >= least,
  };
}

/** A promise that a figure is no more than `most`; `unit` stands behind it. */
export function atMost(promise: string, most: number, measured: number, unit: string): Verdict {
  return {
    ...atLeast(promise, most, measured, unit),
    promise: `${promise} at most ${figure(most)} ${unit}`,
    held: measured <= most,
  };
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = `| ${head.map((_, index) => (index === 0 ? '---' : '--:')).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** Three significant digits, thousands with commas: 12,300, 4.56, 0.0123. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const magnitude = Math.abs(value);
  if (magnitude >= 100) return Math.round(Number(value.toPrecision(3))).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

/** `min / **median** / max`. */
export function spreadText({ min, median, max }: Spread): string {
  return `${figure(min)} / **${figure(median)}** / ${figure(max)}`;
}

import { spendTotals } from '#src/studio/analyze/spend.ts';
import type { Context } from '#src/system/context.ts';
import { countApprovals, countJobs } from './recorded-counts.ts';
import { toolCalls } from './tool-calls.ts';

/** One figure of an owner's work, as it is now. */
export interface Metric {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly description: string;
}

/** Figures of an owner's work, counted from what is recorded. */
export async function metricList(context: Context, owner: string): Promise<readonly Metric[]> {
  const [jobs, approvals, spend, calls] = await Promise.all([
    countJobs(context, owner),
    countApprovals(context, owner),
    spendTotals(context, { owner, hours: 30 * 24, mode: null }),
    toolCalls(context, owner, 24, 0),
  ]);
  const counted = (name: string, counts: Readonly<Record<string, number>>, what: string): Metric[] =>
    Object.entries(counts).map(([state, value]) => ({
      name: `${name}.${state}`,
      value,
      unit: what,
      description: `${what} that are ${state}`,
    }));
  return [
    ...counted('jobs', jobs, 'jobs'),
    ...counted('approvals', approvals, 'approvals'),
    {
      name: 'spend.settled.30d',
      value: spend.settledUsd,
      unit: 'dollars',
      description: 'Cost of provider calls',
    },
    {
      name: 'spend.reserved',
      value: spend.reservedUsd,
      unit: 'dollars',
      description: 'Set aside for calls under way, and for calls whose outcome is not known',
    },
    { name: 'calls.24h', value: calls.total, unit: 'calls', description: 'Calls of routes and tools' },
    { name: 'calls.failed.24h', value: calls.failed, unit: 'calls', description: 'Calls that were refused or failed' },
  ];
}

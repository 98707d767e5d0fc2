import type { CallInput } from '#console/api/client.ts';
import type { Filter, Job } from './use-jobs.ts';

type Body = NonNullable<CallInput<'POST /v1/jobs/actions'>['body']>;
export type Action = Extract<Body, { action: unknown }>['action'];

interface ActionWords {
  readonly action: Action;
  /** On buttons, before the number of jobs. */
  readonly label: string;
  /** Consequence for each of the jobs. */
  readonly consequence: string;
  readonly states: readonly Job['state'][];
  /** Cannot be undone. */
  readonly grave: boolean;
}

export const actions: readonly ActionWords[] = [
  {
    action: 'cancel',
    label: 'Cancel',
    consequence: 'They end as cancelled, for good. Those that run are stopped; what they have done outside stays done.',
    states: ['awaiting_approval', 'queued', 'running', 'waiting'],
    grave: true,
  },
  {
    action: 'redrive',
    label: 'Redrive',
    consequence: 'They wait in their queues again, with all of their attempts, under the same ids.',
    states: ['failed'],
    grave: false,
  },
  {
    action: 'expire',
    label: 'Expire',
    consequence: 'They end as cancelled since they have not begun in time. Those that run go on.',
    states: ['awaiting_approval', 'queued'],
    grave: true,
  },
  {
    action: 'reprioritise',
    label: 'Reprioritise',
    consequence: 'They wait for their turn by another priority: 0 runs first, 1000 last.',
    states: ['awaiting_approval', 'queued', 'waiting'],
    grave: false,
  },
];

/** Actions that a visitor may choose for jobs of a filter. */
export function actionsFor(filter: Filter): readonly ActionWords[] {
  return actions.filter(({ states }) => filter.state === undefined || states.includes(filter.state));
}

/** The jobs that were chosen: some by their ids, or all that fit. */
export type Chosen = ReadonlySet<string> | 'all';

/** Filter of the chosen jobs, as the API takes it. */
export function filterOf(chosen: Chosen, filter: Filter): Extract<Body, { filter: unknown }>['filter'] {
  // one member at least, which every job fits
  return chosen === 'all' ? { ...filter, older_than_s: 0 } : { ids: [...chosen] };
}

export function jobsText(count: number): string {
  return count === 1 ? '1 job' : `${count.toLocaleString()} jobs`;
}

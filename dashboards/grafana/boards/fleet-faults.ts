import type { BoardSection, PanelRow } from './board.ts';

/** Panel of how much a counter has risen, by one of its labels. */
export const counter = (title: string, about: string, metric: string, by: string, anchor?: string): PanelRow => ({
  title,
  about,
  kind: 'lines',
  unit: 'short',
  targets: [[`sum by (${by}) (increase(${metric}[$__rate_interval]))`, `{{${by}}}`]],
  ...(anchor !== undefined && { anchor }),
});

/** Section of the fleets' board for what goes wrong with jobs, workers and the broker. */
export const faultsSection: BoardSection = {
  title: 'What goes wrong',
  panels: [
    counter(
      'Quarantined jobs',
      'Jobs that ended their process twice while alone.',
      'proofline_jobs_quarantined_total',
      'queue',
      'jobs-quarantined',
    ),
    counter(
      'Jobs handed back',
      'Running jobs that went back without losing an attempt.',
      'proofline_jobs_released_total',
      'reason',
      'workers-lost',
    ),
    {
      title: 'Wakes behind',
      about: 'How long the longest overdue wait has been over: near 0 while a process leads the waker.',
      kind: 'lines',
      unit: 's',
      targets: [['max(proofline_wakes_overdue_seconds)', 'overdue']],
      anchor: 'wakes-late',
    },
    counter(
      'Late results refused',
      'Another attempt had the job by then.',
      'proofline_fence_rejections_total',
      'queue',
      'late-results-rejected',
    ),
    counter(
      'Deliveries refused',
      'Doubles, late ones, and those of cancelled jobs: some are normal.',
      'proofline_claims_refused_total',
      'queue',
    ),
    counter(
      'Stalled entries',
      'Entries that BullMQ moved back, since their worker did not renew its lock.',
      'proofline_broker_stalls_total',
      'queue',
      'workers-lost',
    ),
    counter(
      'Errors of the broker',
      'Redis refused or did not answer.',
      'proofline_broker_errors_total',
      'queue',
      'redis-away',
    ),
    counter(
      'Entries added again',
      'What Redis had lost and the audit found in Postgres.',
      'proofline_broker_readded_total',
      'queue',
      'redis-lost',
    ),
    {
      title: 'Lost workers and leases',
      about: 'Processes that vanished, and processes that could not renew their lease in time.',
      kind: 'lines',
      unit: 'short',
      targets: [
        ['sum(increase(proofline_workers_lost_total[$__rate_interval]))', 'workers'],
        ['sum(increase(proofline_leases_lost_total[$__rate_interval]))', 'leases'],
      ],
      anchor: 'workers-lost',
    },
  ],
};

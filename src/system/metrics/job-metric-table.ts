import type { MetricRow } from './metric-row.ts';

const jobSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Metrics of jobs, their queues, workers and events: rows of `metricTable`. */
export const jobMetrics = {
  proofline_jobs_submitted_total: { kind: 'counter', help: 'Jobs accepted', labels: ['queue'] },
  proofline_jobs_finished_total: {
    kind: 'counter',
    help: 'Jobs settled for good, by outcome: succeeded, failed, cancelled',
    labels: ['queue', 'outcome'],
  },
  proofline_job_retries_total: {
    kind: 'counter',
    help: 'Failed attempts that went back to their queue',
    labels: ['queue'],
  },
  proofline_job_wait_seconds: {
    kind: 'histogram',
    help: 'From the time a job was due to its claim',
    labels: ['queue'],
    buckets: jobSeconds,
  },
  proofline_job_run_seconds: {
    kind: 'histogram',
    help: 'From claim to settle',
    labels: ['queue'],
    buckets: jobSeconds,
  },
  proofline_job_end_to_end_seconds: {
    kind: 'histogram',
    help: 'From acceptance to the final state',
    labels: ['queue'],
    buckets: jobSeconds,
  },
  proofline_jobs_forgotten_total: {
    kind: 'counter',
    help: 'Finished jobs that were deleted since their retention is over',
    labels: ['queue'],
  },
  proofline_retention_overdue_seconds: {
    kind: 'gauge',
    help: 'How long the oldest finished job has been past its retention by age, over all queues; 0 when none is',
    labels: [],
  },
  proofline_jobs_running: {
    kind: 'gauge',
    help: 'Jobs this process runs now; `proofline_remote_jobs_running` has those of workers elsewhere',
    labels: ['queue'],
  },
  proofline_queue_depth: { kind: 'gauge', help: 'Jobs that wait, as Postgres counts them', labels: ['queue', 'state'] },
  proofline_queue_oldest_waiting_seconds: {
    kind: 'gauge',
    help: 'Age of the longest waiting job that is due, 0 when none',
    labels: ['queue'],
  },
  proofline_queue_estimated_drain_seconds: {
    kind: 'gauge',
    help: 'Depth divided by the rate of the last ten seconds; -1 while nothing finishes',
    labels: ['queue'],
  },
  proofline_group_waiting: {
    kind: 'gauge',
    help: 'Jobs of a group that may run and wait, of the 20 groups with the most and ten more that wait longest; of the others together without `group`',
    labels: ['queue', 'group'],
  },
  proofline_group_oldest_waiting_seconds: {
    kind: 'gauge',
    help: 'Time for which the job of a group that waits longest has waited, of the same groups',
    labels: ['queue', 'group'],
  },
  proofline_queue_paused: {
    kind: 'gauge',
    help: '1 while an operator has paused the queue: its jobs wait, however old they grow',
    labels: ['queue'],
  },
  proofline_claims_refused_total: {
    kind: 'counter',
    help: 'Deliveries that did not fit their row: doubles, late ones, cancelled jobs',
    labels: ['queue'],
  },
  proofline_fence_rejections_total: {
    kind: 'counter',
    help: 'Results that came too late: another attempt holds the fence, or the job is final',
    labels: ['queue'],
  },
  proofline_broker_stalls_total: { kind: 'counter', help: 'Stalled entries that BullMQ moved back', labels: ['queue'] },
  proofline_broker_errors_total: {
    kind: 'counter',
    help: 'Errors BullMQ reported; Postgres decides regardless',
    labels: ['queue'],
  },
  proofline_broker_readded_total: {
    kind: 'counter',
    help: 'Broker entries the audit had to add again',
    labels: ['queue'],
  },
  proofline_log_lines_dropped_total: {
    kind: 'counter',
    help: 'Log lines this process could not write: its disk is full, or no process reads them',
    labels: [],
  },
  proofline_redis_may_evict: {
    kind: 'gauge',
    help: '1 where maxmemory-policy is not noeviction: Redis may lose data',
    labels: [],
  },
  proofline_workers_lost_total: { kind: 'counter', help: 'Worker processes whose lease ran out', labels: [] },
  proofline_leases_lost_total: {
    kind: 'counter',
    help: 'Times this process could not beat in time and took a new id',
    labels: [],
  },
  proofline_jobs_released_total: {
    kind: 'counter',
    help: 'Running jobs that went back to their queue without losing an attempt',
    labels: ['queue', 'reason'],
  },
  proofline_jobs_suspended_total: {
    kind: 'counter',
    help: 'Running jobs that were suspended until a time, a signal or the end of a child (result)',
    labels: ['queue', 'on'],
  },
  proofline_jobs_woken_total: {
    kind: 'counter',
    help: 'Waiting jobs that went back to their queue since their wait was over',
    labels: ['queue', 'on'],
  },
  proofline_wakes_overdue_seconds: {
    kind: 'gauge',
    help: 'How long the longest overdue wait has been over, by its time or by what came; 0 when none is',
    labels: [],
  },
  proofline_jobs_quarantined_total: {
    kind: 'counter',
    help: 'Jobs that ended their process twice while alone',
    labels: ['queue'],
  },
  proofline_consumer_last_fetch_age_seconds: {
    kind: 'gauge',
    help: 'Since Redis last answered the fetch loop of this worker: a few seconds when idle, 0 while its hands are full',
    labels: ['queue'],
  },
  proofline_workers_alive: { kind: 'gauge', help: 'Worker processes with a live lease', labels: ['fleet'] },
  proofline_ledger_lag_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest event that the stored position of the relay, saved every 0.25 s, has not passed; 0 when none',
    labels: [],
  },
  proofline_relay_leader: { kind: 'gauge', help: '1 while this process leads the relay', labels: [] },
  proofline_relay_lag_seconds: {
    kind: 'histogram',
    help: 'From the transaction of an event to its publication',
    labels: [],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
  },
  proofline_relay_events_total: {
    kind: 'counter',
    help: 'Events the relay read, since a client follows their jobs or all jobs',
    labels: [],
  },
  proofline_oldest_transaction_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest open transaction of this database',
    labels: [],
  },
} as const satisfies Record<string, MetricRow>;

import type { MetricRow } from './metric-row.ts';

/** Metrics of queues, and of workers elsewhere, that Postgres knows: rows of `metricTable`. */
export const queueMetrics = {
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
  proofline_queue_paused: {
    kind: 'gauge',
    help: '1 while an operator has paused the queue: its jobs wait, however old they grow',
    labels: ['queue'],
  },
  proofline_remote_workers: {
    kind: 'gauge',
    help: 'Live workers elsewhere that take the queue; a worker of several queues counts for each',
    labels: ['queue'],
  },
  proofline_remote_capacity: {
    kind: 'gauge',
    help: 'Jobs that workers elsewhere run at once; a worker of several queues counts for each',
    labels: ['queue'],
  },
  proofline_remote_credits: {
    kind: 'gauge',
    help: 'Hands that workers elsewhere had free at their last poll; a worker of several queues counts for each',
    labels: ['queue'],
  },
  proofline_remote_jobs_running: {
    kind: 'gauge',
    help: 'Jobs that workers elsewhere have in hand',
    labels: ['queue'],
  },
  proofline_queue_untaken_seconds: {
    kind: 'gauge',
    help: 'Age of the longest waiting due job of a version of a registered queue that no live worker takes; none where one does',
    labels: ['queue', 'version'],
  },
} as const satisfies Record<string, MetricRow>;

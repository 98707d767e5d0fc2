import type { MetricRow } from './metric-row.ts';

/** Metrics of notifications and of limits that callers meet: rows of `metricTable`. */
export const notificationMetrics = {
  proofline_notification_attempts_total: {
    kind: 'counter',
    help: 'Attempts to deliver an event to an endpoint, by outcome: delivered, retried (another attempt follows), failed (given up)',
    labels: ['format', 'outcome'],
  },
  proofline_notification_seconds: {
    kind: 'histogram',
    help: 'From an event to the receiver that took it, however many attempts that needed; what is sent again by hand is not counted',
    labels: ['format'],
    buckets: [0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 1_800, 7_200, 21_600, 86_400],
  },
  proofline_notifications_waiting: {
    kind: 'gauge',
    help: 'Deliveries that are not over, by the state of their endpoint: taking, failing; counted up to 100,000',
    labels: ['endpoint'],
  },
  proofline_notification_overdue_seconds: {
    kind: 'gauge',
    help: 'For how long the longest overdue delivery has been due, of endpoints that take messages; 0 when none is',
    labels: [],
  },
  proofline_notification_lag_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest event of a job behind the position up to which events were turned into deliveries; 0 when none',
    labels: [],
  },
  proofline_endpoints_failing: {
    kind: 'gauge',
    help: 'Enabled endpoints that have not taken the newest message',
    labels: [],
  },
  proofline_endpoint_failing_longest_seconds: {
    kind: 'gauge',
    help: 'Since when the enabled endpoint that has failed for longest takes nothing; after a day it is disabled; 0 when none fails',
    labels: [],
  },
  proofline_limit_refusals_total: {
    kind: 'counter',
    help: 'Requests and jobs that a limit of callers refused, by limit: whose it is (key, owner, a tier, default, setting, anonymous) and what it bounds (minute, day, depth)',
    labels: ['policy'],
  },
  proofline_group_refused: {
    kind: 'gauge',
    help: 'Jobs of a group that a limit of callers has not let in, in this hour and the one before, of the 20 groups with the most in each queue; of the others together without `group`',
    labels: ['queue', 'group'],
  },
} as const satisfies Record<string, MetricRow>;

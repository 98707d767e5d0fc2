import type { MetricRow } from './metric-row.ts';

/** Metrics of each surface that an operator watches beside its queues: rows of `metricTable`. */
export const surfaceMetrics = {
  proofline_budget_refusals_total: {
    kind: 'counter',
    help: 'Calls of providers that were not made since a budget has not enough left, by its kind: owner, key, mission, job',
    labels: ['kind'],
  },
  proofline_spend_reserved_dollars: {
    kind: 'gauge',
    help: 'Quoted cost of the calls of providers that are under way',
    labels: ['surface'],
  },
  proofline_spend_unknown_dollars: {
    kind: 'gauge',
    help: 'Amount that calls of providers with an unknown outcome hold, until it is known, an operator decides or the rule does (UNKNOWN_CALL_HOURS)',
    labels: ['provider'],
  },
  proofline_provider_call_oldest_unknown_seconds: {
    kind: 'gauge',
    help: 'Since the outcome of the call is unknown that has been so for longest, 0 when none is',
    labels: [],
  },
  proofline_approvals_open: {
    kind: 'gauge',
    help: 'Approvals that can still be used, by state: pending (a human decides), granted (its job has not used it yet)',
    labels: ['state'],
  },
  proofline_approval_oldest_pending_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest approval that waits for a decision and can still get one, 0 when none',
    labels: [],
  },
  proofline_missions_open: {
    kind: 'gauge',
    help: 'Missions that were executed and are not sealed yet, by state',
    labels: ['state'],
  },
  proofline_mission_oldest_unsealed_seconds: {
    kind: 'gauge',
    help: 'Since the end of the mission that has waited longest for its seal, 0 when none waits',
    labels: [],
  },
  proofline_batches_open: {
    kind: 'gauge',
    help: 'Batches that are not over, by status: validating, in_progress, finalizing, cancelling',
    labels: ['status'],
  },
  proofline_batch_lines: {
    kind: 'gauge',
    help: 'Lines of the batches that are not over, by state: waiting, completed, failed',
    labels: ['state'],
  },
  proofline_batch_oldest_open_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest batch that is not over, 0 when none; its unfinished requests are given up after 24 hours',
    labels: [],
  },
  proofline_text_first_piece_seconds: {
    kind: 'histogram',
    help: 'From the call of a provider of text to the first piece of its answer',
    labels: ['provider'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
  },
  proofline_text_tokens_total: {
    kind: 'counter',
    help: 'Tokens of turns of text as their providers count them, by direction: in, out; a provider that does not say adds none',
    labels: ['provider', 'direction'],
  },
  proofline_market_feed_age_seconds: {
    kind: 'gauge',
    help: 'Age of the newest figures of the live feed of a symbol; of a real market only time in which the exchange is open',
    labels: ['symbol'],
  },
  proofline_market_feed_stale: {
    kind: 'gauge',
    help: '1 while the figures of a symbol are older than its feed allows',
    labels: ['symbol'],
  },
  proofline_market_feed_trouble: {
    kind: 'gauge',
    help: '1 while the last answer of the feed of a symbol could not be used, and nothing newer has come',
    labels: ['symbol'],
  },
} as const satisfies Record<string, MetricRow>;

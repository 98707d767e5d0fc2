import { jobMetrics } from './job-metric-table.ts';
import type { MetricRow } from './metric-row.ts';
import { notificationMetrics } from './notification-metric-table.ts';
import { remoteMetrics } from './remote-metric-table.ts';
import { surfaceMetrics } from './surface-metric-table.ts';

const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Every metric of ours. `docs/metrics.md` is written from this table; a test holds the two equal. */
export const metricTable = {
  ...jobMetrics,
  ...remoteMetrics,
  proofline_thread_pool_threads: { kind: 'gauge', help: 'Threads that live', labels: [] },
  proofline_thread_pool_queue: { kind: 'gauge', help: 'Thread tasks that wait for a thread', labels: [] },
  proofline_thread_pool_utilization_ratio: {
    kind: 'gauge',
    help: 'Share of thread time spent working since the start',
    labels: [],
  },
  proofline_thread_tasks_total: {
    kind: 'counter',
    help: 'Thread tasks by outcome: done, failed, aborted, refused (too many waited)',
    labels: ['task', 'outcome'],
  },
  proofline_event_loop_delay_seconds: {
    kind: 'gauge',
    help: 'Delay of the event loop since the last scrape',
    labels: ['percentile'],
  },
  proofline_schema_migrations_pending: {
    kind: 'gauge',
    help: 'Migrations of this release that the database lacks, or has in another wording; above 0 the process is unready',
    labels: [],
  },
  proofline_schema_migrations_unknown: {
    kind: 'gauge',
    help: 'Migrations of the database that this release does not have: a newer release has migrated it',
    labels: [],
  },
  proofline_http_requests_total: { kind: 'counter', help: 'Answered requests', labels: ['method', 'route', 'status'] },
  proofline_http_request_seconds: {
    kind: 'histogram',
    help: 'From the request to the end of its answer; streams are not counted',
    labels: ['method', 'route'],
    buckets: requestSeconds,
  },
  proofline_stream_subscribers: {
    kind: 'gauge',
    help: 'Clients that follow a stream of this process, by transport: sse, websocket',
    labels: ['transport'],
  },
  proofline_stream_clients_dropped_total: {
    kind: 'counter',
    help: 'Clients that were dropped because they read too slowly',
    labels: ['transport'],
  },
  proofline_stream_resets_total: {
    kind: 'counter',
    help: 'Times a client was notified that its history cannot be replayed, by reason',
    labels: ['reason'],
  },
  proofline_mcp_sessions: {
    kind: 'gauge',
    help: 'Sessions of machine clients (Model Context Protocol) that are open in this process',
    labels: [],
  },
  proofline_mcp_sessions_refused_total: {
    kind: 'counter',
    help: 'Requests for a session that were refused, by reason: too_many (the key uses as many as it may), stopping, unknown (no such session, or it has ended)',
    labels: ['reason'],
  },
  proofline_artefacts_kept_total: {
    kind: 'counter',
    help: 'Stored artefacts, by kind, and by whether they carry a manifest of C2PA: c2pa, sidecar, none',
    labels: ['kind', 'provenance'],
  },
  proofline_artefact_bytes_total: {
    kind: 'counter',
    help: 'Bytes of artefacts by direction: in (stored), out (sent to a caller)',
    labels: ['direction'],
  },
  proofline_artefacts_erased_total: { kind: 'counter', help: 'Artefacts erased by retention', labels: [] },
  proofline_anchor_leaves_pending: {
    kind: 'gauge',
    help: 'Sealed roots that are not as final on the chain as ANCHOR_CONFIRM asks',
    labels: [],
  },
  proofline_anchor_oldest_pending_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest sealed root that is not anchored, 0 when none',
    labels: [],
  },
  proofline_anchor_batches: {
    kind: 'gauge',
    help: 'Batches by status: new, signed, included, safe, finalized, void',
    labels: ['status'],
  },
  proofline_anchor_balance_wei: {
    kind: 'gauge',
    help: 'Balance of the account that anchors, as it was last seen',
    labels: ['chain', 'address'],
  },
  proofline_anchor_balance_transactions: {
    kind: 'gauge',
    help: 'For how many more anchors that pays at the fees of that moment; an alarm below ANCHOR_MIN_BALANCE',
    labels: ['chain', 'address'],
  },
  proofline_anchor_balance_low: {
    kind: 'gauge',
    help: '1 while the account pays for fewer anchors than ANCHOR_MIN_BALANCE',
    labels: ['chain', 'address'],
  },
  proofline_anchor_moves_total: {
    kind: 'counter',
    help: 'Looks at a batch by what was done: sign, send, bump, record, lose, void, wait',
    labels: ['move'],
  },
  proofline_anchor_gas_total: {
    kind: 'counter',
    help: 'Gas used by batches this process saw included',
    labels: ['chain'],
  },
  proofline_anchor_fees_wei_total: {
    kind: 'counter',
    help: 'Fees paid for batches this process saw included',
    labels: ['chain'],
  },
  proofline_anchor_inclusion_seconds: {
    kind: 'histogram',
    help: 'From the sealing of a root to its inclusion in a block',
    labels: [],
    buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
  },
  proofline_calls_dropped_total: {
    kind: 'counter',
    help: 'Calls that no usage is counted from, since they could not be written',
    labels: [],
  },
  proofline_anchor_rpc_errors_total: {
    kind: 'counter',
    help: 'Questions to the chain that were not answered, or with an error',
    labels: ['method'],
  },
  proofline_provider_calls_total: {
    kind: 'counter',
    help: 'Calls of media providers by outcome: succeeded, refused, busy, failed, cancelled',
    labels: ['provider', 'capability', 'outcome'],
  },
  proofline_provider_call_seconds: {
    kind: 'histogram',
    help: 'From the admission of a call to its outcome',
    labels: ['provider', 'capability'],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900],
  },
  proofline_provider_circuit_state: {
    kind: 'gauge',
    help: 'Circuit of a provider for a capability as this process last saw it: 0 closed, 1 half open, 2 open',
    labels: ['provider', 'capability'],
  },
  proofline_provider_calls_held_total: {
    kind: 'counter',
    help: 'Calls that were not made because the circuit of their provider was open, or it was busy',
    labels: ['provider', 'capability'],
  },
  proofline_provider_cost_dollars_total: {
    kind: 'counter',
    help: 'Cost of the calls of a provider, as it was billed or quoted, by the surface that requested them',
    labels: ['provider', 'capability', 'surface'],
  },
  ...surfaceMetrics,
  ...notificationMetrics,
} as const satisfies Record<string, MetricRow>;

export type MetricName = keyof typeof metricTable;

import type { Recording } from './rule.ts';

const perSecond = (record: string, metric: string, by: readonly string[]): Recording => ({
  record,
  expr: `sum by (${by.join(', ')}) (rate(${metric}[5m]))`,
  by,
});
// every API process reads the same rows of Postgres: a sum would count them once a process
const largest = (record: string, metric: string, by: readonly string[]): Recording => ({
  record,
  expr: by.length === 0 ? `max(${metric})` : `max by (${by.join(', ')}) (${metric})`,
  by,
});
const quantile = (record: string, share: number, histogram: string, by: readonly string[]): Recording => ({
  record,
  expr: `histogram_quantile(${share}, sum by (${[...by, 'le'].join(', ')}) (rate(${histogram}_bucket[5m])))`,
  by,
});

/** Series that dashboards, alerts and autoscaling read, so that all of them read the same. */
export const recordings: readonly Recording[] = [
  largest('queue:proofline_queue_depth:max', 'proofline_queue_depth', ['queue', 'state']),
  largest('queue:proofline_queue_oldest_waiting_seconds:max', 'proofline_queue_oldest_waiting_seconds', ['queue']),
  largest('queue:proofline_queue_estimated_drain_seconds:max', 'proofline_queue_estimated_drain_seconds', ['queue']),
  largest('fleet:proofline_workers_alive:max', 'proofline_workers_alive', ['fleet']),
  largest('queue:proofline_remote_workers:max', 'proofline_remote_workers', ['queue']),
  largest('queue:proofline_remote_capacity:max', 'proofline_remote_capacity', ['queue']),
  largest('queue:proofline_remote_credits:max', 'proofline_remote_credits', ['queue']),
  largest('queue:proofline_remote_jobs_running:max', 'proofline_remote_jobs_running', ['queue']),
  {
    record: 'queue:proofline_jobs_running:sum',
    // each process counts its own, and every API process those of workers elsewhere
    expr: 'sum by (queue) (proofline_jobs_running) + on (queue) queue:proofline_remote_jobs_running:max\n  or sum by (queue) (proofline_jobs_running)\n  or queue:proofline_remote_jobs_running:max',
    by: ['queue'],
  },
  perSecond('queue:proofline_jobs_submitted:rate5m', 'proofline_jobs_submitted_total', ['queue']),
  perSecond('queue:proofline_jobs_finished:rate5m', 'proofline_jobs_finished_total', ['queue', 'outcome']),
  perSecond('queue:proofline_job_retries:rate5m', 'proofline_job_retries_total', ['queue']),
  quantile('queue:proofline_job_wait_seconds:p95_5m', 0.95, 'proofline_job_wait_seconds', ['queue']),
  quantile('queue:proofline_job_run_seconds:p95_5m', 0.95, 'proofline_job_run_seconds', ['queue']),
  quantile('queue:proofline_job_end_to_end_seconds:p95_5m', 0.95, 'proofline_job_end_to_end_seconds', ['queue']),
  perSecond('route:proofline_http_requests:rate5m', 'proofline_http_requests_total', ['method', 'route', 'status']),
  quantile('route:proofline_http_request_seconds:p95_5m', 0.95, 'proofline_http_request_seconds', ['method', 'route']),
  quantile('proofline:proofline_relay_lag_seconds:p99_5m', 0.99, 'proofline_relay_lag_seconds', []),
  largest('proofline:proofline_ledger_lag_seconds:max', 'proofline_ledger_lag_seconds', []),
  perSecond('provider:proofline_provider_calls:rate5m', 'proofline_provider_calls_total', ['provider', 'outcome']),
  {
    record: 'provider:proofline_provider_cost_dollars:increase1h',
    expr: 'sum by (provider, surface) (increase(proofline_provider_cost_dollars_total[1h]))',
    by: ['provider', 'surface'],
  },
];

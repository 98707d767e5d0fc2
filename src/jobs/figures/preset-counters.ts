import { waitKinds } from '#src/jobs/model/states.ts';
import type { Metrics } from '#src/system/metrics/metrics.ts';

const byQueue = [
  'proofline_jobs_submitted_total',
  'proofline_job_retries_total',
  'proofline_claims_refused_total',
  'proofline_fence_rejections_total',
  'proofline_broker_stalls_total',
  'proofline_broker_errors_total',
  'proofline_broker_readded_total',
  'proofline_jobs_quarantined_total',
] as const;

/**
 * Shows the counters of these queues as 0 from the start: `increase()` does not see the first step of a series that
 * begins with it.
 */
export function presetCounters(metrics: Metrics, queues: readonly string[]): void {
  for (const queue of queues) {
    for (const name of byQueue) metrics[name].inc({ queue }, 0);
    for (const outcome of ['succeeded', 'failed', 'cancelled'])
      metrics.proofline_jobs_finished_total.inc({ queue, outcome }, 0);
    for (const reason of ['worker_lost', 'lease_lost', 'drain', 'payload_away'])
      metrics.proofline_jobs_released_total.inc({ queue, reason }, 0);
    for (const on of waitKinds) {
      metrics.proofline_jobs_suspended_total.inc({ queue, on }, 0);
      metrics.proofline_jobs_woken_total.inc({ queue, on }, 0);
    }
  }
}

import type { Alert } from './rule.ts';

/** Alerts on jobs, and on the servers that carry them, in any queue. */
export const jobAlerts: readonly Alert[] = [
  {
    name: 'JobsQuarantined',
    severity: 'critical',
    expr: 'sum by (queue) (increase(proofline_jobs_quarantined_total[15m])) > 0',
    summary: 'A job of {{ $labels.queue }} has ended its process twice while it was alone, and is set aside.',
    description:
      'Find it among the failed jobs of the queue (code poisoned), look at its payload and at the worker’s log, mend what kills the process, then redrive it.',
    anchor: 'jobs-quarantined',
    trial: {
      firing: { 'proofline_jobs_quarantined_total{queue="analytics.fit"}': '0 0 0 1+0x20' },
      calm: { 'proofline_jobs_quarantined_total{queue="analytics.fit"}': '1+0x20' },
      at: '10m',
      fires: [{ queue: 'analytics.fit' }],
    },
  },
  {
    name: 'RetriesSurge',
    severity: 'warning',
    for: '10m',
    expr: 'queue:proofline_job_retries:rate5m > 0.1\n  and on (queue) queue:proofline_job_retries:rate5m > on (queue) sum by (queue) (queue:proofline_jobs_finished:rate5m{outcome="succeeded"})',
    summary: 'More attempts of {{ $labels.queue }} fail than succeed.',
    description:
      'Something these jobs need is away: their errors say what (the jobs page, or `proofline jobs`). They are tried again by themselves until their attempts are used up.',
    anchor: 'retries-surge',
    trial: {
      firing: {
        'proofline_job_retries_total{queue="studio.publish"}': '0+60x30',
        'proofline_jobs_finished_total{queue="studio.publish", outcome="succeeded"}': '0+6x30',
      },
      calm: {
        'proofline_job_retries_total{queue="studio.publish"}': '0+60x30',
        'proofline_jobs_finished_total{queue="studio.publish", outcome="succeeded"}': '0+66x30',
      },
      at: '15m',
      fires: [{ queue: 'studio.publish' }],
    },
  },
  {
    name: 'LateResultsRejected',
    severity: 'warning',
    expr: 'sum by (queue) (increase(proofline_fence_rejections_total[10m])) > 10',
    summary: 'Results of {{ $labels.queue }} come after another attempt has taken their jobs.',
    description:
      'Workers stall for longer than their lease: look at event loop delay, CPU limits and Postgres’ latency. No result is lost or kept twice, but work is done twice.',
    anchor: 'late-results-rejected',
    trial: {
      firing: { 'proofline_fence_rejections_total{queue="analytics.fit"}': '0+2x20' },
      calm: { 'proofline_fence_rejections_total{queue="analytics.fit"}': '0+1x20' },
      at: '15m',
      fires: [{ queue: 'analytics.fit' }],
    },
  },
  {
    name: 'WorkersLost',
    severity: 'warning',
    expr: 'sum(increase(proofline_workers_lost_total[15m])) > 2',
    summary: 'Worker processes end without handing over their jobs.',
    description:
      'They are killed (out of memory?), or cannot reach Postgres to renew their leases. Their jobs run again within seconds; see the orchestrator’s events and the last lines of their logs.',
    anchor: 'workers-lost',
    trial: {
      firing: { proofline_workers_lost_total: '0+1x20' },
      calm: { proofline_workers_lost_total: '0 0 0 1 1 1 2+0x20' },
      at: '15m',
      fires: [{}],
    },
  },
  {
    name: 'LeasesLost',
    severity: 'warning',
    expr: 'sum by (job, instance) (increase(proofline_leases_lost_total[10m])) > 0',
    summary: '{{ $labels.instance }} could not renew its lease in time.',
    description:
      'It stopped what it ran, and others took over. Postgres was slow or away, or the process’ event loop was blocked: compare with EventLoopBlocked and the database’s own figures.',
    anchor: 'leases-lost',
    trial: {
      firing: { 'proofline_leases_lost_total{job="proofline-worker", instance="one"}': '0 0 0 1+0x20' },
      calm: { 'proofline_leases_lost_total{job="proofline-worker", instance="one"}': '1+0x20' },
      at: '10m',
      fires: [{ job: 'proofline-worker', instance: 'one' }],
    },
  },
  {
    name: 'BrokerErrors',
    severity: 'warning',
    for: '5m',
    expr: 'sum(rate(proofline_broker_errors_total[5m])) > 0.1',
    summary: 'Redis refuses or does not answer: {{ $value | humanize }} errors a second.',
    description:
      'Jobs are accepted all the same and run once Redis is back. See whether it is up, and whether its memory is full (noeviction refuses writes then).',
    anchor: 'redis-away',
    trial: {
      firing: { 'proofline_broker_errors_total{queue="analytics.fit"}': '0+60x20' },
      calm: { 'proofline_broker_errors_total{queue="analytics.fit"}': '0+3x20' },
      at: '15m',
      fires: [{}],
      value: '1',
    },
  },
  {
    name: 'BrokerEntriesLost',
    severity: 'warning',
    expr: 'sum(increase(proofline_broker_readded_total[10m])) > 50',
    summary: 'Redis has lost entries of jobs; the audit adds them again.',
    description:
      'Nothing is lost, Postgres has every job. See whether Redis was emptied, restarted without its append-only file, or failed over; and that its maxmemory-policy is noeviction.',
    anchor: 'redis-lost',
    trial: {
      firing: { 'proofline_broker_readded_total{queue="analytics.fit"}': '0 0 100+0x20' },
      calm: { 'proofline_broker_readded_total{queue="analytics.fit"}': '0 0 40+0x20' },
      at: '8m',
      fires: [{}],
    },
  },
  {
    name: 'RelayWithoutLeader',
    severity: 'critical',
    for: '1m',
    expr: 'sum(proofline_relay_leader) == 0',
    summary: 'No process leads the relay: subscribers get no events.',
    description:
      'An API process takes the lead as soon as it gets the lock on a direct connection to Postgres (DATABASE_DIRECT_URL where a pooler stands between). See their logs; events wait in the ledger and are told later.',
    anchor: 'relay-without-leader',
    trial: {
      firing: {
        'proofline_relay_leader{instance="one"}': '0+0x10',
        'proofline_relay_leader{instance="two"}': '0+0x10',
      },
      calm: { 'proofline_relay_leader{instance="one"}': '0+0x10', 'proofline_relay_leader{instance="two"}': '1+0x10' },
      at: '5m',
      fires: [{}],
    },
  },
  {
    name: 'LedgerLags',
    severity: 'critical',
    for: '2m',
    expr: 'proofline:proofline_ledger_lag_seconds:max > 5',
    summary: 'Events wait {{ $value | humanizeDuration }} for the relay.',
    description:
      'Who follows streams sees old news. See RelayWithoutLeader and LongTransaction first: an open transaction holds the relay back.',
    anchor: 'ledger-lags',
    trial: {
      firing: { 'proofline_ledger_lag_seconds{instance="one"}': '6+0x10' },
      calm: { 'proofline_ledger_lag_seconds{instance="one"}': '5+0x10' },
      at: '5m',
      fires: [{}],
      value: '6s',
    },
  },
  {
    name: 'LongTransaction',
    severity: 'warning',
    for: '5m',
    expr: 'max(proofline_oldest_transaction_seconds) > 300',
    summary: 'A transaction of the database is open for {{ $value | humanizeDuration }}.',
    description:
      'It holds back the relay and the vacuum. Find it in pg_stat_activity (xact_start), and end it with pg_terminate_backend unless it is a dump that is nearly done.',
    anchor: 'long-transaction',
    trial: {
      firing: { proofline_oldest_transaction_seconds: '301+0x20' },
      calm: { proofline_oldest_transaction_seconds: '300+0x20' },
      at: '10m',
      fires: [{}],
      value: '5m 1s',
    },
  },
];

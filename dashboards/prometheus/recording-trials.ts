/** A test of promtool for a rule that no alert's own trial covers; values a minute. */
interface RecordingRun {
  readonly interval: string;
  readonly input_series: readonly { readonly series: string; readonly values: string }[];
  readonly promql_expr_test: readonly {
    readonly expr: string;
    readonly eval_time: string;
    readonly exp_samples: readonly { readonly labels: string; readonly value: number }[];
  }[];
}

export const recordingRuns: readonly RecordingRun[] = [
  {
    interval: '1m',
    // two API processes that read the same rows
    input_series: [
      { series: 'proofline_queue_depth{instance="one", queue="analytics.fit", state="queued"}', values: '7+0x5' },
      { series: 'proofline_queue_depth{instance="two", queue="analytics.fit", state="queued"}', values: '7+0x5' },
      { series: 'proofline_jobs_submitted_total{instance="one", queue="analytics.fit"}', values: '0+60x10' },
      { series: 'proofline_jobs_submitted_total{instance="two", queue="analytics.fit"}', values: '0+30x10' },
      // three here, four with workers elsewhere, which both read; and queues that run at one of the two alone
      { series: 'proofline_jobs_running{instance="one", queue="acme.resize-image"}', values: '1+0x5' },
      { series: 'proofline_jobs_running{instance="two", queue="acme.resize-image"}', values: '2+0x5' },
      { series: 'proofline_remote_jobs_running{instance="one", queue="acme.resize-image"}', values: '4+0x5' },
      { series: 'proofline_remote_jobs_running{instance="two", queue="acme.resize-image"}', values: '4+0x5' },
      { series: 'proofline_remote_jobs_running{instance="two", queue="acme.read-text"}', values: '5+0x5' },
      { series: 'proofline_jobs_running{instance="two", queue="analytics.fit"}', values: '6+0x5' },
    ],
    promql_expr_test: [
      {
        expr: 'queue:proofline_jobs_running:sum',
        eval_time: '5m',
        exp_samples: [
          { labels: 'queue:proofline_jobs_running:sum{queue="acme.resize-image"}', value: 7 },
          { labels: 'queue:proofline_jobs_running:sum{queue="acme.read-text"}', value: 5 },
          { labels: 'queue:proofline_jobs_running:sum{queue="analytics.fit"}', value: 6 },
        ],
      },
      {
        expr: 'queue:proofline_queue_depth:max',
        eval_time: '5m',
        exp_samples: [{ labels: 'queue:proofline_queue_depth:max{queue="analytics.fit", state="queued"}', value: 7 }],
      },
      {
        expr: 'queue:proofline_jobs_submitted:rate5m',
        eval_time: '10m',
        exp_samples: [{ labels: 'queue:proofline_jobs_submitted:rate5m{queue="analytics.fit"}', value: 1.5 }],
      },
    ],
  },
];

export const objectiveRuns: readonly RecordingRun[] = [
  {
    interval: '1m',
    // each queue is held to the bound of its own, and a whole bound may read 5 or 5.0
    input_series: [
      { series: 'proofline_job_wait_seconds_count{queue="analytics.fit"}', values: '0+60x10' },
      { series: 'proofline_job_wait_seconds_bucket{queue="analytics.fit", le="5.0"}', values: '0+45x10' },
      { series: 'proofline_job_wait_seconds_bucket{queue="analytics.fit", le="30.0"}', values: '0+60x10' },
      { series: 'proofline_job_wait_seconds_count{queue="studio.publish"}', values: '0+60x10' },
      { series: 'proofline_job_wait_seconds_bucket{queue="studio.publish", le="5"}', values: '0+6x10' },
      { series: 'proofline_job_wait_seconds_bucket{queue="studio.publish", le="30"}', values: '0+45x10' },
      // nothing has failed yet: no series of failures, and still a share
      { series: 'proofline_http_requests_total{method="GET", route="/v1/jobs", status="200"}', values: '0+60x10' },
    ],
    promql_expr_test: [
      {
        expr: 'slo:proofline_errors:ratio_rate5m{slo="job-wait"}',
        eval_time: '10m',
        exp_samples: [
          { labels: 'slo:proofline_errors:ratio_rate5m{slo="job-wait", queue="analytics.fit"}', value: 0.25 },
          { labels: 'slo:proofline_errors:ratio_rate5m{slo="job-wait", queue="studio.publish"}', value: 0.25 },
        ],
      },
      {
        expr: 'slo:proofline_errors:ratio_rate5m{slo="api-availability"}',
        eval_time: '10m',
        exp_samples: [{ labels: 'slo:proofline_errors:ratio_rate5m{slo="api-availability"}', value: 0 }],
      },
    ],
  },
  {
    interval: '1m',
    // three good hours but for their last ten minutes: a sixth of an hour, and too little of six hours for an alert
    input_series: [
      { series: 'proofline_http_request_seconds_count{method="GET", route="/v1/jobs"}', values: '0+60x180' },
      {
        series: 'proofline_http_request_seconds_bucket{method="GET", route="/v1/jobs", le="0.5"}',
        values: '0+60x170 10200+0x10',
      },
    ],
    promql_expr_test: [
      {
        expr: 'ALERTS{alertname="ApiLatencyBurnsFast"}',
        eval_time: '180m',
        exp_samples: [
          {
            labels:
              'ALERTS{alertname="ApiLatencyBurnsFast", alertstate="firing", severity="critical", slo="api-latency"}',
            value: 1,
          },
        ],
      },
      {
        expr: 'slo:proofline_errors:ratio_rate6h{slo="api-latency"} > 0.06',
        eval_time: '180m',
        exp_samples: [],
      },
    ],
  },
];

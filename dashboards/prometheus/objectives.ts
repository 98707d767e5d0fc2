import { queueTargets } from './queue-targets.ts';
import type { Recording } from './rule.ts';

/** A share of what happens that has to be good, over a month. */
export interface Objective {
  /** The label `slo`. */
  readonly name: string;
  readonly title: string;
  /** Promise, as a sentence. */
  readonly promise: string;
  /** Labels by which the series are divided; empty for one series of the whole system. */
  readonly by: readonly 'queue'[];
  /** Rate of what was bad, per second, over a window. */
  readonly bad: (window: string) => string;
  /** Rate of all of it. */
  readonly total: (window: string) => string;
  /** The share that may be bad, with the labels it holds for. */
  readonly budgets: readonly { readonly share: number; readonly labels: Readonly<Record<string, string>> }[];
}

const probes = 'route!~"/livez|/readyz"';
const finished = (window: string, outcomes: string) =>
  `sum by (queue) (rate(proofline_jobs_finished_total{outcome=~"${outcomes}"}[${window}]))`;
/** Prometheus 3 writes whole bounds as 5.0, and older ones as they are exposed. */
const bound = (seconds: number) => (Number.isInteger(seconds) ? `le=~"${seconds}(\\\\.0)?"` : `le="${seconds}"`);
const rateOf = (histogram: string, matchers: string, window: string) =>
  `sum(rate(${histogram}_count${matchers === '' ? '' : `{${matchers}}`}[${window}]))`;
const slowOf = (histogram: string, matchers: string, seconds: number, window: string) => {
  const within = [bound(seconds), ...(matchers === '' ? [] : [matchers])].join(', ');
  return `clamp_min(${rateOf(histogram, matchers, window)} - sum(rate(${histogram}_bucket{${within}}[${window}])), 0)`;
};

/** Waits of all queues that stayed within the bound of their own. */
function startedInTime(window: string): string {
  return [...Map.groupBy(queueTargets, ({ waitSeconds }) => waitSeconds)]
    .map(([seconds, all]) => {
      const names = all.map(({ queue }) => queue).join('|');
      return `sum by (queue) (rate(proofline_job_wait_seconds_bucket{queue=~"${names}", ${bound(seconds)}}[${window}]))`;
    })
    .join('\n  or ');
}

const waits = (window: string) => `sum by (queue) (rate(proofline_job_wait_seconds_count[${window}]))`;
const whole = (share: number) => [{ share, labels: {} }];

export const objectives: readonly Objective[] = [
  {
    name: 'job-success',
    title: 'JobSuccess',
    promise: 'of the jobs of a queue that end without being cancelled succeed',
    by: ['queue'],
    bad: (window) => finished(window, 'failed'),
    total: (window) => finished(window, 'succeeded|failed'),
    budgets: queueTargets.map(({ queue, success }) => ({ share: rounded(1 - success), labels: { queue } })),
  },
  {
    name: 'job-wait',
    title: 'JobWait',
    promise: 'of the jobs of a queue start within its bound (5 s, 30 s, 60 s or 300 s) of being due',
    by: ['queue'],
    bad: (window) => `clamp_min(${waits(window)} - (${startedInTime(window)}), 0)`,
    total: waits,
    budgets: queueTargets.map(({ queue }) => ({ share: 0.05, labels: { queue } })),
  },
  {
    name: 'api-availability',
    title: 'ApiAvailability',
    promise: 'of the requests are not answered with 5xx',
    by: [],
    bad: (window) => `sum(rate(proofline_http_requests_total{status=~"5..", ${probes}}[${window}]))`,
    total: (window) => `sum(rate(proofline_http_requests_total{${probes}}[${window}]))`,
    budgets: whole(0.001),
  },
  {
    name: 'api-latency',
    title: 'ApiLatency',
    promise: 'of the reads (GET, streams aside) are answered within 0.5 s',
    by: [],
    bad: (window) => slowOf('proofline_http_request_seconds', `method="GET", ${probes}`, 0.5, window),
    total: (window) => rateOf('proofline_http_request_seconds', `method="GET", ${probes}`, window),
    budgets: whole(0.01),
  },
  {
    name: 'relay-lag',
    title: 'RelayLag',
    promise: 'of the events are published within 0.25 s of their transaction',
    by: [],
    bad: (window) => slowOf('proofline_relay_lag_seconds', '', 0.25, window),
    total: (window) => rateOf('proofline_relay_lag_seconds', '', window),
    budgets: whole(0.01),
  },
  {
    name: 'anchoring',
    title: 'Anchoring',
    promise: 'of the sealed roots are included in a block within 5 minutes',
    by: [],
    bad: (window) => slowOf('proofline_anchor_inclusion_seconds', '', 300, window),
    total: (window) => rateOf('proofline_anchor_inclusion_seconds', '', window),
    budgets: whole(0.01),
  },
];

function rounded(share: number): number {
  return Math.round(share * 1e6) / 1e6;
}

const windows = ['5m', '30m', '1h', '2h', '6h', '1d', '3d'] as const;
/** Windows in which what was bad is counted: one mishap among few jobs burns no budget that deserves an alert. */
const counted = { '6h': 21_600, '3d': 259_200 } as const;

/** The share of what was bad over every window, how much it was, and the share that may be. */
export const objectiveRecordings: readonly Recording[] = objectives.flatMap(({ name, by, bad, total, budgets }) => {
  const labels = { slo: name };
  const known = (window: string) => `${bad(window)}\n  or ${total(window)} * 0`;
  return [
    ...budgets.map(({ share, labels: of }) => ({
      record: 'slo:proofline_error_budget:ratio',
      expr: `vector(${share})`,
      by: ['slo', ...by],
      labels: { ...labels, ...of },
    })),
    ...windows.map((window) => ({
      record: `slo:proofline_errors:ratio_rate${window}`,
      expr: `(\n  ${known(window)}\n)\n/ (${total(window)} > 0)`,
      by: ['slo', ...by],
      labels,
    })),
    ...Object.entries(counted).map(([window, seconds]) => ({
      record: `slo:proofline_errors:increase${window}`,
      expr: `(\n  ${known(window)}\n) * ${seconds}`,
      by: ['slo', ...by],
      labels,
    })),
  ];
});

import { type Objective, objectives } from './objectives.ts';
import type { AlertFamily, SeriesValues } from './rule.ts';

/**
 * Speeds at which a month's budget may burn, over a long window and over a short one that ends the alert soon after the
 * trouble: 14.4 for 20 minutes is 2 % of the budget, 6 for six hours 5 %, 3 for a day 10 %, 1 for three days 10 %.
 *
 * @see Site Reliability Workbook, chapter 5, "Multiwindow, Multi-Burn-Rate Alerts"
 */
const speeds = {
  Fast: { severity: 'critical', counted: '6h', pairs: [[14.4, '1h', '5m'] as const, [6, '6h', '30m'] as const] },
  Slowly: { severity: 'warning', counted: '3d', pairs: [[3, '1d', '2h'] as const, [1, '3d', '6h'] as const] },
} as const;

/** Fewer mishaps than these are looked at one by one; `increase` is seldom whole. */
const FEWEST = 2.5;

function burns(slo: string, { counted, pairs }: (typeof speeds)[keyof typeof speeds]): string {
  const of = `{slo="${slo}"}`;
  const above = (factor: number, window: string) =>
    `slo:proofline_errors:ratio_rate${window}${of} > ${factor} * slo:proofline_error_budget:ratio${of}`;
  const both = pairs.map(
    ([factor, long, short]) => `  (\n    ${above(factor, long)}\n    and ${above(factor, short)}\n  )`,
  );
  return `(\n${both.join('\n  or\n')}\n)\nand slo:proofline_errors:increase${counted}${of} > ${FEWEST}`;
}

/**
 * Multiples of the budget that are bad in trials, all the time: enough for the slower of the two speeds of an alert
 * alone, and nearly so. A burn of an hour alone is a run of its own in `objectiveRuns`.
 */
const burning = { Fast: { firing: 10, calm: 5 }, Slowly: { firing: 2, calm: 0.9 } } as const;

/** Raw series of an objective of which a share is bad, ten events a second in all, for 20 minutes. */
function happening(slo: string, bad: number): SeriesValues {
  const all = '0+600x20';
  const good = `0+${600 * (1 - bad)}x20`;
  const wrong = `0+${600 * bad}x20`;
  const histogram = (name: string, bound: string, labels = '') => ({
    [`${name}_bucket{${labels}le="${bound}"}`]: good,
    [`${name}_count${labels === '' ? '' : `{${labels.slice(0, -1)}}`}`]: all,
  });
  const series: Readonly<Record<string, SeriesValues>> = {
    'job-success': {
      'proofline_jobs_finished_total{queue="analytics.fit", outcome="succeeded"}': good,
      'proofline_jobs_finished_total{queue="analytics.fit", outcome="failed"}': wrong,
    },
    'job-wait': histogram('proofline_job_wait_seconds', '5', 'queue="analytics.fit",'),
    'api-availability': {
      'proofline_http_requests_total{method="GET", route="/v1/jobs", status="200"}': good,
      'proofline_http_requests_total{method="GET", route="/v1/jobs", status="503"}': wrong,
      // a probe that says "not ready" is no answer to a request
      'proofline_http_requests_total{method="GET", route="/readyz", status="503"}': all,
    },
    'api-latency': histogram('proofline_http_request_seconds', '0.5', 'method="GET",route="/v1/jobs",'),
    'relay-lag': histogram('proofline_relay_lag_seconds', '0.25'),
    anchoring: histogram('proofline_anchor_inclusion_seconds', '300'),
  };
  return series[slo] ?? {};
}

function familyOf({ name, title, promise, by, budgets }: Objective, speed: keyof typeof speeds): AlertFamily {
  const { severity } = speeds[speed];
  const queue = by.length > 0 ? { queue: 'analytics.fit' } : {};
  const budget = budgets.find(({ labels }) => !('queue' in labels) || labels['queue'] === 'analytics.fit')?.share ?? 0;
  const of = by.length > 0 ? ' of {{ $labels.queue }}' : '';
  return {
    name: `${title}Burns${speed}`,
    severity,
    rules: [{ expr: burns(name, speeds[speed]) }],
    summary: `The error budget of ${name}${of} burns ${speed === 'Fast' ? 'fast' : 'slowly'}: {{ $value | humanizePercentage }} of what happened was bad.`,
    description: `Promised: ${promiseShares(budgets)} ${promise}. ${
      speed === 'Fast'
        ? 'At this pace the budget of a month is gone in days: stop what was changed last, and mend it now.'
        : 'At this pace the budget of a month will be gone before the month is: find the cause in the working day.'
    }`,
    anchor: `${name}-burns`,
    trial: {
      firing: happening(name, budget * burning[speed].firing),
      calm: happening(name, budget * burning[speed].calm),
      at: '15m',
      fires: [{ slo: name, ...queue }],
      value: `${Math.round(budget * burning[speed].firing * 1e6) / 1e4}%`,
    },
  };
}

function promiseShares(budgets: Objective['budgets']): string {
  const shares = [...new Set(budgets.map(({ share }) => `${Math.round((1 - share) * 1e5) / 1e3} %`))];
  return shares.join(' or ');
}

/** For each objective an alert that pages an operator, and one for the working day. */
export const burnAlerts: readonly AlertFamily[] = objectives.flatMap((objective) => [
  familyOf(objective, 'Fast'),
  familyOf(objective, 'Slowly'),
]);

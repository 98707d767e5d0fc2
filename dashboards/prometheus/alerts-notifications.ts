import type { Alert } from './rule.ts';

/** Alerts on notifications, and on limits that callers meet. */
export const notificationAlerts: readonly Alert[] = [
  {
    name: 'EndpointFailing',
    severity: 'warning',
    for: '5m',
    expr: 'max(proofline_endpoint_failing_longest_seconds) > 3600',
    summary: 'An endpoint has taken no message for {{ $value | humanizeDuration }}.',
    description:
      'Its messages wait, and after a day it is disabled. `proofline endpoints log --state pending` of its owner says what it answers; no other endpoint waits for it.',
    anchor: 'endpoint-failing',
    trial: {
      firing: { proofline_endpoint_failing_longest_seconds: '7200+0x20' },
      calm: { proofline_endpoint_failing_longest_seconds: '1800+0x20' },
      at: '10m',
      fires: [{}],
      value: '2h 0m 0s',
    },
  },
  {
    name: 'NotificationsLate',
    severity: 'warning',
    for: '5m',
    expr: 'max(proofline_notification_overdue_seconds) > 60\n  or max(proofline_notification_lag_seconds) > 30',
    summary: 'Endpoints are notified {{ $value | humanizeDuration }} late.',
    description:
      'Events are not turned into deliveries, or deliveries to receivers that work are not sent: no API process leads `notifications`, the fleet `platform` is gone, or more happens than is sent.',
    anchor: 'notifications-late',
    trial: {
      firing: { proofline_notification_overdue_seconds: '120+0x20', proofline_notification_lag_seconds: '0+0x20' },
      calm: { proofline_notification_overdue_seconds: '5+0x20', proofline_notification_lag_seconds: '1+0x20' },
      at: '10m',
      fires: [{}],
      value: '2m 0s',
    },
  },
  {
    name: 'LimitRefuses',
    severity: 'warning',
    for: '15m',
    expr: 'sum by (policy) (increase(proofline_limit_refusals_total{policy!="anonymous-minute"}[5m])) > 100',
    summary: 'The limit {{ $labels.policy }} refuses callers, {{ $value | humanize }} times in five minutes.',
    description:
      'A caller makes more requests, or submits more jobs, than its limit lets in. *Limits* in the console (`GET /v1/limits/refusals`) says whose; raise the limit of that owner, or have them wait as `Retry-After` says.',
    anchor: 'limit-refuses',
    trial: {
      firing: { 'proofline_limit_refusals_total{policy="owner-minute"}': '0+60x40' },
      calm: { 'proofline_limit_refusals_total{policy="owner-minute"}': '0+5x40' },
      at: '30m',
      fires: [{ policy: 'owner-minute' }],
      value: '300',
    },
  },
  {
    name: 'GroupRefused',
    severity: 'warning',
    for: '15m',
    expr: `max by (queue, group) (proofline_group_refused)
  - (max by (queue, group) (proofline_group_refused offset 5m) or max by (queue, group) (proofline_group_refused) * 0) > 100`,
    summary:
      'A limit keeps jobs of {{ or $labels.group "smaller groups" }} out of {{ $labels.queue }}, {{ $value | humanize }} in five minutes.',
    description:
      'More of its jobs are submitted than its owner may have unfinished. `proofline queues groups` shows what waits and runs, `proofline limits refused` which limit it is: raise it, or find why the jobs do not end.',
    anchor: 'limit-refuses',
    trial: {
      firing: {
        'proofline_group_refused{job="proofline-api", instance="one", queue="studio.render", group="acme"}': '0+60x40',
        'proofline_group_refused{job="proofline-api", instance="one", queue="studio.publish"}': '0+60x40',
      },
      calm: {
        'proofline_group_refused{job="proofline-api", instance="one", queue="studio.render", group="acme"}': '0+5x40',
      },
      at: '30m',
      fires: [{ queue: 'studio.render', group: 'acme' }, { queue: 'studio.publish' }],
      value: '300',
    },
  },
];

import type { Board } from './board.ts';

export const notificationsBoard: Board = {
  name: 'notifications',
  title: 'notifications and limits',
  about: 'Whether endpoints are notified in time, and whom limits refuse.',
  choices: [{ name: 'format', title: 'Format', metric: 'proofline_notification_attempts_total', label: 'format' }],
  sections: [
    {
      title: 'Notifications',
      panels: [
        {
          title: 'Waiting',
          about: 'Deliveries that are not over, to endpoints that take messages and to those that fail.',
          kind: 'lines',
          unit: 'short',
          targets: [['max by (endpoint) (proofline_notifications_waiting)', '{{endpoint}}']],
        },
        {
          title: 'Overdue',
          about: 'The longest overdue delivery to an endpoint that takes messages. Normal: below a second.',
          kind: 'stat',
          unit: 's',
          targets: [['max(proofline_notification_overdue_seconds)', 'overdue']],
          bounds: { warn: 5, bad: 60 },
          anchor: 'notifications-late',
        },
        {
          title: 'Lag',
          about: 'Age of the oldest event that was not turned into deliveries. Normal: below a second.',
          kind: 'stat',
          unit: 's',
          targets: [['max(proofline_notification_lag_seconds)', 'lag']],
          bounds: { warn: 5, bad: 30 },
          anchor: 'notifications-late',
        },
        {
          title: 'From event to receiver',
          about: 'p50 and p99 of what was taken. Promised: p99 within 2 s of receivers that answer.',
          kind: 'lines',
          unit: 's',
          targets: [
            [
              'histogram_quantile(0.5, sum by (le) (rate(proofline_notification_seconds_bucket{format=~"$format"}[$__rate_interval])))',
              'p50',
            ],
            [
              'histogram_quantile(0.99, sum by (le) (rate(proofline_notification_seconds_bucket{format=~"$format"}[$__rate_interval])))',
              'p99',
            ],
          ],
          bounds: { warn: 2, bad: 15 },
          anchor: 'notifications-late',
        },
        {
          title: 'Attempts a second',
          about: 'Delivered, to be tried again, and given up.',
          kind: 'lines',
          unit: 'cps',
          targets: [
            [
              'sum by (outcome) (rate(proofline_notification_attempts_total{format=~"$format"}[$__rate_interval]))',
              '{{outcome}}',
            ],
          ],
        },
        {
          title: 'Endpoints that fail',
          about: 'Enabled ones that have not taken the newest message.',
          kind: 'stat',
          unit: 'short',
          targets: [['max(proofline_endpoints_failing)', 'failing']],
        },
        {
          title: 'Failing for longest',
          about: 'After a day an endpoint is disabled.',
          kind: 'stat',
          unit: 's',
          targets: [['max(proofline_endpoint_failing_longest_seconds)', 'longest']],
          bounds: { warn: 3_600, bad: 43_200 },
          anchor: 'endpoint-failing',
        },
      ],
    },
    {
      title: 'Limits of callers',
      panels: [
        {
          title: 'Refused',
          about: 'Requests and jobs a second that a limit refused, by limit.',
          kind: 'lines',
          unit: 'cps',
          targets: [['sum by (policy) (rate(proofline_limit_refusals_total[$__rate_interval]))', '{{policy}}']],
          anchor: 'limit-refuses',
        },
        {
          title: 'Refused, by group',
          about:
            'Jobs in this hour and the one before that a limit has not let in, of the 20 groups of each queue with the most.',
          kind: 'lines',
          unit: 'short',
          targets: [['max by (queue, group) (proofline_group_refused)', '{{queue}} {{group}}']],
          anchor: 'limit-refuses',
        },
      ],
    },
  ],
};

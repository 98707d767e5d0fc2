import { type Board, burnPanel } from './board.ts';

const chosen = 'route=~"$route"';

export const apiBoard: Board = {
  name: 'api',
  title: 'API',
  about: 'Whether callers are answered, how fast, and with what; the gateway of text and batches.',
  choices: [{ name: 'route', title: 'Route', metric: 'proofline_http_requests_total', label: 'route' }],
  sections: [
    {
      title: 'Requests',
      panels: [
        {
          title: 'API processes',
          about: 'Those that answer.',
          kind: 'stat',
          unit: 'short',
          targets: [['sum(up{job="proofline-api"}) or vector(0)', 'processes']],
          bounds: { warn: 2, bad: 1, below: true },
          anchor: 'api-gone',
        },
        {
          title: 'Requests a second',
          about: 'Of all routes that are chosen.',
          kind: 'stat',
          unit: 'reqps',
          targets: [[`sum(route:proofline_http_requests:rate5m{${chosen}})`, 'requests']],
        },
        {
          title: 'Answers with 5xx',
          about: 'Share of all answers, probes aside. Promised: at most 0.1 % over a month.',
          kind: 'stat',
          unit: 'percentunit',
          targets: [['slo:proofline_errors:ratio_rate5m{slo="api-availability"}', '5xx']],
          bounds: { warn: 0.001, bad: 0.01 },
          anchor: 'api-availability-burns',
        },
        {
          title: 'Slow reads',
          about: 'Share of GET requests that took longer than 0.5 s. Promised: at most 1 % over a month.',
          kind: 'stat',
          unit: 'percentunit',
          targets: [['slo:proofline_errors:ratio_rate5m{slo="api-latency"}', 'slow']],
          bounds: { warn: 0.01, bad: 0.05 },
          anchor: 'api-latency-burns',
        },
        {
          title: 'Answers a second by status',
          about: '429 are limits that work; 5xx are ours.',
          kind: 'lines',
          unit: 'reqps',
          targets: [[`sum by (status) (route:proofline_http_requests:rate5m{${chosen}})`, '{{status}}']],
          anchor: 'api-availability-burns',
        },
        {
          title: 'Busiest routes',
          about: 'The ten with the most requests.',
          kind: 'lines',
          unit: 'reqps',
          targets: [
            [
              `topk(10, sum by (method, route) (route:proofline_http_requests:rate5m{${chosen}}))`,
              '{{method}} {{route}}',
            ],
          ],
        },
        {
          title: 'Slowest routes, p95',
          about: 'The ten slowest. Routes that wait for the result of a job take as long as it does, up to 30 s.',
          kind: 'lines',
          unit: 's',
          targets: [[`topk(10, route:proofline_http_request_seconds:p95_5m{${chosen}})`, '{{method}} {{route}}']],
          anchor: 'api-latency-burns',
        },
        burnPanel('api-availability', 'Budget of 5xx: burn', 'burn'),
        burnPanel('api-latency', 'Budget of slow reads: burn', 'burn'),
        {
          title: 'Calls that were not counted',
          about: 'Calls without a line in the log of calls: usage figures lack them.',
          kind: 'lines',
          unit: 'short',
          targets: [['sum(increase(proofline_calls_dropped_total[$__rate_interval]))', 'calls']],
          anchor: 'calls-not-counted',
        },
      ],
    },
    {
      title: 'Machine clients',
      panels: [
        {
          title: 'Open sessions (MCP)',
          about: 'Of all processes together.',
          kind: 'lines',
          unit: 'short',
          targets: [['sum(proofline_mcp_sessions)', 'sessions']],
        },
        {
          title: 'Refused sessions',
          about: 'too_many: the key has as many open as it may.',
          kind: 'lines',
          unit: 'short',
          targets: [
            ['sum by (reason) (increase(proofline_mcp_sessions_refused_total[$__rate_interval]))', '{{reason}}'],
          ],
          anchor: 'mcp-sessions-refused',
        },
      ],
    },
    {
      title: 'Gateway of text',
      panels: [
        {
          title: 'Turns a second',
          about: 'Turns of text that ended, by outcome.',
          kind: 'lines',
          unit: 'cps',
          targets: [['queue:proofline_jobs_finished:rate5m{queue="platform.respond"}', '{{outcome}}']],
        },
        {
          title: 'First piece of an answer',
          about: 'From the call of the provider to the first piece of its answer, p50 and p95.',
          kind: 'lines',
          unit: 's',
          targets: [0.5, 0.95].map((share) => [
            `histogram_quantile(${share}, sum by (provider, le) (rate(proofline_text_first_piece_seconds_bucket[$__rate_interval])))`,
            `{{provider}} p${share * 100}`,
          ]),
          bounds: { warn: 5, bad: 10 },
          anchor: 'text-first-piece-slow',
        },
        {
          title: 'Tokens a second',
          about: 'As the providers count them.',
          kind: 'lines',
          unit: 'cps',
          targets: [
            [
              'sum by (provider, direction) (rate(proofline_text_tokens_total[$__rate_interval]))',
              '{{provider}} {{direction}}',
            ],
          ],
        },
      ],
    },
    {
      title: 'Batches and webhooks',
      panels: [
        {
          title: 'Batches that are not over',
          about: 'How many there are, by status.',
          kind: 'lines',
          unit: 'short',
          targets: [['max by (status) (proofline_batches_open)', '{{status}}']],
        },
        {
          title: 'Lines of those batches',
          about: 'How far they are: lines that are done, and lines that wait.',
          kind: 'lines',
          unit: 'short',
          targets: [['max by (state) (proofline_batch_lines)', '{{state}}']],
        },
        {
          title: 'Oldest open batch',
          about: 'How long it has been open. What it has not done after 24 hours is given up.',
          kind: 'lines',
          unit: 's',
          targets: [['max(proofline_batch_oldest_open_seconds)', 'oldest']],
          bounds: { warn: 43_200, bad: 72_000 },
          anchor: 'batch-overdue',
        },
        {
          title: 'Webhooks',
          about: 'Deliveries that ended a second, by outcome, and tries that failed and come again.',
          kind: 'lines',
          unit: 'cps',
          targets: [
            ['queue:proofline_jobs_finished:rate5m{queue="platform.notify"}', '{{outcome}}'],
            ['queue:proofline_job_retries:rate5m{queue="platform.notify"}', 'tried again'],
          ],
          anchor: 'retries-surge',
        },
        {
          title: 'Webhooks that wait',
          about: 'Deliveries that are due or wait for their next try.',
          kind: 'lines',
          unit: 'short',
          targets: [['queue:proofline_queue_depth:max{queue="platform.notify", state="queued"}', 'waiting']],
        },
      ],
    },
  ],
};

import type { Board } from './board.ts';

const chosen = 'symbol=~"$symbol"';

export const marketBoard: Board = {
  name: 'market',
  title: 'market',
  about: 'Whether figures of the market are fresh, and what computing them costs.',
  choices: [{ name: 'symbol', title: 'Symbol', metric: 'proofline_market_feed_age_seconds', label: 'symbol' }],
  sections: [
    {
      title: 'Feeds',
      panels: [
        {
          title: 'Oldest figures',
          about: 'Of the chosen symbols. Seconds with the synthetic market, some minutes with a real one.',
          kind: 'stat',
          unit: 's',
          targets: [[`max(proofline_market_feed_age_seconds{${chosen}})`, 'oldest']],
          anchor: 'market-feed-stale',
        },
        {
          title: 'Stale symbols',
          about: 'Whose figures are older than they may be.',
          kind: 'stat',
          unit: 'short',
          targets: [[`sum(max by (symbol) (proofline_market_feed_stale{${chosen}}))`, 'stale']],
          bounds: { warn: 1, bad: 3 },
          anchor: 'market-feed-stale',
        },
        {
          title: 'Feeds in trouble',
          about: 'Whose last answer could not be used.',
          kind: 'stat',
          unit: 'short',
          targets: [[`sum(max by (symbol) (proofline_market_feed_trouble{${chosen}}))`, 'in trouble']],
          bounds: { warn: 1, bad: 3 },
          anchor: 'market-feed-trouble',
        },
        {
          title: 'Age of figures',
          about: 'Of a real market only time in which the exchange is open counts.',
          kind: 'lines',
          unit: 's',
          targets: [[`max by (symbol) (proofline_market_feed_age_seconds{${chosen}})`, '{{symbol}}']],
          anchor: 'market-feed-stale',
        },
        {
          title: 'Ticks and chains a second',
          about: 'Ticks of the synthetic market, and chains that were taken from a real one, by outcome.',
          kind: 'lines',
          unit: 'cps',
          targets: [
            ['queue:proofline_jobs_finished:rate5m{queue=~"analytics[.](tick|take)"}', '{{queue}} {{outcome}}'],
          ],
        },
      ],
    },
    {
      title: 'Analyses',
      panels: [
        {
          title: 'Finished a second',
          about: 'Analyses that ended, by outcome; ticks aside.',
          kind: 'lines',
          unit: 'cps',
          targets: [
            [
              'queue:proofline_jobs_finished:rate5m{queue=~"analytics[.].+", queue!="analytics.tick"}',
              '{{queue}} {{outcome}}',
            ],
          ],
        },
        {
          title: 'Run, p95',
          about: 'From claim to settle.',
          kind: 'lines',
          unit: 's',
          targets: [['queue:proofline_job_run_seconds:p95_5m{queue=~"analytics[.].+"}', '{{queue}}']],
        },
        {
          title: 'Age of the oldest due job',
          about: 'Ticks that wait are late figures.',
          kind: 'lines',
          unit: 's',
          targets: [['queue:proofline_queue_oldest_waiting_seconds:max{queue=~"analytics[.].+"}', '{{queue}}']],
          bounds: { warn: 30, bad: 60 },
          anchor: 'queue-waits-too-long',
        },
        {
          title: 'Tasks in threads a second',
          about: 'What analyses compute beside the event loop, by task.',
          kind: 'lines',
          unit: 'cps',
          targets: [['sum by (task) (rate(proofline_thread_tasks_total[$__rate_interval]))', '{{task}}']],
          anchor: 'thread-tasks-refused',
        },
      ],
    },
  ],
};

import { type Board, burnPanel } from './board.ts';

export const streamsBoard: Board = {
  name: 'streams',
  title: 'streams and the relay',
  about: 'Whether subscribers get every event, at once and in order.',
  choices: [{ name: 'transport', title: 'Transport', metric: 'proofline_stream_subscribers', label: 'transport' }],
  sections: [
    {
      title: 'Relay',
      panels: [
        {
          title: 'Leaders',
          about: 'One process leads the relay.',
          kind: 'stat',
          unit: 'short',
          targets: [['sum(proofline_relay_leader)', 'leaders']],
          bounds: { warn: 1, bad: 1, below: true },
          anchor: 'relay-without-leader',
        },
        {
          title: 'Lag of the ledger',
          about: 'Age of the oldest event that the relay’s stored position has not passed.',
          kind: 'stat',
          unit: 's',
          targets: [['proofline:proofline_ledger_lag_seconds:max', 'lag']],
          bounds: { warn: 1, bad: 5 },
          anchor: 'ledger-lags',
        },
        {
          title: 'Oldest transaction',
          about: 'Of this database. A long one holds back the relay.',
          kind: 'stat',
          unit: 's',
          targets: [['max(proofline_oldest_transaction_seconds)', 'age']],
          bounds: { warn: 60, bad: 300 },
          anchor: 'long-transaction',
        },
        {
          title: 'From transaction to publication',
          about: 'p50 and p99 of events. Promised: 99 of 100 within 0.25 s.',
          kind: 'lines',
          unit: 's',
          targets: [
            [
              'histogram_quantile(0.5, sum by (le) (rate(proofline_relay_lag_seconds_bucket[$__rate_interval])))',
              'p50',
            ],
            ['proofline:proofline_relay_lag_seconds:p99_5m', 'p99'],
          ],
          bounds: { warn: 0.25, bad: 1 },
          anchor: 'relay-lag-burns',
        },
        {
          title: 'Events a second',
          about: 'That the relay read from the ledger.',
          kind: 'lines',
          unit: 'eps',
          targets: [['sum(rate(proofline_relay_events_total[$__rate_interval]))', 'events']],
        },
        burnPanel('relay-lag', 'Budget of late events: burn', 'burn'),
      ],
    },
    {
      title: 'Followers',
      panels: [
        {
          title: 'Followers',
          about: 'Clients that follow a stream, by transport and process.',
          kind: 'lines',
          unit: 'short',
          targets: [
            [
              'sum by (transport, instance) (proofline_stream_subscribers{transport=~"$transport"})',
              '{{transport}} {{instance}}',
            ],
          ],
        },
        {
          title: 'Dropped followers',
          about: 'They read too slowly, and come again by themselves.',
          kind: 'lines',
          unit: 'short',
          targets: [
            [
              'sum by (transport) (increase(proofline_stream_clients_dropped_total{transport=~"$transport"}[$__rate_interval]))',
              '{{transport}}',
            ],
          ],
          anchor: 'stream-clients-dropped',
        },
        {
          title: 'Resets',
          about: 'Resets of subscribers’ streams, by reason.',
          kind: 'lines',
          unit: 'short',
          targets: [['sum by (reason) (increase(proofline_stream_resets_total[$__rate_interval]))', '{{reason}}']],
          anchor: 'stream-resets',
        },
      ],
    },
  ],
};

import type { Board } from './board.ts';

const chosen = 'provider=~"$provider"';
const cost = `proofline_provider_cost_dollars_total{${chosen}}`;

export const studioSpendBoard: Board = {
  name: 'studio-spend',
  title: 'studio, providers and spending',
  about: 'Products, the providers that made them, their cost, and work that waits for a human.',
  choices: [{ name: 'provider', title: 'Provider', metric: 'proofline_provider_calls_total', label: 'provider' }],
  sections: [
    {
      title: 'Money',
      panels: [
        {
          title: 'Spent in a day',
          about: 'What calls of providers have cost in the last 24 hours.',
          kind: 'stat',
          unit: 'currencyUSD',
          targets: [[`sum(increase(${cost}[1d]))`, 'spent']],
          anchor: 'spend-surge',
        },
        {
          title: 'Reserved now',
          about: 'What calls under way were quoted at.',
          kind: 'stat',
          unit: 'currencyUSD',
          targets: [['sum(max by (surface) (proofline_spend_reserved_dollars))', 'reserved']],
        },
        {
          title: 'Unknown calls hold',
          about: 'Highest cost of calls with an unknown outcome, by provider.',
          kind: 'lines',
          unit: 'currencyUSD',
          targets: [['max by (provider) (proofline_spend_unknown_dollars)', '{{provider}}']],
          anchor: 'provider-calls-unknown',
        },
        {
          title: 'Unknown for longest',
          about: 'Age of the oldest call with an unknown outcome.',
          kind: 'stat',
          unit: 's',
          targets: [['max(proofline_provider_call_oldest_unknown_seconds)', 'oldest']],
          anchor: 'provider-calls-unknown',
        },
        {
          title: 'Refused by budgets',
          about: 'Calls that were not made in the last hour, since a budget has not enough left.',
          kind: 'stat',
          unit: 'short',
          targets: [['sum(increase(proofline_budget_refusals_total[1h]))', 'refused']],
          bounds: { warn: 1, bad: 20 },
          anchor: 'budgets-refuse',
        },
        {
          title: 'Dollars an hour',
          about: 'By provider and by the surface that had it made.',
          kind: 'lines',
          unit: 'currencyUSD',
          targets: [[`provider:proofline_provider_cost_dollars:increase1h{${chosen}}`, '{{provider}} for {{surface}}']],
          anchor: 'spend-surge',
        },
        {
          title: 'Dollars an hour by capability',
          about: 'What is paid for.',
          kind: 'lines',
          unit: 'currencyUSD',
          targets: [[`sum by (capability) (increase(${cost}[1h]))`, '{{capability}}']],
        },
        {
          title: 'Refusals of budgets',
          about: 'By the kind of the budget that was used up.',
          kind: 'lines',
          unit: 'short',
          targets: [['sum by (kind) (increase(proofline_budget_refusals_total[$__rate_interval]))', '{{kind}}']],
          anchor: 'budgets-refuse',
        },
      ],
    },
    {
      title: 'Providers',
      panels: [
        {
          title: 'Calls a second',
          about: 'By outcome; `refused` is an answer of a provider that works.',
          kind: 'lines',
          unit: 'cps',
          targets: [[`provider:proofline_provider_calls:rate5m{${chosen}}`, '{{provider}} {{outcome}}']],
        },
        {
          title: 'Share of failed calls',
          about: 'Of the last 15 minutes.',
          kind: 'lines',
          unit: 'percentunit',
          targets: [
            [
              `(sum by (provider) (increase(proofline_provider_calls_total{outcome="failed", ${chosen}}[15m]))
  or sum by (provider) (increase(proofline_provider_calls_total{${chosen}}[15m])) * 0)
/ sum by (provider) (increase(proofline_provider_calls_total{${chosen}}[15m]))`,
              '{{provider}}',
            ],
          ],
          bounds: { warn: 0.2, bad: 0.5 },
          anchor: 'provider-failing',
        },
        {
          title: 'Time of a call, p95',
          about: 'From its admission to its outcome.',
          kind: 'lines',
          unit: 's',
          targets: [
            [
              `histogram_quantile(0.95, sum by (provider, capability, le) (rate(proofline_provider_call_seconds_bucket{${chosen}}[$__rate_interval])))`,
              '{{provider}} {{capability}}',
            ],
          ],
        },
        {
          title: 'Circuits',
          about: 'As the process saw it last that saw the worst.',
          kind: 'lines',
          unit: 'none',
          targets: [[`max by (provider) (proofline_provider_circuit_state{${chosen}})`, '{{provider}}']],
          words: { '0': 'closed', '1': 'half open', '2': 'open' },
          bounds: { warn: 1, bad: 2 },
          anchor: 'provider-failing',
        },
        {
          title: 'Calls held back',
          about: 'Not made, since the circuit of their provider was open.',
          kind: 'lines',
          unit: 'short',
          targets: [
            [
              `sum by (provider) (increase(proofline_provider_calls_held_total{${chosen}}[$__rate_interval]))`,
              '{{provider}}',
            ],
          ],
          anchor: 'provider-failing',
        },
      ],
    },
    {
      title: 'Studio',
      panels: [
        {
          title: 'Approvals',
          about: 'Those that can still be used: pending wait for a human, granted for their job.',
          kind: 'lines',
          unit: 'short',
          targets: [['max by (state) (proofline_approvals_open)', '{{state}}']],
          anchor: 'approvals-wait',
        },
        {
          title: 'Oldest pending approval',
          about: 'Age of the oldest approval that waits for a decision.',
          kind: 'lines',
          unit: 's',
          targets: [['max(proofline_approval_oldest_pending_seconds)', 'oldest']],
          bounds: { warn: 3_600, bad: 14_400 },
          anchor: 'approvals-wait',
        },
        {
          title: 'Renders and publications',
          about: 'Jobs of the studio that ended a second, by outcome.',
          kind: 'lines',
          unit: 'cps',
          targets: [['queue:proofline_jobs_finished:rate5m{queue=~"studio[.].+"}', '{{queue}} {{outcome}}']],
        },
        {
          title: 'Kept artefacts',
          about: 'What was made, by kind and by whether it carries a manifest (C2PA).',
          kind: 'lines',
          unit: 'short',
          targets: [
            [
              'sum by (kind, provenance) (increase(proofline_artefacts_kept_total[$__rate_interval]))',
              '{{kind}} {{provenance}}',
            ],
          ],
        },
        {
          title: 'Bytes of artefacts',
          about: 'in: kept; out: handed to callers.',
          kind: 'lines',
          unit: 'Bps',
          targets: [['sum by (direction) (rate(proofline_artefact_bytes_total[$__rate_interval]))', '{{direction}}']],
        },
        {
          title: 'Erased artefacts',
          about: 'Those that retention took away.',
          kind: 'lines',
          unit: 'short',
          targets: [['sum(increase(proofline_artefacts_erased_total[$__rate_interval]))', 'erased']],
        },
      ],
    },
  ],
};

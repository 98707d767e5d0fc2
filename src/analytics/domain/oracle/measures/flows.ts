import { field, type Measure, type Variant } from './measure.ts';

const forecast = (of?: string): Variant => ({
  ...(of !== undefined && { with: ['horizon'], of }),
  tool: 'flow_forecast',
  fields: [
    field('forecast.mean_usd', 'expected hedging flow (above zero dealers buy)', 'usd', 'status'),
    field('forecast.p10_usd', 'tenth percentile', 'usd', 'status'),
    field('forecast.p90_usd', 'ninetieth', 'usd', 'status'),
    field('forecast.horizon', 'horizon', 'text'),
  ],
});

const scenario = [
  field('scenario.flow_usd', 'hedging flow (above zero dealers buy)', 'usd', 'status'),
  field('scenario.spot_return_pct', 'for spot', 'percent'),
  field('scenario.vol_points', 'and volatility', 'vol_points'),
  field('scenario.hours', 'hours passing', 'plain'),
];

/** Measures of the trades that dealers will have to make. */
export const flowMeasures: readonly Measure[] = [
  {
    name: 'flow_forecast',
    said: 'the hedging flow',
    words: [
      'flow forecast',
      'hedging flow',
      'hedge flow',
      'hedging flows',
      'hedge flows',
      'dealer flow',
      'dealers flow',
      'dealer hedging',
      'dealers buy',
      'dealers sell',
      'dealers buy or sell',
      'dealers have to buy',
      'dealers have to sell',
      'dealers need to buy',
      'dealers need to sell',
      'dealers forced to sell',
      'dealers forced to buy',
      'dealer buying',
      'dealer selling',
      'dealers trade',
      'dealers hedge',
      'market makers buy',
      'market makers sell',
      'dealers do',
      'have to do',
      'will do',
      'have to trade',
      'need to trade',
      'have to buy',
      'have to sell',
      'need to buy',
      'need to sell',
      'forced to buy',
      'forced to sell',
      'be buying',
      'be selling',
      'buying or selling',
      'buy or sell',
      'selling or buying',
      'hedging pressure',
      'hedging demand',
      'dealers be buying',
      'dealers be selling',
      'dealers have to hedge',
      'have to hedge',
      'dealers have to do',
      'dealers hedging',
    ],
    weakWords: ['flow', 'flows', 'hedge', 'hedging'],
    variants: [
      forecast(),
      forecast('30m'),
      forecast('close'),
      forecast('1d'),
      { with: ['move'], tool: 'flow_forecast', fields: scenario },
    ],
  },
  {
    name: 'charm',
    said: 'the charm flow',
    words: ['charm flow', 'delta decay', 'charm flows'],
    weakWords: ['charm'],
    variants: [
      {
        tool: 'charm',
        fields: [
          field('flow_to_close', 'charm flow to the close (above zero dealers buy)', 'usd', 'no_session'),
          field('flow_1d', 'of the next calendar day', 'usd'),
        ],
      },
      {
        with: ['horizon'],
        of: 'close',
        tool: 'charm',
        fields: [field('flow_to_close', 'charm flow to the close (above zero dealers buy)', 'usd', 'no_session')],
      },
      {
        with: ['horizon'],
        of: '1h',
        tool: 'charm',
        fields: [field('flow_1h', 'charm flow of the next hour (above zero dealers buy)', 'usd')],
      },
      {
        with: ['horizon'],
        of: '1d',
        tool: 'charm',
        fields: [field('flow_1d', 'charm flow of the next calendar day (above zero dealers buy)', 'usd')],
      },
    ],
  },
  {
    name: 'charm_schedule',
    said: 'the charm schedule',
    words: ['charm schedule', 'charm window', 'charm windows', 'charm calendar'],
    variants: [
      {
        tool: 'charm_schedule',
        fields: [
          field('total_usd', 'charm flow of the whole session (above zero dealers buy)', 'usd', 'status'),
          field('peak.flow_usd', 'in its largest window', 'usd', 'status'),
          field('peak.starting at', 'which begins', 'text', 'status'),
        ],
      },
    ],
  },
  {
    name: 'charm_peak',
    said: 'the largest charm window',
    words: [
      'peak charm',
      'charm peak',
      'charm peak window',
      'peak charm window',
      'largest charm window',
      'biggest charm window',
      'when does charm peak',
      'charm peaks',
      'when is charm strongest',
      'charm strongest',
    ],
    variants: [
      {
        tool: 'charm_schedule',
        fields: [
          field('peak.flow_usd', 'charm flow of the largest window (above zero dealers buy)', 'usd', 'status'),
          field('peak.starting at', 'starting at', 'text', 'status'),
          field('peak.to', 'to', 'text', 'status'),
        ],
      },
    ],
  },
  {
    name: 'charm_activation',
    said: 'the activation time of charm',
    words: [
      'activation time',
      'charm activation',
      'when does charm activate',
      'when does charm kick in',
      'when does charm start',
      'charm activates',
      'charm kick in',
      'charm kicks in',
    ],
    variants: [
      {
        tool: 'charm_schedule',
        fields: [
          field('activation.at', 'charm counts starting at', 'text', 'status'),
          field('activation.reason', 'by', 'text'),
        ],
      },
    ],
  },
  {
    name: 'vcm',
    said: 'the vanna-charm meta-signal',
    words: [
      'vcm',
      'vanna charm',
      'vanna-charm',
      'vanna and charm',
      'meta signal',
      'meta-signal',
      'vanna-charm meta-signal',
      'vanna charm meta signal',
      'vanna-charm signal',
    ],
    variants: [
      {
        tool: 'vcm',
        fields: [
          field('vcm', 'vanna-charm meta-signal', 'plain', 'status'),
          field('vanna_flow_usd', 'vanna flow', 'usd', 'status'),
          field('charm_flow_usd', 'charm flow', 'usd'),
        ],
      },
    ],
  },
  {
    name: 'vanna_flow',
    said: 'the vanna flow',
    words: ['vanna flow', 'vanna flows'],
    variants: [
      {
        tool: 'vcm',
        fields: [
          field('vanna_flow_usd', 'vanna flow (above zero dealers buy)', 'usd', 'status'),
          field('horizon_hours', 'hours ahead', 'plain'),
        ],
      },
    ],
  },
];

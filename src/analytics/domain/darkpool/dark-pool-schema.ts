import { type Static, Type } from 'typebox';
import { SYMBOL } from '#src/analytics/domain/chain/symbol-schema.ts';
import { closed, maybe, number } from '#src/analytics/domain/schema-parts.ts';

const zStatus = Type.Enum(['ok', 'no_data', 'short_history', 'no_variation'], {
  description: 'short_history: under 20 days before. no_variation: all of them alike',
});

/** The dark-pool overlay as the API sends it. */
export const DARK_POOL = closed(
  {
    status: Type.Enum(
      ['ok', 'no_tapes', 'no_short_volume', 'no_prints', 'no_gamma', 'too_few_strikes', 'no_proxy_price'],
      {
        description:
          'ok: both the short volume and the index of confirmation are there. no_tapes: nothing is known of off-exchange trading; else the first of the two that is missing, and why',
      },
    ),
    symbol: SYMBOL('Requested underlying'),
    proxy: Type.String({ description: 'Fund whose shares represent it: SPY for SPX, QQQ for NDX, IWM for RUT' }),
    is_proxy: Type.Boolean({ description: 'Whether the figures are of another security than the requested one' }),
    points_per_dollar: maybe('Points of the underlying per dollar of the fund, by which prints are put on its scale'),
    dpi: maybe('Off-exchange short-sale volume over all off-exchange volume of the fund, 0 to 1'),
    dpi_status: Type.Enum(['ok', 'no_data'], { description: 'no_data: no file was known at that instant' }),
    dpi_date: Type.Union([Type.String(), Type.Null()], { description: 'Trading day of dpi, YYYY-MM-DD' }),
    dpi_z: maybe('Standard deviations of dpi from the mean of up to 60 days before'),
    dpi_z_status: zStatus,
    tilt: maybe('dpi_z: above zero more was sold short off exchange than usual, which reads as buying'),
    dix: maybe('Dollar-weighted dpi over the constituents with prices and volumes, 0 to 1'),
    dix_status: Type.Enum(['ok', 'no_constituents'], { description: 'no_constituents: no constituent has volume' }),
    dix_constituents: Type.Integer({ description: 'Constituents in dix' }),
    dix_z: maybe('Standard deviations of dix from the mean of up to 60 days before'),
    dix_z_status: zStatus,
    prints: Type.Integer({ description: 'Off-exchange prints used' }),
    last_print: Type.Union([Type.String(), Type.Null()], { description: 'Time of the last of them, ISO 8601' }),
    print_shares: number('Shares of those prints'),
    node_share: maybe('Share of those within the nodes’ range, 0 to 1'),
    nodes: Type.Array(
      closed({
        price: number('Points of the underlying, one strike spacing apart'),
        shares: number('Off-exchange shares nearest to it'),
        share: number('The same over all nodes, 0 to 1'),
      }),
      { description: 'Off-exchange volume at price within ±10 % of spot, ascending, empty nodes left out' },
    ),
    gci: maybe('Gamma confirmation index: cosine of smoothed volume and gross gamma by price, 0 to 1'),
    gci_status: Type.Enum(['ok', 'no_prints', 'no_gamma', 'too_few_strikes', 'no_proxy_price'], {
      description:
        'too_few_strikes: under ten nodes. no_proxy_price: prints cannot be put on the scale of the underlying',
    }),
    gci_null_mean: maybe('Mean of gci over 200 circular shifts of the volume'),
    gci_excess: maybe('gci less that mean'),
    gci_p_value: maybe('Share of shifts that agree as well, 1/201 to 1'),
    levels_status: Type.Enum(['ok', 'no_range'], { description: 'no_range: no prints, or all at one price' }),
    levels: Type.Array(
      closed({
        name: Type.String({ description: 'Name of the level' }),
        level: number('Points'),
        dark_share: number('Share of off-exchange volume within ±0.25 %, 0 to 1'),
        uniform_share: number('Share that evenly spread volume would put there, 0 to 1'),
        confirmed: Type.Boolean({ description: 'Whether the first is more than 1.5 times the second' }),
      }),
      { description: 'Levels with the volume around them' },
    ),
  },
  { title: 'DarkPool' },
);

export type DarkPool = Static<typeof DARK_POOL>;

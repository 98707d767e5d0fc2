import { type Static, Type } from 'typebox';
import { closed, maybe, number, orNull } from '#src/analytics/domain/schema-parts.ts';

/** The Vanna-Charm Meta-signal as the API sends it. */
export const VCM = closed(
  {
    status: Type.Enum(['ok', 'no_volatility', 'no_volume'], {
      description: 'Whether there is a signal, and if not, why',
    }),
    vcm: maybe('Vanna-Charm Meta-signal, -1 to 1; above zero dealers buy'),
    vanna_flow_usd: maybe('Flow from the expected change of volatility, $; above zero dealers buy'),
    charm_flow_usd: number('Flow from the time that passes, $; above zero dealers buy'),
    expected_vol_points: maybe('Change of implied volatility expected over the horizon, vol points'),
    agreement: maybe('1: both flows have one direction, -1: opposite ones, 0: one of them is zero'),
    state: orNull(
      Type.Enum(['aligned_bid', 'aligned_offer', 'conflict', 'quiet'], {
        description:
          'Both buy, both sell, opposite, or a signal under 0.1; null without a signal, or where one flow is zero',
      }),
    ),
    horizon_hours: number('Calendar hours ahead'),
    volume_share: number('Share of a day’s volume in the horizon'),
    kappa: number('Share of that volume that scales the signal'),
  },
  { title: 'VannaCharmMomentum', description: 'Vanna-Charm Meta-signal' },
);

export type Vcm = Static<typeof VCM>;

import type { SurfaceAnswer } from '#src/analytics/domain/surface/surface-schema.ts';
import { palettes } from '#src/lib/charts/palette.ts';
import { surfaceOption } from '#src/lib/charts/surface-option.ts';
import type { Picture } from './draw-svg.ts';
import { type Origin, originText } from './profile-picture.ts';

/** Shows the implied volatility of a symbol over log-moneyness and time to expiry, from above. */
export function surfacePicture(origin: Origin, { certificate, grid }: SurfaceAnswer): Picture {
  const gap = certificate.least_calendar_gap?.toExponential(1) ?? 'none';
  return {
    width: 960,
    height: 620,
    title: `${origin.symbol} implied volatility surface`,
    subtitle: `${originText(origin)} · eSSVI, free of arbitrage: least g ${certificate.least_g.toPrecision(2)}, least calendar gap ${gap}`,
    option: surfaceOption(grid, palettes.light, 92),
  };
}

import type { Shock } from '#src/lib/words/shock.ts';

const signed = (value: number) => (value > 0 ? `+${value}` : `${value}`);

/** Scenarios in short form, as the tables have them: `spot -3%, vol +10 points, 1 day / spot 7000 (down)`. */
export function shortShocks(scenarios: readonly Shock[]): string {
  return scenarios.map(shortShock).join(' / ');
}

function shortShock({
  spot_shock_pct,
  spot_points,
  spot_level,
  spot_side,
  vol_shock_pct,
  vol_points,
  days,
}: Shock): string {
  return [
    spot_shock_pct !== undefined && `spot ${signed(spot_shock_pct)}%`,
    spot_points !== undefined && `spot ${signed(spot_points)} points`,
    spot_level !== undefined && `spot ${spot_level}${spot_side ? ` (${spot_side})` : ''}`,
    vol_shock_pct !== undefined && `vol ${signed(vol_shock_pct)}%`,
    vol_points !== undefined && `vol ${signed(vol_points)} points`,
    days !== undefined && `${days} ${days === 1 ? 'day' : 'days'}`,
  ]
    .filter(Boolean)
    .join(', ');
}

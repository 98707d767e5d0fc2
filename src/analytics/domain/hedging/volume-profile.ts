/**
 * Share of a session's volume traded by the time `passed` of it (0 to 1) has passed: U-shaped, three times as dense at
 * both ends as in the middle. A shape for orientation, not a fit.
 *
 * @see A. Admati and P. Pfleiderer, "A theory of intraday patterns", Review of Financial Studies 1 (1988)
 */
export function volumePassed(passed: number): number {
  const u = Math.min(Math.max(passed, 0), 1);
  return 0.6 * u + 0.2 * ((2 * u - 1) ** 3 + 1);
}

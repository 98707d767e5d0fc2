/**
 * A clock that shows `begin` when the machine's shows `began`, and goes `speed` times as fast; all processes of a test see
 * the same. Milliseconds since 1970.
 */
export function fastClock(began: number, begin: number, speed: number): () => Date {
  return () => new Date(begin + (Date.now() - began) * speed);
}

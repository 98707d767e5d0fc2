const signs =
  /Stream isn't writeable|Connection is closed|Command timed out|Socket timeout|max retries per request|^LOADING|^CLUSTERDOWN|Failed to refresh slots cache/;

/** Checks whether an error says no more than that Redis is away, as ioredis words it. */
export function isRedisAway(error: unknown): boolean {
  return error instanceof Error && signs.test(error.message);
}

import type { Log } from './log.ts';

/** Says in the log when a server goes away and when it is back: one line each, however many requests fail meanwhile. */
export interface Outage {
  readonly isUnavailable: () => boolean;
  /** It did not answer; the first time is said. */
  readonly away: (error: unknown) => void;
  /** It answers; said after an outage. */
  readonly back: () => void;
}

export function openOutage(log: Log, server: string, url: string): Outage {
  const address = addressOf(url);
  let since: number | undefined;
  return {
    isUnavailable: () => since !== undefined,
    away: (error) => {
      if (since !== undefined) return;
      since = performance.now();
      log.error(
        { server, address, why: reasonOf(error) },
        `${server} does not answer; requests are repeated until it does`,
      );
    },
    back: () => {
      if (since === undefined) return;
      const seconds = Math.round((performance.now() - since) / 100) / 10;
      since = undefined;
      log.warn({ server, address, seconds }, `${server} answers again`);
    },
  };
}

const ports: Readonly<Record<string, string>> = {
  'postgres:': '5432',
  'postgresql:': '5432',
  'redis:': '6379',
  'rediss:': '6379',
};

/** Host, port and database of a server's address, without user and password. */
export function addressOf(url: string): string {
  const { protocol, hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || ports[protocol] || '?'}${pathname === '/' ? '' : pathname}`;
}

/**
 * Describes why a server could not be reached, in a few words. A name with several addresses fails with an error for
 * each.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ');
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

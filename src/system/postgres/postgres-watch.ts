import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Log } from '#src/system/logging/log.ts';
import { addressOf, openOutage } from '#src/system/logging/outage.ts';
import { isConnectionLost, sqlState } from './postgres-errors.ts';

/** Counted in turns of a timer and not by a clock: a process that was stopped, or busy, has received nothing either. */
const TURN_MS = 250;
/** Turns that an answer may take before the server is checked whether it works on it. */
const PATIENT_TURNS = 8;
/** Longest wait for the server to say so, ms. */
const PROBE_MS = 2_500;
/**
 * Questions in a row that stay without an answer before the server is taken to hang: one alone may have been lost on its
 * way. Two are over 7.5 s after the statement began, so that a waiting caller gets the failure within ten.
 */
const SILENT_PROBES = 2;
/** Turns between two such questions of one connection. */
const AGAIN_TURNS = 4;
const RETRY_MS = 500;

/** A connection on which an answer is waited for. */
export interface Waiting {
  /** The server's process behind it; null where it is not known, as behind a pooler. */
  readonly pid: number | null;
  /** Gives the connection up: its pending statements fail with the error. */
  readonly cut: (error: Error) => void;
}

/**
 * Distinguishes a server that works from one that hangs. Nothing else does: a statement may take its time, and a
 * stopped server or a line that swallows everything keeps connections open. A slow statement is checked over another
 * connection; what the server does not know of, or all of it where it does not answer, is given up.
 */
export interface PostgresWatch extends Disposable {
  /** Follows an answer that is waited for, until the function that it gives is called. */
  readonly follow: (waiting: Waiting) => () => void;
  /** @throws PostgresSilent while the server is known to hang: asking would only wait. */
  readonly assertAnswers: () => void;
  /** Something failed: where that may be the server's end, it is polled until it answers. Says whether it is away. */
  readonly isUnavailable: (error: unknown) => Promise<boolean>;
  /** Fulfilled when the server is not known to be away, or with the signal. */
  readonly whenThere: (signal: AbortSignal) => Promise<void>;
}

/** Error of a statement to a server that hangs; `isConnectionLost` says yes to it. */
export class PostgresSilent extends Error {
  override readonly name = 'PostgresConnectionError';
}

interface Followed extends Waiting {
  turns: number;
  /** Number of checks in which the server did not know of it. */
  unknown: number;
}

export function watchPostgres(log: Log, url: string, isPooler = false): PostgresWatch {
  const outage = openOutage(log, 'Postgres', url);
  const followed = new Set<Followed>();
  const closed = new AbortController();
  let silent = false;
  let asking: Promise<void> | undefined;
  let first = Promise.withResolvers<void>();

  const givenUp = () =>
    new PostgresSilent(`the Postgres connection to ${addressOf(url)} was given up: no answer comes`);

  /** Polls until the server answers; in the meantime everything that waits for it is given up. */
  const ask = async () => {
    for (let unanswered = 0; ; ) {
      const late = [...followed].filter(({ turns }) => turns >= PATIENT_TURNS);
      try {
        const busy = await probe(
          url,
          late.flatMap(({ pid }) => pid ?? []),
        );
        silent = false;
        outage.back();
        if (!isPooler) giveUpUnknown(late, busy, givenUp);
        return;
      } catch (error) {
        if (closed.signal.aborted) return;
        const state = sqlState(error);
        // it answers, if only to say why not now
        if (state !== undefined && !isConnectionLost(error)) return;
        unanswered = state === undefined ? unanswered + 1 : 0;
        if (state !== undefined || unanswered >= SILENT_PROBES) {
          silent = state === undefined;
          outage.away(error);
          // one that has no place for another connection works on those that it has
          if (!isFull(state)) for (const { cut } of followed) cut(givenUp());
          first.resolve();
        }
      }
      await sleep(RETRY_MS, undefined, { signal: closed.signal, ref: false }).catch(() => {});
      if (closed.signal.aborted) return;
    }
  };
  const askOnce = () => {
    if (asking) return;
    first = Promise.withResolvers();
    asking = ask().finally(() => {
      asking = undefined;
      first.resolve();
    });
  };

  const timer = setInterval(() => {
    let late = false;
    for (const one of followed) {
      one.turns++;
      if (one.turns >= PATIENT_TURNS && (one.turns - PATIENT_TURNS) % AGAIN_TURNS === 0) late = true;
    }
    if (late) askOnce();
  }, TURN_MS).unref();

  return {
    follow: (waiting) => {
      const one: Followed = { ...waiting, turns: 0, unknown: 0 };
      followed.add(one);
      return () => void followed.delete(one);
    },
    assertAnswers: () => {
      if (silent) throw givenUp();
    },
    isUnavailable: async (error) => {
      if (closed.signal.aborted || !isConnectionLost(error)) return false;
      askOnce();
      await first.promise;
      return outage.isUnavailable();
    },
    whenThere: async (signal) => {
      const stopped = Promise.withResolvers<void>();
      const stop = () => stopped.resolve();
      signal.addEventListener('abort', stop, { once: true });
      if (!signal.aborted) await Promise.race([asking, stopped.promise]);
      signal.removeEventListener('abort', stop);
    },
    [Symbol.dispose]: () => {
      closed.abort();
      clearInterval(timer);
    },
  };
}

/** Class 53: too many connections, out of memory, disk full. */
const isFull = (state: string | undefined): boolean => state?.startsWith('53') ?? false;

/** Gives up the statements that the server twice did not know of: an answer may be on its way the first time. */
function giveUpUnknown(late: readonly Followed[], busy: ReadonlySet<number>, error: () => Error): void {
  for (const one of late) {
    one.unknown = one.pid === null || busy.has(one.pid) ? 0 : one.unknown + 1;
    if (one.unknown > 1) one.cut(error());
  }
}

/**
 * Finds which of the server's processes work on something. @throws what the connection fails with, after 2.5 seconds at
 * most.
 */
async function probe(url: string, pids: readonly number[]): Promise<ReadonlySet<number>> {
  const client = new Client({
    connectionString: url,
    application_name: 'proofline-watch',
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  });
  client.on('error', () => {});
  const { promise: expired, reject } = Promise.withResolvers<never>();
  // in turns, as above: after a pause of this process its own answer may wait to be read
  let turns = 0;
  const timer = setInterval(() => {
    turns++;
    if (turns * TURN_MS >= PROBE_MS) reject(new Error(`no answer within ${PROBE_MS / 1_000} s`));
  }, TURN_MS).unref();
  try {
    return await Promise.race([busyOf(client, pids), expired]);
  } finally {
    clearInterval(timer);
    // at once: a server that hangs would not take leave
    client.connection.stream.destroy();
  }
}

async function busyOf(client: Client, pids: readonly number[]): Promise<ReadonlySet<number>> {
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where pid = any($1::int[]) and state not like 'idle%'`,
    [pids],
  );
  return new Set(rows.map(({ pid }) => pid));
}

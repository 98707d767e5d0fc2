import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'slonik';
import { logFailure } from '#src/system/log-failure.ts';
import { perContext } from '#src/system/per-context.ts';
import { isConnectionLost, isTimeout } from '#src/system/postgres/postgres-errors.ts';

/** One call of a named capability, by a known caller. */
export interface Call {
  readonly owner: string;
  /** Null for a signed-in caller. */
  readonly keyId: string | null;
  readonly via: 'http' | 'mcp';
  /** `studio.brief`, or the name of a tool. */
  readonly capability: string;
  /** As HTTP has it. */
  readonly status: number;
  readonly durationMs: number;
  readonly requestId: string;
  readonly ip: string | null;
}

export interface CallLog {
  /** Never waits and never fails; what finds no place while Postgres is away is counted and forgotten. */
  readonly note: (call: Call) => void;
  /** Writes what was noted so far. */
  readonly flush: () => Promise<void>;
}

type Noted = Call & { readonly id: string; readonly at: string };

const flushMs = 1_000;
const most = 10_000;

/** Writes calls once a second, and when the context closes. */
export const callLog = perContext((context): CallLog => {
  const { db, metrics, onClose } = context;
  let waiting: Noted[] = [];
  let writing: Promise<void> | null = null;

  const drop = (count: number) => {
    if (count > 0) metrics.proofline_calls_dropped_total.inc(count);
  };

  const write = async (batch: readonly Noted[]) => {
    try {
      await db.query(insertion(batch));
    } catch (error) {
      void logFailure(context, error, { calls: batch.length }, 'calls were not written');
      // what the database does not take today it will not take tomorrow
      const kept = isTimeout(error) || isConnectionLost(error) ? [...batch, ...waiting] : waiting;
      drop(batch.length + waiting.length - Math.min(most, kept.length));
      waiting = kept.slice(0, most);
    }
  };

  const flush = async () => {
    while (writing) await writing;
    if (waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    writing = write(batch).finally(() => {
      writing = null;
    });
    await writing;
  };

  const timer = setInterval(() => {
    if (!writing) void flush();
  }, flushMs);
  timer.unref();
  onClose(async () => {
    clearInterval(timer);
    await flush();
  });

  return {
    note: (call) => {
      if (waiting.length < most) waiting.push({ ...call, id: randomUUIDv7(), at: new Date().toISOString() });
      else drop(1);
    },
    flush,
  };
});

function insertion(batch: readonly Noted[]) {
  const rows = batch.map((call) => [
    call.id,
    call.at,
    call.owner,
    call.keyId,
    call.via,
    call.capability,
    call.status,
    call.durationMs,
    call.requestId,
    call.ip,
  ]);
  const types = ['uuid', 'timestamptz', 'text', 'uuid', 'text', 'text', 'int2', 'int4', 'text', 'inet'];
  return sql.unsafe`
    insert into calls (id, at, owner, key_id, via, capability, status, duration_ms, request_id, ip)
    select * from ${sql.unnest(rows, types)}`;
}

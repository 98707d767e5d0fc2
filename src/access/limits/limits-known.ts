import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import Type from 'typebox';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import {
  type LimitedCaller,
  type LimitKind,
  type LimitScope,
  limitScopes,
  settingOf,
  subjectOf,
} from './limit-kinds.ts';
import { type LimitName, readLimits } from './limit-rows.ts';

/** Every process knows of a change within two of these. */
const REFRESH_MS = 800;

/** The limit that holds for a caller, and where it comes from. */
export interface HeldLimit {
  readonly most: number;
  /** `setting`: none is set for the caller. */
  readonly scope: LimitScope | 'setting';
}

export interface KnownLimits {
  /** The limit that holds for a caller now. Waits for the first read alone, and goes by the settings where that fails. */
  readonly of: (kind: LimitKind, caller: LimitedCaller) => Promise<HeldLimit>;
  /** Reads what has changed. @throws while Postgres is away */
  readonly refresh: () => Promise<void>;
}

const RevisionRow = row(Type.Object({ revision: Type.Integer() }));
const nameOf = ({ kind, scope, subject }: LimitName) => `${kind} ${scope} ${subject}`;

/** The limits of callers, as this process knows them. It asks the database every {@link REFRESH_MS} from the first use on. */
export const limitsOf = perContext((context: Context): KnownLimits => {
  const { config, db } = context;
  let known: { readonly revision: number; readonly limits: ReadonlyMap<string, number> } = {
    revision: 0,
    limits: new Map(),
  };
  const refresh = async () => {
    const revision = await db.oneFirst(sql.type(RevisionRow)`select revision::int8 as revision from limit_revision`);
    if (revision === known.revision) return;
    const rows = await readLimits(context);
    known = { revision, limits: new Map(rows.map((limit) => [nameOf(limit), limit.most])) };
  };
  const look = async () =>
    await refresh().catch((error: unknown) => logFailure(context, error, {}, 'the limits were not read'));

  const stop = new AbortController();
  const first = look();
  const looking = (async () => {
    await first;
    while (!stop.signal.aborted) {
      await sleep(REFRESH_MS, undefined, { signal: stop.signal, ref: false }).catch(() => {});
      if (!stop.signal.aborted) await look();
    }
  })();
  context.onClose(async () => {
    stop.abort();
    await looking;
  });

  return {
    of: async (kind, caller) => {
      if (known.revision === 0) await first;
      for (const scope of limitScopes) {
        const subject = subjectOf(scope, caller);
        const most = subject === undefined ? undefined : known.limits.get(nameOf({ kind, scope, subject }));
        if (most !== undefined) return { most, scope };
      }
      return { most: settingOf(config, kind, caller.tier), scope: 'setting' };
    },
    refresh,
  };
});

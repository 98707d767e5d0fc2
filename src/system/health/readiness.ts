import { sql } from 'slonik';
import type { Context } from '#src/system/context.ts';
import { mayEvict } from './eviction.ts';
import { readSchemaState, schemaFault } from './schema-state.ts';

const PATIENCE_MS = 2_000;

interface Check {
  /** Says what is wrong, or null; fails or hangs where the server does not answer. */
  readonly ask: (context: Context) => Promise<string | null>;
  /** Meaning of a server that does not answer; null where another check reports that. */
  readonly silence: string | null;
}

const checks = {
  Postgres: {
    ask: async ({ db }) => {
      await db.query(sql.unsafe`select 1`);
      return null;
    },
    silence: 'Postgres does not answer',
  },
  schema: { ask: async (context) => schemaFault(await readSchemaState(context)), silence: 'Postgres does not answer' },
  Redis: {
    ask: async ({ redis }) => {
      await redis.ping();
      return null;
    },
    silence: 'Redis does not answer',
  },
  eviction: { ask: async (context) => await mayEvict(context)(), silence: null },
} as const satisfies Record<string, Check>;

/** Servers without which a process cannot do its work. */
type Needed = keyof typeof checks;

/**
 * Says which of the servers that are needed does not answer, that the database is not migrated, or that Redis may lose
 * keys; null when all is well. Never waits longer than two seconds.
 */
export async function whyUnready(
  context: Context,
  needed: readonly Needed[] = ['Postgres', 'schema', 'Redis', 'eviction'],
): Promise<string | null> {
  const answers = await Promise.all(needed.map(async (name) => await inTime(context, checks[name])));
  return answers.find((answer) => answer !== null) ?? null;
}

async function inTime(context: Context, { ask, silence }: Check): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const timer = setTimeout(() => resolve(silence), PATIENCE_MS);
  ask(context).then(resolve, () => resolve(silence));
  return await promise.finally(() => clearTimeout(timer));
}

import { sql } from 'slonik';
import type { Context } from './context.ts';

const PATIENCE_MS = 2_000;

type Servers = Pick<Context, 'db' | 'redis'>;

const checks = {
  Postgres: async ({ db }: Servers) => await db.query(sql.unsafe`select 1`),
  Redis: async ({ redis }: Servers) => await redis.ping(),
} as const;

/** What a process cannot do its work without. */
type Needed = keyof typeof checks;

/** Which of the servers that are needed does not answer, in a few words; null when all do. Never waits longer than two seconds. */
export async function whyUnready(
  servers: Servers,
  needed: readonly Needed[] = ['Postgres', 'Redis'],
): Promise<string | null> {
  const answers = await Promise.all(
    needed.map(async (name) => ((await answersInTime(() => checks[name](servers))) ? null : `${name} does not answer`)),
  );
  return answers.find((answer) => answer !== null) ?? null;
}

async function answersInTime(ask: () => Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), PATIENCE_MS);
  ask().then(
    () => resolve(true),
    () => resolve(false),
  );
  return await promise.finally(() => clearTimeout(timer));
}

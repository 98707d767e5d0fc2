import { sql } from 'slonik';
import type { Context } from './context.ts';

const PATIENCE_MS = 2_000;

/** Why this process cannot serve now, in a few words; null when it can. Never waits longer than two seconds. */
export async function whyUnready({ db, redis }: Pick<Context, 'db' | 'redis'>): Promise<string | null> {
  const checks = [
    ['Postgres', () => db.query(sql.unsafe`select 1`)],
    ['Redis', () => redis.ping()],
  ] as const;
  const answers = await Promise.all(
    checks.map(async ([name, ask]) => ((await answersInTime(ask)) ? null : `${name} does not answer`)),
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

import { sql } from 'slonik';
import type { EffectOwner } from '#src/jobs/effects/intents.ts';
import type { Context } from '#src/system/context.ts';

/**
 * Takes the suspicion from a job that runs in a process for suspects and has shown there that it does not end it: once
 * it goes back to its queue it runs among others again. For jobs that wait for others, which may be suspects themselves
 * and wait for that very process. If the process ends before that, the job is a suspect again.
 *
 * @returns whether it was a suspect
 */
export async function clearSuspicion({ db }: Pick<Context, 'db'>, { id, attempt }: EffectOwner): Promise<boolean> {
  const { rowCount } = await db.query(sql.unsafe`
    update jobs set suspect = false where id = ${id} and attempt = ${attempt} and state = 'running' and suspect`);
  return rowCount > 0;
}

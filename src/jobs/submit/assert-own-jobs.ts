import { sql } from 'slonik';
import Type from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { NewJob } from './new-job.ts';

const idRow = row(Type.Object({ id: Type.String() }));

/**
 * Checks that the jobs which another is to wait for are there, and its owner's.
 *
 * @throws AppError `not_found` naming the first that is not, as if it did not exist
 */
export async function assertOwnJobs(
  { db }: Pick<Context, 'db'>,
  { owner, dependsOn }: Pick<NewJob, 'owner' | 'dependsOn'>,
): Promise<void> {
  if (!dependsOn) return;
  const found = new Set(
    await db.anyFirst(sql.type(idRow)`
      select id from jobs where id = any(${sql.array([...dependsOn.jobs], 'uuid')}) and owner = ${owner}`),
  );
  const missing = dependsOn.jobs.find((id) => !found.has(id.toLowerCase()));
  if (missing === undefined) return;
  throw new AppError(
    'not_found',
    `body.depends_on: expected ids of jobs of yours, got ${missing}, which is not there.`,
    {
      field: 'body.depends_on',
      job: missing,
    },
  );
}

import { sql } from 'slonik';
import Type from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import { parseJson } from '#src/lib/text/parse-json.ts';
import { effectNames } from '#src/providers/calls/paying-effects.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const effectRow = row(Type.Object({ externalId: Type.Union([Type.String(), Type.Null()]) }));
const keptRow = row(Type.Object({ job: Type.String() }));

/**
 * Stores a provider's report on a job's task: the provider's name of it, and its status. The rest is read from the
 * provider itself.
 *
 * @throws AppError `malformed_body`, `not_found` where no such call was made, `state_conflict` for another task than
 *   this job's
 */
export async function keepMessage(
  { db }: Context,
  { id: provider, style }: Provider,
  job: string,
  body: Buffer,
): Promise<void> {
  const { task, status } = readMessage(body, style === 'fal-style' ? 'request_id' : 'id');
  const known = await db.maybeOne(sql.type(effectRow)`
    select external_id as "externalId" from effects where job = ${job} and effect = ${effectNames.submission(provider)}`);
  if (!known)
    throw new AppError('not_found', 'expected a message of a call that was made, got one of another.', { job });
  const isKnown = known.externalId === task;
  const isStored =
    (known.externalId === null || isKnown) &&
    (await db.maybeOne(sql.type(keptRow)`
      insert into provider_messages as m (job, provider, body)
      values (${job}, ${provider}, ${JSON.stringify({ id: task, status })}::jsonb)
      on conflict (job, provider) do update set body = excluded.body
        where m.body ->> 'id' = ${task} or ${isKnown}
      returning job`));
  if (!isStored)
    throw new AppError('state_conflict', `expected a message of this job's own task, got one of ${task}.`, { job });
}

function readMessage(body: Buffer, name: string): { task: string; status: string } {
  const message = parsed(body);
  const task = message?.[name];
  if (typeof task !== 'string' || !/^[\w-]{1,200}$/.test(task)) {
    throw new AppError('malformed_body', `expected a JSON object with the name of a task in ${name}, got another.`);
  }
  const status = message?.['status'];
  return { task, status: typeof status === 'string' && /^\w{1,40}$/.test(status) ? status : 'unknown' };
}

function parsed(body: Buffer): Readonly<Record<string, unknown>> | null {
  const value = parseJson(body.toString('utf8'));
  return typeof value === 'object' ? (value as Readonly<Record<string, unknown>> | null) : null;
}

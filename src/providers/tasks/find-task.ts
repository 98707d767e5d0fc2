import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import Type from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import type { ProviderCall } from '#src/providers/catalogue/adapter.ts';
import { callTimeoutMs } from '#src/providers/catalogue/catalogue.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { jobOf, webhookAddress } from './webhook-address.ts';

const taskRow = row(Type.Object({ task: Type.String() }));
const LOOK_MS = 500;

/**
 * Finds the task that an earlier try submitted, as the provider has reported it by webhook; waits for as long as a call
 * of it may take. Null where a second submission is the same task (an idempotent provider).
 *
 * @throws AppError `outcome_unknown` where no report came: it may have been submitted all the same, and a second one
 *   would be paid for twice
 */
export async function findTask(call: ProviderCall): Promise<string | null> {
  const { provider, signal } = call;
  if (provider.idempotent) return null;
  const until = performance.now() + (webhookAddress(call) === null ? 0 : callTimeoutMs(provider));
  for (;;) {
    const task = await readTask(call);
    if (task !== null) return task;
    if (performance.now() >= until) break;
    await sleep(LOOK_MS, undefined, { signal });
  }
  throw new AppError(
    'outcome_unknown',
    `Whether ${provider.id} has taken this task is not known, and it has not reported it; it was not submitted again. Look there, then redrive the job.`,
    { provider: provider.id },
  );
}

async function readTask(call: ProviderCall): Promise<string | null> {
  const found = await call.context.db.maybeOne(sql.type(taskRow)`
    select body ->> 'id' as task from provider_messages
    where job = ${jobOf(call)} and provider = ${call.provider.id} and body ->> 'id' is not null`);
  return found?.task ?? null;
}

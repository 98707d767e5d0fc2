import { hash } from 'node:crypto';
import { sql } from 'slonik';
import Type from 'typebox';
import type { QueueContract } from '#queues/define.ts';
import type { Unique } from '#queues/unique.ts';
import { openBroker } from '#src/jobs/broker/broker.ts';
import { type Job, jobColumns, jobRow } from '#src/jobs/model/job.ts';
import { canonicalText, isCanonical } from '#src/lib/crypto/canonical-json.ts';
import { AppError } from '#src/lib/errors.ts';
import { atPointer } from '#src/lib/json-pointer.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { isUniqueViolation } from '#src/system/postgres/postgres-errors.ts';
import { assertKeyText } from './key-text.ts';
import type { NewJob, Submitted } from './new-job.ts';

const LONGEST_KEY = 255;
/** Idempotency keys of a job that are remembered beside its own: those of the requests that it was replaced by before. */
const MOST_FORMER_KEYS = 1_000;

/** Checks whether a submission only answers or changes the job that holds its unique key, so that none is added. */
export async function onlyMeets(
  { db }: Pick<Context, 'db'>,
  queue: Pick<QueueContract, 'name' | 'unique'>,
  owner: string,
  asked: Unique | undefined,
  payload: () => Promise<unknown>,
): Promise<boolean> {
  if (!asked && !queue.unique) return false;
  const unique = uniqueOf(queue, asked, asked ? null : await payload());
  if (!unique || unique.conflict === 'refuse') return false;
  const held = sql.type(row(Type.Object({ held: Type.Boolean() })))`
    select exists (select from jobs j where j.owner = ${owner} and j.queue = ${queue.name} and j.unique_key = ${unique.key}) as held`;
  return (await db.one(held)).held;
}

/** The key of a submission: its own, else the one that its contract makes of the payload; null for none. */
export function uniqueOf(
  { name, unique: terms }: Pick<QueueContract, 'name' | 'unique'>,
  asked: Unique | undefined,
  payload: unknown,
): Unique | null {
  if (asked) {
    assertKeyText('unique.key', asked.key, LONGEST_KEY);
    return asked;
  }
  if (!terms) return null;
  const values = terms.key.map((pointer) => atPointer(payload, pointer) ?? null);
  if (!isCanonical(values))
    throw new AppError(
      'invalid_payload',
      `The payload of ${name} has no unique key: expected values at ${terms.key.join(', ')} that can be compared, without lone surrogates.`,
      { path: terms.key[0] },
    );
  const text = canonicalText(values);
  return { ...terms, key: text.length > LONGEST_KEY || text.includes('\\u0000') ? hash('sha256', text, 'hex') : text };
}

/**
 * Meets the job that holds the key of one that is being submitted: answers it, or it with the new payload. Null: it has
 * given up the key meanwhile, or is about to, so that the submit can be tried again.
 *
 * @throws AppError `unique_conflict` where the submission refuses that, or the job cannot be replaced
 */
export async function meetHolder(context: Context, holder: Job, wanted: NewJob): Promise<Submitted | null> {
  if (wanted.unique?.conflict === 'return') return { job: holder, created: false };
  if (wanted.unique?.conflict !== 'replace') throw conflict(holder, wanted, 'holds it');
  if (wanted.termsText !== null || wanted.dependsOn !== null)
    throw conflict(holder, wanted, 'is replaced by no job that waits for a decision, for money or for other jobs');
  const replaced = await replace(context, holder.id, wanted);
  if (replaced) return { job: replaced, created: false };
  const now = await context.db.maybeOne(sql.type(holderRow)`
    select j.terms is not null as "hasTerms", j.state, j.attempt > 0 as "hasBegun" from jobs j
    where j.id = ${holder.id} and j.unique_key = ${wanted.unique.key} and not (j.state = 'queued' and j.attempt = 0 and j.terms is null)`);
  if (!now) return null;
  throw conflict(
    holder,
    wanted,
    now.hasTerms
      ? 'waits for a decision or for money, which another payload would need anew'
      : `is ${now.state}${now.hasBegun && now.state === 'queued' ? ' and has begun before' : ''}`,
  );
}

const holderRow = row(Type.Object({ hasTerms: Type.Boolean(), state: Type.String(), hasBegun: Type.Boolean() }));

function conflict(holder: Job, { unique, queue }: NewJob, why: string): AppError {
  return new AppError(
    'unique_conflict',
    `The unique key ${JSON.stringify(unique?.key)} of ${queue} is taken: the job ${holder.id} ${why}. Wait for its end, or submit under another key.`,
    { job: holder.id },
  );
}

/**
 * Gives a job that has not begun the payload, times and words of another. Its id stays; a new dispatch leaves what the
 * broker has of it void. Null where it does not wait in its queue under that key.
 */
async function replace(context: Context, id: string, wanted: NewJob): Promise<Job | null> {
  const changed = await context.db
    .maybeOne(sql.type(jobRow)`
      with locked as materialized (
        select id, owner, idempotency_key, request_hash from jobs where id = ${id} for update
      ), changed as (
        update jobs j set payload = ${wanted.payloadText}::jsonb, payload_content = ${contentText(wanted)}::jsonb,
          version = ${wanted.version}, priority = ${wanted.priority}, expires_at = ${wanted.expiresAt}::timestamptz,
          run_at = greatest(${wanted.runAt}::timestamptz, now()), queued_at = now(),
          feed = case when ${wanted.runAt}::timestamptz > now() + interval '5 seconds' then 'later' else 'fed' end,
          contract = ${wanted.contract?.digest ?? null}, key_id = ${wanted.keyId}, group_key = ${wanted.group},
          metadata = ${wanted.metadataText}::jsonb, receipt = ${wanted.receipt}, trace = ${wanted.trace},
          unique_while = ${wanted.unique?.while ?? null}, dispatch = j.dispatch + 1, events = j.events + 1,
          -- a repetition of the request that is now meant is answered with this job; else of the one that made it
          idempotency_key = coalesce(${wanted.idempotencyKey}, j.idempotency_key),
          request_hash = case when ${wanted.idempotencyKey}::text is null then j.request_hash else decode(${wanted.requestHash}, 'hex') end
        from locked l
        where j.id = l.id and j.unique_key = ${wanted.unique?.key ?? null} and j.state = 'queued' and j.attempt = 0 and j.terms is null
        returning j.*
      ), told as (
        insert into events (job, n, type, data)
        select id, events, 'replaced', jsonb_build_object('run_at', to_char(run_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        from changed
      ), remembered as (
        insert into former_keys (owner, key, job, request_hash)
        select l.owner, l.idempotency_key, l.id, l.request_hash from locked l join changed c on c.id = l.id
        where l.idempotency_key <> c.idempotency_key
        on conflict do nothing
      ), forgotten as (
        delete from former_keys f using (
          select k.owner, k.key from former_keys k where k.job = ${id} order by k.at desc offset ${MOST_FORMER_KEYS - 1}
        ) old where f.owner = old.owner and f.key = old.key
      ), freed as (
        update job_contents set look_at = now() where job = ${id} and exists (select from changed)
      ), moved as (
        update job_contents set job = ${id} where job = ${wanted.id} and exists (select from changed)
      )
      select ${jobColumns} from changed j`)
    .catch((error: unknown) => {
      // its idempotency key was used meanwhile: the next try finds that job
      if (isUniqueViolation(error)) return null;
      throw error;
    });
  if (!changed) return null;
  // the entry of before carries the dispatch of before, which no claim takes
  if (!changed.held) openBroker(context).add(changed);
  return changed;
}

const contentText = ({ payloadContent }: NewJob) => payloadContent && JSON.stringify(payloadContent);

import { sql } from 'slonik';
import Type from 'typebox';
import { readEvents } from '#src/jobs/ledger/ledger.ts';
import type { JobEvent } from '#src/jobs/model/channels.ts';
import { saltedHash } from '#src/receipts/format/salted.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Entries that a receipt lists one by one; its chain covers all. */
const MOST_LISTED = 1_000;

/** Everything of one kind that a job did: the first of it, how much there was, and a chain over all of it. */
export interface Chained<T> {
  readonly listed: readonly T[];
  readonly count: number;
  /** Hash of the last entry; null where there is none. */
  readonly head: string | null;
}

/**
 * Chains all events of a job's ledger. The hash of each is the salted hash of `{n, type, at, data, prev}`, where `prev`
 * is the hash before it, and null for the first. Of `succeeded` it covers no data: the result has a hash of its own.
 */
export async function chainLedger(context: Context, job: string, salt: Uint8Array): Promise<Chained<JobEvent>> {
  const chain = openChain<JobEvent>(salt);
  for (let after = 0, page: readonly JobEvent[] = []; ; after = page.at(-1)?.n ?? after) {
    page = await readEvents(context, job, after, MOST_LISTED);
    for (const event of page) chain.add(event.type === 'succeeded' ? { ...event, data: {} } : event);
    if (page.length < MOST_LISTED) return chain.end();
  }
}

const EffectEntry = Type.Object({
  effect: Type.String(),
  state: Type.String(),
  requestHash: Type.String(),
  at: Type.Unsafe<Date>({}),
});
type EffectEntry = Type.Static<typeof EffectEntry>;

/**
 * Chains all effects of a job in the order in which they were meant. The hash of each is the salted hash of
 * `{effect, state, requestHash, at, prev}`.
 */
export async function chainEffects({ db }: Context, job: string, salt: Uint8Array): Promise<Chained<EffectEntry>> {
  // as many as a job may have steps
  const effects = await db.any(sql.type(row(EffectEntry))`
    select effect, state, encode(request_hash, 'hex') as "requestHash", coalesce(decided_at, intended_at) as at
    from effects where job = ${job} order by intended_at, effect`);
  const chain = openChain<EffectEntry>(salt);
  for (const effect of effects) chain.add(effect);
  return chain.end();
}

function openChain<T extends object>(salt: Uint8Array) {
  const listed: T[] = [];
  let count = 0;
  let head: string | null = null;
  return {
    add: (entry: T) => {
      // times as texts: the form in which a reader has them
      const plain = JSON.parse(JSON.stringify(entry)) as object;
      head = saltedHash({ ...plain, prev: head }, salt);
      if (count++ < MOST_LISTED) listed.push(entry);
    },
    end: (): Chained<T> => ({ listed, count, head }),
  };
}

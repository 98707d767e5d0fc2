import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import Type from 'typebox';
import { expireApprovals } from '#src/governance/approvals/expire-approvals.ts';
import type { Gate } from '#src/jobs/model/gates.ts';
import type { Job } from '#src/jobs/model/job.ts';
import type { Context } from '#src/system/context.ts';
import { leadByLock } from '#src/system/leader.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { askApprovals } from './ask-approval.ts';
import { endUndecided } from './end-undecided.ts';
import { reserveBudgets } from './reserve-budget.ts';
import { settleBudget } from './settle-budget.ts';
import { withdrawApproval } from './withdraw-approval.ts';

const LOOK_MS = 500;
const PAGE = 200;

type Step = (context: Context, ids: readonly string[]) => Promise<void>;

/** Each next step of jobs under terms; one whose decision is asked for waits for a person, unless it has ended. */
const steps: Readonly<Partial<Record<Gate, Step>>> = {
  ask: askApprovals,
  asked: oneByOne(withdrawApproval),
  reserve: reserveBudgets,
  reserved: oneByOne(settleBudget),
  end: oneByOne(endUndecided),
};

function oneByOne(step: (context: Context, id: string) => Promise<void>): Step {
  return async (context, ids) => {
    for (const id of ids) await step(context, id);
  };
}

const Found = Type.Object({ id: Type.String(), gate: Type.Unsafe<Gate>({}) });

/** Does the next step of a job that was just submitted, so that its answer names a decision that can be looked at. */
export async function governSubmitted(context: Context, { id, gate }: Pick<Job, 'id' | 'gate'>): Promise<void> {
  if (gate !== 'ask' && gate !== 'reserve') return;
  // it is stored by now: what fails here is done by the loop
  await steps[gate]?.(context, [id]).catch(
    async (error: unknown) => await logFailure(context, error, { job: id }, 'a job under terms waits; it comes again'),
  );
}

/**
 * Starts what jobs under terms wait for, in one process at a time: asks for decisions, reserves and settles money, ends
 * what waits for a decision that does not come.
 */
export function startGoverningJobs(context: Context): AsyncDisposable {
  return leadByLock(context, 'governing-jobs', async (signal) => {
    let after = first;
    while (!signal.aborted) {
      after = await governJobs(context, after);
      const more = after !== first;
      await expireApprovals(context);
      if (!more) await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
    }
  });
}

/** The id before every other. */
const first = '00000000-0000-0000-0000-000000000000';

/**
 * Does the next step of the jobs that wait for one, at most a page of those behind an id: what cannot be done now holds up
 * none of the others. Answers the id behind which the next page begins.
 */
async function governJobs(context: Context, after: string): Promise<string> {
  const found = await context.db.any(sql.type(row(Found))`
    (select id, gate from jobs where gate in ('ask', 'reserve', 'end') and id > ${after}::uuid
        and (gate <> 'reserve' or state <> 'awaiting_approval')
      order by id limit ${PAGE})
    union all
    (select id, gate from jobs where gate in ('asked', 'reserved') and finished_at is not null and id > ${after}::uuid
      order by id limit ${PAGE})`);
  for (const [gate, own] of Map.groupBy(found, (one) => one.gate)) {
    const step = steps[gate];
    if (step)
      await moveAll(
        context,
        step,
        own.map(({ id }) => id),
      );
  }
  const ids = found.map(({ id }) => id).toSorted();
  // of two full pages the shorter one says how far all of it was seen
  return ids.length < PAGE ? first : (ids[PAGE - 1] ?? first);
}

/** Moves jobs together; where that fails each alone, so that one that cannot be moved holds up no other. */
async function moveAll(context: Context, step: Step, ids: readonly string[]): Promise<void> {
  try {
    await step(context, ids);
  } catch (error) {
    if (ids.length > 1) for (const id of ids) await moveAll(context, step, [id]);
    else await logFailure(context, error, { jobs: ids }, 'a job under terms could not be moved; it is tried again');
  }
}

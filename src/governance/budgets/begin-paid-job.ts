import { publishTold, type Told } from '#src/governance/owners/owner-log.ts';
import { assertNotPaused } from '#src/jobs/broker/queue-pauses.ts';
import { plainArray, textArray } from '#src/lib/array-literal.ts';
import { AppError } from '#src/lib/errors.ts';
import { batched } from '#src/system/batched.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { openStatements } from '#src/system/statements.ts';
import { beginPaidJobs, findPaidJobs } from './begin-statement.ts';
import { type Budget, refuseSpend } from './budget-rows.ts';
import { type Call, openBudget } from './budgets.ts';
import { countRefusal } from './count-refusal.ts';
import { monthlyBudgets } from './monthly-budgets.ts';

/** A job that begins to run in the moment it is made, with the first call that it makes. */
export interface PaidJob {
  readonly id: string;
  readonly queue: string;
  readonly priority: number;
  /** JSON. */
  readonly payload: string;
  /** Hexadecimal SHA-256 of the request. */
  readonly requestHash: string;
  readonly idempotencyKey: string | null;
  readonly trace: string | null;
  /** The worker that runs it, whose lease is held here, and the token of its claim. */
  readonly worker: string;
  readonly token: string;
  /** Name of the effect by which it calls, and the hexadecimal SHA-256 of what it sends. */
  readonly effect: string;
  readonly effectHash: string;
  readonly call: Omit<Call, 'job'>;
}

/** `taken`: its owner has used the idempotency key before, and nothing was made. */
export type Begun = 'begun' | 'taken';

/** A job with all budgets that its call is reserved under. */
interface Beginning {
  readonly job: PaidJob;
  readonly budgets: readonly string[];
}

type Answer = Begun | 'paused' | 'not alive' | AppError;

type Row = readonly [
  place: number,
  fits: boolean,
  isAlive: boolean,
  isPaused: boolean,
  /** Number and time of its owner's event; no number of a job that did not begin. */
  n: number | null,
  at: Date | null,
  /** Budgets of the whole batch as they were before it, with the first place. */
  budgets: readonly Budget[] | null,
  epoch: string | null,
];

/** Most jobs of one statement: more would not make it cheaper. */
const MOST = 64;

/** Ceilings of the budgets that this process has opened; more than these are opened again. */
const opened = perContext(() => new Map<string, number | null>());
const MOST_OPENED = 10_000;

/**
 * Begins a job and reserves its first call.
 *
 * @throws AppError `budget_exceeded` with the numbers, `invalid_payload` for a key that cannot be stored, `unavailable`
 *   where the queue is paused, this process has lost its lease or Postgres is away.
 */
export async function beginPaid(context: Context, job: PaidJob): Promise<Begun> {
  const beginning = { job, budgets: await openAll(context, job.call) };
  for (;;) {
    const answer = await beginTogether(context)(beginning);
    if (answer instanceof AppError) throw countRefusal(context, answer);
    if (answer === 'not alive')
      throw new AppError('unavailable', 'This process cannot begin work for the moment; try again.');
    if (answer !== 'paused') return answer;
    await assertNotPaused(context, job.queue);
  }
}

/** Begins the jobs of one moment together. */
const beginTogether = perContext((context) =>
  batched<Beginning, Answer>(context, {
    patienceMs: 3_000,
    size: MOST,
    width: 1,
    refuse: ({ job: { id } }, cause) =>
      new AppError(
        'invalid_payload',
        'The request or its key holds a value that cannot be stored: expected text without \\u0000 and lone surrogates.',
        { job: id },
        cause,
      ),
    run: async (beginnings, again) => await begin(context, beginnings, again),
  }),
);

async function begin(context: Context, beginnings: readonly Beginning[], again: boolean): Promise<readonly Answer[]> {
  const answers = new Map<Beginning, Answer>();
  if (again) for (const one of await findBegun(context, beginnings)) answers.set(one, 'begun');
  // the first of those that are left is always decided, by the budgets as they are
  for (let left = beginnings; left.length > 0; ) {
    left = left.filter((one) => !answers.has(one));
    if (left.length > 0) for (const [one, answer] of await write(context, left)) answers.set(one, answer);
  }
  return beginnings.map((one) => answers.get(one) ?? 'taken');
}

async function findBegun(context: Context, beginnings: readonly Beginning[]): Promise<readonly Beginning[]> {
  const found = await openStatements(context)<readonly [id: string]>(findPaidJobs, [
    plainArray(beginnings.map(({ job }) => job.id)),
    plainArray(beginnings.map(({ job }) => job.token)),
  ]);
  const ids = new Set(found.map(([id]) => id));
  return beginnings.filter(({ job }) => ids.has(job.id));
}

/** Begins what fits. Answers for all of them but those that fit into what the others have left after all. */
async function write(
  context: Context,
  beginnings: readonly Beginning[],
): Promise<readonly (readonly [Beginning, Answer])[]> {
  const rows = await openStatements(context)<Row>(beginPaidJobs, valuesOf(beginnings));
  const budgets = new Map(rows.flatMap(([, , , , , , found]) => (found ?? []).map((one) => [one.id, one] as const)));
  const told: Told[] = [];
  const answers = new Map<Beginning, Answer>();
  for (const [place, fits, isAlive, isPaused, n, at] of rows) {
    const one = beginnings[place - 1]!;
    const { call } = one.job;
    if (n !== null && at !== null) {
      told.push({ owner: call.owner, event: { n, type: 'spend.reserved', at, data: reservedData(one) } });
      for (const id of one.budgets) take(budgets, id, call.quoted);
      answers.set(one, 'begun');
    } else if (!isAlive) answers.set(one, 'not alive');
    else if (isPaused) answers.set(one, 'paused');
    else if (fits) answers.set(one, 'taken');
  }
  void publishTold(
    context,
    told.toSorted((a, b) => a.event.n - b.event.n),
    rows[0]?.[7] ?? null,
  );
  for (const one of beginnings) {
    const refused = answers.has(one) ? null : refusalOf(one, [...budgets.values()]);
    if (refused) answers.set(one, refused);
  }
  return [...answers];
}

function take(budgets: Map<string, Budget>, id: string, quoted: number): void {
  const budget = budgets.get(id);
  if (budget) budgets.set(id, { ...budget, reserved: budget.reserved + quoted });
}

/** The refusal of a job by the budgets as they are after its batch; null where it fits now. */
function refusalOf({ job, budgets: wanted }: Beginning, budgets: readonly Budget[]): AppError | null {
  try {
    refuseSpend(budgets, wanted, job.call.quoted);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function reservedData({ job: { id, call } }: Beginning) {
  const { provider, surface, capability, quoted } = call;
  return { job: id, provider, surface, capability, usd: quoted / 1e6 };
}

function valuesOf(beginnings: readonly Beginning[]): unknown[] {
  const plain = (pick: (job: PaidJob) => string | number | null) => plainArray(beginnings.map(({ job }) => pick(job)));
  const text = (pick: (job: PaidJob) => string | null) => textArray(beginnings.map(({ job }) => pick(job)));
  const wanted = new Map<string, number>();
  const uptos = beginnings.map(({ job, budgets }) =>
    plainArray(
      budgets.map((id) => {
        const upto = (wanted.get(id) ?? 0) + job.call.quoted;
        wanted.set(id, upto);
        return upto;
      }),
    ),
  );
  return [
    plain(({ id }) => id),
    text(({ call }) => call.owner),
    text(({ queue }) => queue),
    plain(({ priority }) => priority),
    text(({ payload }) => payload),
    text(({ requestHash }) => requestHash),
    text(({ idempotencyKey }) => idempotencyKey),
    text(({ trace }) => trace),
    plain(({ worker }) => worker),
    plain(({ token }) => token),
    text(({ effect }) => effect),
    text(({ effectHash }) => effectHash),
    text(({ call }) => call.provider),
    plain(({ call }) => call.keyId),
    text(({ call }) => call.surface),
    text(({ call }) => call.capability),
    textArray(beginnings.map(({ budgets }) => textArray(budgets))),
    textArray(uptos),
    plain(({ call }) => call.quoted),
    textArray(beginnings.map((one) => JSON.stringify(reservedData(one)))),
    textArray([...wanted.keys()]),
  ];
}

async function openAll(context: Context, call: Omit<Call, 'job'>): Promise<readonly string[]> {
  const known = opened(context);
  const monthly = monthlyBudgets(context.config, call, new Date());
  for (const { id, ceiling } of monthly) {
    if (known.get(id) === ceiling && known.has(id)) continue;
    await openBudget(context.db, id, ceiling);
    if (known.size >= MOST_OPENED) known.clear();
    known.set(id, ceiling);
  }
  return [...new Set([...call.budgets, ...monthly.map(({ id }) => id)])];
}

import { publishTold, type Told } from '#src/governance/owners/owner-log.ts';
import { plainArray, textArray } from '#src/lib/array-literal.ts';
import { AppError } from '#src/lib/errors.ts';
import { batched } from '#src/system/batched.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { openStatements, type Statement } from '#src/system/statements.ts';
import type { Budget } from './budget-rows.ts';

/** Cost of a call. */
export interface Payment {
  readonly job: string;
  readonly provider: string;
  /** Millionths of a dollar. */
  readonly cost: number;
  /** The provider's own name of it; null keeps the one that is known. */
  readonly externalId: string | null;
}

/** A call before its settlement, and the budgets of all that were settled with it as they are now. */
interface Paid {
  readonly call: {
    readonly owner: string;
    readonly surface: string;
    readonly capability: string;
    readonly budgets: readonly string[];
    readonly quoted: number;
    readonly paid: number | null;
    readonly state: string;
    /** True where its provider had reported its cost before, and nothing was changed. */
    readonly isPaid: boolean;
  };
  readonly budgets: readonly Budget[];
}

type Row = readonly [
  job: string,
  provider: string,
  call: Paid['call'],
  n: number | null,
  at: Date | null,
  budgets: readonly Budget[] | null,
  epoch: string | null,
];

/**
 * Steps of a statement that settle calls: `given` is its table of them (`job`, `provider`, `cost`, `external_id`), in
 * order of job and provider. So that budgets and the owner's stream, which all calls of an owner share, are locked for
 * one commit and not for a conversation. What a provider says replaces what an operator or the rule had decided in its
 * place, so that no call is ever paid twice. Locks in the order of `reserve`: calls, budgets by id, the owner's stream
 * last. Leaves `call`, and of those that were not paid before `fresh`, `feeds`, `next` and `noted`.
 */
export const settlingCalls = (given: string): string => `
    call as materialized (
      select g.*, c.owner, c.surface, c.capability, c.budgets, c.quoted, c.held, c.paid, c.state,
        c.state = 'settled' and c.decided_by is null as "isPaid"
      from ${given} g cross join lateral (
        select owner, surface, capability, budgets, quoted, coalesce(held, quoted) as held, cost as paid, state, decided_by
        from provider_calls c where c.job = g.job and c.provider = g.provider for update
      ) c
    ), sums as materialized (
      select b as id, sum(case when state in ('reserved', 'unknown') then held else 0 end) as freed,
        sum(case when "isPaid" then 0 when state = 'settled' then cost - paid else cost end) as spent
      from call cross join lateral unnest(budgets) b group by b order by b
    ), locked as materialized (
      select s.* from sums s cross join lateral (select from budgets b where b.id = s.id for update) held
    ), moved as (
      update budgets b set reserved = b.reserved - l.freed, spent = b.spent + l.spent, updated_at = now()
      from locked l where b.id = l.id returning b.id, b.ceiling, b.reserved, b.spent
    ), ended as (
      update provider_calls p set state = 'settled', reason = null, held = null, cost = c.cost, ended_at = now(),
        external_id = coalesce(c.external_id, p.external_id), decided_by = null, decided_why = null
      from call c where p.job = c.job and p.provider = c.provider and not c."isPaid"
    ), fresh as materialized (
      select *, row_number() over (partition by owner order by job, provider) as nth from call where not "isPaid"
    ), feeds as materialized (
      select owner, count(*)::int as many from fresh group by owner order by owner
    ), next as (
      insert into owner_feeds as f (owner, n)
      select owner, many from feeds where (select count(*) from moved) >= 0
      on conflict (owner) do update set n = f.n + excluded.n returning owner, n
    ), noted as (
      insert into owner_events (owner, n, type, data)
      select owner, next.n - many + nth, 'spend.settled', jsonb_build_object('job', job, 'provider', provider,
        'surface', surface, 'capability', capability, 'usd', cost::float8 / 1e6, 'quotedUsd', quoted::float8 / 1e6)
        || case when state = 'settled' then jsonb_build_object('insteadOfUsd', paid::float8 / 1e6) else '{}' end
      from fresh join feeds using (owner) join next using (owner)
      returning at
    )`;

/** Number and time of the event of a call `c`; null of one that was paid before. */
export const numberOfCall = `(select (next.n - feeds.many + fresh.nth)::int4 from fresh join feeds using (owner) join next using (owner)
      where fresh.job = c.job and fresh.provider = c.provider), (select max(at) from noted)`;

const settleCalls: Statement = {
  name: 'settle-calls',
  text: `
    with given as materialized (
      select * from unnest($1::uuid[], $2::text[], $3::int8[], $4::text[]) as g (job, provider, cost, external_id)
      order by job, provider
    ), ${settlingCalls('given')}
    select c.job, c.provider, to_json(c), ${numberOfCall}, (select json_agg(m) from moved m where m.id = any(c.budgets)),
      (select epoch from relay)
    from call c`,
};

/** Most calls of one statement: more would not make it cheaper. */
export const MOST_SETTLED = 64;

/** Settles calls, those of one moment together. Null for a call that was never reserved. */
export const settleCall = perContext((context): ((payment: Payment) => Promise<Paid | null>) => {
  return batched<Payment, Paid | null>(context, {
    patienceMs: context.config.LEASE_MS * 4,
    size: MOST_SETTLED,
    width: 1,
    refuse: ({ job, provider }, cause) =>
      new AppError(
        'invalid_result',
        'The name that a provider gave to a call cannot be stored.',
        { job, provider },
        cause,
      ),
    run: async (payments) => await settle(context, payments),
  });
});

async function settle(context: Context, payments: readonly Payment[]): Promise<readonly (Paid | null)[]> {
  const first = new Map(payments.toReversed().map((one) => [nameOf(one), one]));
  const now = await write(context, [...first.values()]);
  // the same call again finds what the first one left
  const again = payments.filter((one) => first.get(nameOf(one)) !== one);
  const later = again.length > 0 ? await settle(context, again) : [];
  let next = 0;
  return payments.map((one) =>
    first.get(nameOf(one)) === one ? (now.get(nameOf(one)) ?? null) : (later[next++] ?? null),
  );
}

async function write(context: Context, payments: readonly Payment[]): Promise<ReadonlyMap<string, Paid>> {
  const rows = await openStatements(context)<Row>(settleCalls, [
    plainArray(payments.map(({ job }) => job)),
    textArray(payments.map(({ provider }) => provider)),
    plainArray(payments.map(({ cost }) => cost)),
    textArray(payments.map(({ externalId }) => externalId)),
  ]);
  const costs = new Map(payments.map((one) => [nameOf(one), one.cost]));
  const written = rows.map(([job, provider, call, n, at]) => {
    const cost = costs.get(nameOf({ job, provider })) ?? 0;
    return { job, provider, call, cost, n, at };
  });
  notePaid(context, written, rows[0]?.[6] ?? null);
  return new Map(
    rows.map(([job, provider, call, , , budgets]) => [nameOf({ job, provider }), { call, budgets: budgets ?? [] }]),
  );
}

/** A call as the statement that settles it found it, with the number and time of its event where there is one. */
export interface PaidCall extends Pick<Payment, 'job' | 'provider' | 'cost'> {
  readonly call: Paid['call'];
  readonly n: number | null;
  readonly at: Date | null;
}

/** Counts calls that are settled now, and publishes their events. @param epoch history of the events' numbers */
export function notePaid(context: Context, paid: readonly PaidCall[], epoch: string | null): void {
  const told = paid.flatMap(({ job, provider, call, cost, n, at }): Told[] => {
    countCost(context, provider, call, cost);
    if (n === null || at === null) return [];
    const { owner, surface, capability, quoted, state } = call;
    const instead = state === 'settled' ? { insteadOfUsd: (call.paid ?? 0) / 1e6 } : {};
    const data = { job, provider, surface, capability, usd: cost / 1e6, quotedUsd: quoted / 1e6, ...instead };
    return [{ owner, event: { n, type: 'spend.settled', at, data } }];
  });
  void publishTold(
    context,
    told.toSorted((a, b) => a.event.n - b.event.n),
    epoch,
  );
}

/** Counts what the books gained, once for each call; a counter cannot lose what was decided too high before. */
function countCost({ metrics }: Context, provider: string, call: Paid['call'], cost: number): void {
  const { capability, surface, isPaid, state, paid } = call;
  const added = isPaid ? 0 : cost - (state === 'settled' ? (paid ?? 0) : 0);
  metrics.proofline_provider_cost_dollars_total.inc({ provider, capability, surface }, Math.max(0, added) / 1e6);
}

const nameOf = ({ job, provider }: Pick<Payment, 'job' | 'provider'>): string => `${job} ${provider}`;

import { openBroker } from '#src/jobs/broker/broker.ts';
import { type Feed, feedBy } from '#src/jobs/model/feed.ts';
import { plainArray, textArray } from '#src/lib/array-literal.ts';
import type { Context } from '#src/system/context.ts';
import { openStatements, type Statement } from '#src/system/statements.ts';
import type { NewJob } from './new-job.ts';

/** Id, time of creation, when it may run where that is another time, and its place on the way to a worker. */
export type InsertedRow = readonly [id: string, at: Date, runAt: Date | null, feed: Feed];

const columns = `id, owner, queue, state, priority, payload, request_hash, idempotency_key, approval_id, parent_id, run_at,
  trace, held, version, expires_at, group_key, metadata, receipt, payload_content, terms, gate, unique_key, unique_while,
  flow_node, flow_item, contract, key_id, feed`;

/** Parts of a statement beside the insertion; `after` comes with a further array of each given job. */
interface Others {
  readonly before: string;
  readonly arrays: string;
  readonly names: string;
  readonly where: string;
  readonly after: string;
}

const insertStatement = (
  name: string,
  onConflict: string,
  { before = '', arrays = '', names = '', where = '', after = '' }: Partial<Others> = {},
) => ({
  name,
  text: `
    with given as materialized (
      select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::int2[], $6::text[], $7::text[], $8::text[],
        $9::uuid[], $10::uuid[], $11::timestamptz[], $12::text[], $13::bool[], $14::int4[], $15::timestamptz[], $16::text[],
        $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[], $23::text[], $24::text[], $25::int4[], $26::text[], $27::uuid[], $28::text[]${arrays})
        as g (${columns}${names})
    )${before}, inserted as (
      insert into jobs (${columns})
      select id, owner, queue, state, priority, payload::jsonb, decode(request_hash, 'hex'), idempotency_key, approval_id,
        parent_id, greatest(run_at, now()), trace, held, version, expires_at, group_key, metadata::jsonb, receipt,
        payload_content::jsonb, terms::jsonb, gate, unique_key, unique_while, flow_node, flow_item, contract,
        key_id, ${feedBy('run_at', 'feed')}
      from given ${where}
      ${onConflict}
      returning id, state, queue, owner, created_at, run_at, feed
    ), told as (
      insert into events (job, n, type, data) select id, 1, state, jsonb_build_object('queue', queue) from inserted
    )${after}
    select id, created_at, nullif(run_at, created_at), feed from inserted`,
});

export const insertNew: Statement = insertStatement('insert-jobs', '');
/** Keeps out a job under a key that another was replaced by before. */
const isNoRepetition = `where not exists (select from former_keys f where f.owner = given.owner and f.key = given.idempotency_key)`;

/** Costs three more look-ups a row: for what may be there already. */
export const insertMissing: Statement = insertStatement('insert-missing-jobs', 'on conflict do nothing', {
  where: isNoRepetition,
});

/**
 * Parts of a statement for jobs that wait for others. Those are locked first, in id order as everywhere: what ends after is told to
 * its dependents, what has ended shows.
 */
const dependencies = {
  arrays: ', $29::text[], $30::text[]',
  names: ', depends_on, on_failure',
  where: isNoRepetition,
  before: `, wanted as materialized (
      select distinct d.id from given g cross join lateral unnest(g.depends_on::uuid[]) as d (id) order by d.id
    ), locked as materialized (
      select l.* from wanted w cross join lateral (
        select j.id, j.state, j.finished_at from jobs j where j.id = w.id for update
      ) l
    ), flagged as (
      update jobs j set awaited = true from locked l where j.id = l.id and l.finished_at is null and not j.awaited
    )`,
  after: `, dependent as materialized (
      select i.id, i.owner, i.queue, g.depends_on, g.on_failure from inserted i join given g on g.id = i.id
      where g.depends_on is not null
    ), edges as materialized (
      select d.id as job, l.id as on_job, case when l.finished_at is not null then l.state end as state, d.on_failure
      from dependent d cross join lateral unnest(d.depends_on::uuid[]) as o (id) join locked l on l.id = o.id
    ), kept as (
      insert into dependencies (job, on_job, state, on_failure) select distinct job, on_job, state, on_failure from edges
    ), waited as (
      insert into waits (job, attempt, kind, name, after, owner, queue)
      select id, 0, 'jobs', 'depends_on', 0, owner, queue from dependent
    ), noted as (
      insert into due_dependents (job)
      select d.id from dependent d where not exists (select from edges e where e.job = d.id and e.state is null)
    )`,
};

export const insertDependents: Statement = insertStatement(
  'insert-dependent-jobs',
  'on conflict do nothing',
  dependencies,
);
/** All of them, or none. */
export const insertAllDependents: Statement = insertStatement('insert-all-dependent-jobs', '', dependencies);

/**
 * Parts of a statement for jobs of a node of a flow. The row of the flow is held until they are stored, so that its end
 * comes before them, and none is stored, or after them, and they are cancelled with it. A redrive gives it a new dispatch.
 */
const ofNode = {
  before: `, flow as materialized (
      select id from jobs where id = $29::uuid and state = 'waiting' and dispatch = $30::int for share
    ), noted as (
      update flow_nodes n set total = $32::int, submitted = $33::int
      from flow f where n.flow = f.id and n.name = $31::text and n.state = 'running'
    )`,
  where: 'where exists (select from flow)',
};

export const insertOfNode: Statement = insertStatement('insert-jobs-of-node', 'on conflict do nothing', ofNode);

/** Sends such a statement for jobs; `others` are its values beside theirs. @throws what Postgres answers */
export async function sendInsert(
  context: Context,
  statement: Statement,
  jobs: readonly NewJob[],
  others: readonly unknown[] = [],
): Promise<InsertedRow[]> {
  const text = (
    name:
      | 'owner'
      | 'queue'
      | 'payloadText'
      | 'idempotencyKey'
      | 'approvalId'
      | 'parentId'
      | 'runAt'
      | 'expiresAt'
      | 'group'
      | 'metadataText'
      | 'termsText',
  ) => textArray(jobs.map((job) => job[name]));
  const plain = (
    name: Exclude<keyof NewJob, 'payload' | 'payloadContent' | 'contract' | 'unique' | 'dependsOn' | 'place'>,
  ) => plainArray(jobs.map((job) => job[name]));
  const broker = openBroker(context);
  return await openStatements(context)<InsertedRow>(statement, [
    plain('id'),
    text('owner'),
    text('queue'),
    plain('state'),
    plain('priority'),
    text('payloadText'),
    plain('requestHash'),
    text('idempotencyKey'),
    text('approvalId'),
    text('parentId'),
    text('runAt'),
    plain('trace'),
    plain('held'),
    plain('version'),
    text('expiresAt'),
    text('group'),
    text('metadataText'),
    plain('receipt'),
    textArray(jobs.map(({ payloadContent }) => payloadContent && JSON.stringify(payloadContent))),
    text('termsText'),
    plain('gate'),
    textArray(jobs.map(({ unique }) => unique && unique.key)),
    plainArray(jobs.map(({ unique }) => unique && unique.while)),
    textArray(jobs.map(({ place }) => place && place.node)),
    plainArray(jobs.map(({ place }) => place && place.item)),
    plainArray(jobs.map(({ contract }) => contract && contract.digest)),
    plain('keyId'),
    plainArray(jobs.map((job) => (broker.goesAtOnce(job) ? 'fed' : 'ready'))),
    ...(statement === insertDependents || statement === insertAllDependents
      ? [
          textArray(jobs.map(({ dependsOn }) => dependsOn && plainArray(dependsOn.jobs))),
          plainArray(jobs.map(({ dependsOn }) => dependsOn && dependsOn.onFailure)),
        ]
      : []),
    ...others,
  ]);
}

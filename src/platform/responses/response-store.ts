import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { JobError } from '#src/jobs/model/job.ts';
import { type State, states } from '#src/jobs/model/states.ts';
import type { ResponseEvent } from '#src/platform/responses/model/event-types.ts';
import type { NewItem } from '#src/platform/responses/model/items.ts';
import type { ResponseObject } from '#src/platform/responses/model/response-object.ts';
import type { TextWork } from '#src/platform/text/run-text.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Instant = Type.Unsafe<Date>({});

/** A stored response: its row, and the state of its job. */
const StoredResponse = Type.Object({
  id: Type.String(),
  background: Type.Boolean(),
  begun: Type.Unsafe<ResponseObject>({}),
  input: Type.Unsafe<readonly NewItem[]>({}),
  ended: Type.Unsafe<ResponseObject | null>({}),
  /** Null once the job is forgotten. */
  state: nullable(Type.Unsafe<State>({ enum: [...states] })),
  attempt: nullable(Type.Integer()),
  error: nullable(JobError),
  finishedAt: nullable(Instant),
  /** Number of stored events. */
  events: Type.Integer(),
});
export type StoredResponse = Static<typeof StoredResponse>;
const storedRow = row(StoredResponse);

export interface NewResponse {
  readonly id: string;
  readonly owner: string;
  readonly background: boolean;
  readonly previous: string | null;
  readonly begun: ResponseObject;
  readonly input: readonly NewItem[];
  readonly work: TextWork | null;
  readonly events: readonly ResponseEvent[];
}

/** Keeps a response from its beginning; one that is there already stays as it is. */
export async function insertResponse({ db }: Pick<Context, 'db'>, response: NewResponse): Promise<void> {
  const { id, owner, background, previous, begun, input, work, events } = response;
  await db.query(sql.unsafe`
    with inserted as (
      insert into responses (id, owner, background, previous, begun, input, work)
      values (${id}, ${owner}, ${background}, ${previous}, ${JSON.stringify(begun)}::json, ${JSON.stringify(input)}::json,
        ${work && JSON.stringify(work)}::json)
      on conflict (id) do nothing returning id
    )
    insert into response_events (response, n, event) select i.id, e.n, e.event::json from inserted i, ${rowsOf(events)}`);
}

/** A response of this owner; null where there is none. */
export async function readResponse(
  { db }: Pick<Context, 'db'>,
  owner: string,
  id: string,
): Promise<StoredResponse | null> {
  return await db.maybeOne(sql.type(storedRow)`
    select r.id, r.background, r.begun, r.input, r.ended, j.state, j.attempt, j.error, j.finished_at as "finishedAt",
      (select count(*) from response_events e where e.response = r.id) as events
    from responses r left join jobs j on j.id = r.id where r.id = ${id} and r.owner = ${owner}`);
}

/** Forgets a response with all that was said, also what its job keeps of it for repetitions. */
export async function deleteResponse({ db }: Pick<Context, 'db'>, owner: string, id: string): Promise<void> {
  await db.query(sql.unsafe`
    with gone as (
      delete from responses where id = ${id} and owner = ${owner} returning id
    ), unsaid as (
      update jobs j set result = jsonb_set(j.result, '{message}', 'null') from gone g
      where j.id = g.id and j.result ? 'message'
    )
    update effects e set outcome = null from gone g where e.job = g.id`);
}

/** Stores the end of a response that ran in the process that received the request; a deleted response stays deleted. */
export async function endResponse({ db }: Pick<Context, 'db'>, id: string, ended: ResponseObject): Promise<void> {
  await db.query(sql.unsafe`
    update responses set ended = ${JSON.stringify(ended)}::json where id = ${id} and ended is null`);
}

/** The rows `e (n, event)` of events, for a `from`. */
export function rowsOf(events: readonly ResponseEvent[]): ReturnType<typeof sql.fragment> {
  const numbers = events.map(({ sequence_number: n }) => n);
  const texts = events.map((event) => JSON.stringify(event));
  return sql.fragment`unnest(${sql.array(numbers, 'int4')}, ${sql.array(texts, 'text')}) as e (n, event)`;
}

import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import type { TextMessage } from '#src/providers/text/text.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { idOfItem, jobOfResponse, placeOfItem, responseId, type Side } from './ids.ts';
import type { Item, NewItem } from './items.ts';
import { type FindItem, type ReadInput, readItems, referredItems } from './read-items.ts';
import type { ResponseRequest } from './request-body.ts';
import type { ResponseObject } from './response-object.ts';
import { toMessages } from './to-messages.ts';
import { wrongInput } from './wrong-input.ts';

/** Most messages that a conversation may hold, all earlier ones included. */
const MOST_TURNS = 1_000;
const MOST_BYTES = 16 * 1_048_576;

const Spoken = Type.Object({
  id: Type.String(),
  previous: Type.Union([Type.String(), Type.Null()]),
  input: Type.Unsafe<readonly NewItem[]>({}),
  ended: Type.Unsafe<ResponseObject | null>({}),
});
type Spoken = Static<typeof Spoken>;
const spokenRow = row(Spoken);
const sizeRow = row(Type.Object({ turns: Type.Integer(), bytes: Type.Integer() }));

/** Input of a turn, with everything that it refers to. */
export interface Conversation extends ReadInput {
  readonly messages: readonly TextMessage[];
  /** The job of the response that it goes on from. */
  readonly previous: string | null;
}

/**
 * The whole conversation that a request goes on with.
 *
 * @throws AppError `not_found` for a response or item that is not there, `state_conflict` for one that has not ended
 *   well, `payload_too_large`, `invalid_request`.
 */
export async function readConversation(
  context: Context,
  owner: string,
  { input, instructions, previous_response_id: previousId }: ResponseRequest,
): Promise<Conversation> {
  const previous = typeof previousId === 'string' ? jobNamed(previousId) : null;
  const spoken = previous === null ? [] : await readTurns(context, owner, previous);
  const read = readItems(input, await itemsNamed(context, owner, referredItems(input)));
  const earlier = spoken.flatMap((turn) => [...turn.input, ...(turn.ended?.output ?? [])]);
  return { ...read, messages: toMessages(instructions ?? null, earlier, read.items), previous };
}

function jobNamed(id: string): string {
  const job = jobOfResponse(id);
  if (job !== null) return job;
  throw unknown(id);
}

function unknown(id: string): AppError {
  const message = `previous_response_id: expected the id of a response of yours that is stored, got ${JSON.stringify(id.slice(0, 80))}, which is none.`;
  return new AppError('not_found', message, { field: 'body.previous_response_id', value: id.slice(0, 80) });
}

/** The turns up to a response, oldest first. */
async function readTurns({ db }: Context, owner: string, last: string): Promise<readonly Spoken[]> {
  const chain = sql.fragment`chain as (
      select r.id, r.previous, 1 as depth from responses r where r.id = ${last} and r.owner = ${owner}
      union all
      select r.id, r.previous, c.depth + 1 from chain c join responses r on r.id = c.previous and r.owner = ${owner}
      where c.depth <= ${MOST_TURNS}
    )`;
  const { turns, bytes } = await db.one(sql.type(sizeRow)`
    with recursive ${chain}
    select count(*) as turns, coalesce(sum(octet_length(r.input::text) + coalesce(octet_length(r.ended::text), 0)), 0)::bigint as bytes
    from chain c join responses r on r.id = c.id`);
  if (turns > MOST_TURNS || bytes > MOST_BYTES)
    throw new AppError(
      'payload_too_large',
      `expected a conversation of at most ${MOST_TURNS} turns and ${MOST_BYTES} bytes, got ${turns} turns of ${bytes} bytes. Begin a new one with what matters of it.`,
      { turns, bytes },
    );
  const spoken = await db.any(sql.type(spokenRow)`
    with recursive ${chain}
    select r.id, r.previous, r.input, r.ended from chain c join responses r on r.id = c.id order by c.depth desc`);
  // a turn in the middle that was deleted would change what was said
  const missing = spoken.length === 0 ? last : spoken[0]?.previous;
  if (typeof missing === 'string') throw unknown(responseId(missing));
  for (const { id, ended } of spoken) assertEndedWell(responseId(id), ended);
  return spoken;
}

function assertEndedWell(id: string, ended: ResponseObject | null): void {
  const status = ended?.status ?? 'unfinished';
  if (status === 'completed' || status === 'incomplete') return;
  throw new AppError(
    'state_conflict',
    `previous_response_id: expected responses that are completed or incomplete, got ${id}, which is ${status}.`,
    { response: id },
  );
}

/** Looks up items by the names that they were shown with. */
async function itemsNamed({ db }: Context, owner: string, ids: readonly string[]): Promise<FindItem> {
  const jobs = new Set(ids.flatMap((id) => placeOfItem(id)?.job ?? []));
  if (jobs.size === 0) return () => undefined;
  if (jobs.size > MOST_TURNS) throw wrongInput('input', `references to at most ${MOST_TURNS} responses`, jobs.size);
  const rows = await db.any(sql.type(spokenRow)`
    select id, previous, input, ended from responses
    where id = any(${sql.array([...jobs], 'uuid')}) and owner = ${owner}
      and octet_length(input::text) <= ${MOST_BYTES}`);
  const items = new Map(rows.flatMap((one) => namedItems(one).map((item) => [item.id, item])));
  return (id) => items.get(id);
}

function namedItems({ id, input, ended }: Spoken): readonly Item[] {
  return [...withIds(id, 'input', input), ...(ended?.output ?? [])];
}

/** Items as they are shown: those without a name are called by their place. */
export function withIds(job: string, side: Side, items: readonly NewItem[]): readonly Item[] {
  return items.map((item, index) => ({ ...item, id: item.id ?? idOfItem(job, item.type, side, index) }));
}

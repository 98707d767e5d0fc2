import { sql } from 'slonik';
import Type from 'typebox';
import type { StoredFlow } from '#queues/flows.ts';
import { readContent } from '#src/jobs/contents/content.ts';
import { ContentRef } from '#src/jobs/model/content-ref.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { ROOM_BYTES } from './storing-room.ts';

const sizeRow = row(Type.Object({ name: Type.String(), bytes: Type.Integer() }));
const listRow = row(Type.Object({ results: Type.String() }));
const contentRow = row(Type.Object({ item: Type.Integer(), content: ContentRef }));

const mine = (flow: string, node: string) =>
  sql.fragment`j.parent_id = ${flow} and j.flow_node = ${node} and j.flow_item is not null`;

/**
 * Counts the bytes of the results of nodes that have ended.
 *
 * @throws AppError `payload_too_large` where they have more together than can be in hand
 */
export async function measureResults({ db }: Context, flow: string, names: Iterable<string>): Promise<number> {
  const sizes = await db.any(sql.type(sizeRow)`
    select g.name, coalesce(sum(octet_length(j.result::text) + coalesce((j.result_content->>'size')::int, 0)), 0)::int8 as bytes
    from unnest(${sql.array([...new Set(names)], 'text')}) as g (name)
    join jobs j on j.parent_id = ${flow} and j.flow_node = g.name and j.flow_item is not null and j.state = 'succeeded'
    group by g.name order by bytes desc`);
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (all <= ROOM_BYTES) return all;
  const [first, ...others] = sizes.map(({ name }) => name);
  const which = others.length === 0 ? `the node ${first}` : `the node ${first} and ${others.length} others`;
  throw new AppError(
    'payload_too_large',
    `The results of ${which} have ${all} bytes, expected at most ${ROOM_BYTES} where another node, or the result of the flow, refers to them: let its jobs keep them elsewhere, and answer where.`,
    { node: first ?? null, limit_bytes: ROOM_BYTES },
  );
}

/**
 * Reads the results of nodes that have ended, by their names: of a fan-out an array in the order of its items. What did
 * not succeed gives null.
 *
 * @throws AppError `content_lost`, `unavailable`
 */
export async function readResults(
  context: Context,
  flow: string,
  { nodes }: Pick<StoredFlow, 'nodes'>,
  names: Iterable<string>,
): Promise<ReadonlyMap<string, unknown>> {
  const wanted = new Set(names);
  const results = new Map<string, unknown>();
  for (const { name, for_each: each } of nodes) {
    if (!wanted.has(name)) continue;
    const list = await readList(context, flow, name);
    results.set(name, each ? list : (list[0] ?? null));
  }
  return results;
}

async function readList(context: Context, flow: string, node: string): Promise<unknown[]> {
  const { db } = context;
  const jobs = mine(flow, node);
  // as a text: an array of jsonb takes ten times as long to build
  const { results: text } = await db.one(sql.type(listRow)`
    select coalesce('[' || string_agg(case when j.state = 'succeeded' then coalesce(j.result::text, 'null') else 'null' end, ',' order by j.flow_item) || ']', '[]') as results
    from jobs j where ${jobs}`);
  const results = JSON.parse(text) as unknown[];
  const beside = await db.any(sql.type(contentRow)`
    select j.flow_item as item, j.result_content as content from jobs j
    where ${jobs} and j.state = 'succeeded' and j.result_content is not null order by j.flow_item`);
  for (const { item, content } of beside)
    results[item] = await readContent(context, content, `result of item ${item} of the node ${node}`);
  return results;
}

import { sql } from 'slonik';
import Type from 'typebox';
import type { StoredFlow } from '#queues/flows.ts';
import { readContent } from '#src/jobs/contents/content.ts';
import { ContentRef } from '#src/jobs/model/content-ref.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Bytes of JSON that the results of one node may have where others refer to them. */
const MOST_BYTES = 67_108_864;

const sizeRow = row(Type.Object({ bytes: Type.Integer() }));
const listRow = row(Type.Object({ results: Type.String() }));
const contentRow = row(Type.Object({ item: Type.Integer(), content: ContentRef }));

/**
 * Reads the results of nodes that have ended, by their names: of a fan-out an array in the order of its items. What did
 * not succeed gives null.
 *
 * @throws AppError `payload_too_large`, `content_lost`, `unavailable`
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
  const mine = sql.fragment`j.parent_id = ${flow} and j.flow_node = ${node} and j.flow_item is not null`;
  const bytes = await db.oneFirst(sql.type(sizeRow)`
    select coalesce(sum(octet_length(j.result::text) + coalesce((j.result_content->>'size')::int, 0)), 0)::int8 as bytes
    from jobs j where ${mine} and j.state = 'succeeded'`);
  if (bytes > MOST_BYTES)
    throw new AppError(
      'payload_too_large',
      `The results of the node ${node} have ${bytes} bytes, expected at most ${MOST_BYTES} where another node, or the result of the flow, refers to them: let its jobs keep them elsewhere, and answer where.`,
      { node, limit_bytes: MOST_BYTES },
    );
  // as a text: an array of jsonb takes ten times as long to build
  const { results: text } = await db.one(sql.type(listRow)`
    select coalesce('[' || string_agg(case when j.state = 'succeeded' then coalesce(j.result::text, 'null') else 'null' end, ',' order by j.flow_item) || ']', '[]') as results
    from jobs j where ${mine}`);
  const results = JSON.parse(text) as unknown[];
  const beside = await db.any(sql.type(contentRow)`
    select j.flow_item as item, j.result_content as content from jobs j
    where ${mine} and j.state = 'succeeded' and j.result_content is not null order by j.flow_item`);
  for (const { item, content } of beside)
    results[item] = await readContent(context, content, `result of item ${item} of the node ${node}`);
  return results;
}

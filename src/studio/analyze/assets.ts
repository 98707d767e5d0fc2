import { sql } from 'slonik';
import { Type } from 'typebox';
import { channelFormats } from '#src/studio/domain/channel-formats.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type AnalysisQuery, ofMode, since } from './window.ts';

const Kind = row(
  Type.Object({ kind: Type.String(), mediaType: Type.String(), count: Type.Integer(), bytes: Type.Integer() }),
);
const Shape = row(Type.Object({ aspect: Type.String(), count: Type.Integer(), seconds: Type.Number() }));
const Word = row(Type.Object({ word: Type.String(), count: Type.Integer() }));

/** An owner's assets of the window as `a`, with the plan that they were made for as `p`. */
export function assetsInWindow(query: AnalysisQuery) {
  return sql.fragment`assets a
    left join jobs j on j.id = a.job
    left join studio_jobs s on s.id = coalesce(j.parent_id, a.job)
    left join studio_plans p on p.id = s.plan
    where a.owner = ${query.owner} and a.created_at > ${since(query)} and a.erased_at is null and ${ofMode(query)}`;
}

/** Films by their shape: the nearest of the four aspect ratios. */
export async function filmShapes({ db }: Pick<Context, 'db'>, query: AnalysisQuery) {
  return await db.any(sql.type(Shape)`
    select (select name from (values ('16:9', 16.0 / 9), ('9:16', 9.0 / 16), ('1:1', 1.0), ('4:5', 0.8)) as of (name, ratio)
        order by abs(ln(ratio) - ln(a.width::numeric / a.height)) limit 1) as aspect,
      count(*), coalesce(max(a.duration), 0) as seconds
    from ${assetsInWindow(query)} and a.kind = 'video' and a.width > 0 and a.height > 0 group by 1 order by 1`);
}

/** Analyzes assets: the number made, their stated origins, and the channels that have a film in their shape. */
export async function analyzeAssets(context: Pick<Context, 'db'>, query: AnalysisQuery) {
  const { db } = context;
  const [kinds, shapes, provenance] = await Promise.all([
    db.any(sql.type(Kind)`
      select a.kind, a.media_type as "mediaType", count(*), sum(a.size)::bigint as bytes
      from ${assetsInWindow(query)} group by 1, 2 order by 1, 2`),
    filmShapes(context, query),
    db.any(sql.type(Word)`
      select coalesce(a.provenance ->> 'kind', 'none') as word, count(*) from ${assetsInWindow(query)} group by 1 order by 1`),
  ]);
  const aspects = new Set(shapes.map(({ aspect }) => aspect));
  const channels = Object.entries(channelFormats).map(([channel, { aspect }]) => ({
    channel,
    aspect,
    covered: aspects.has(aspect),
  }));
  const missing = channels.filter(({ covered }) => !covered);
  return {
    figures: {
      byKind: kinds,
      films: shapes,
      provenance: provenance.map(({ word: kind, count }) => ({ kind, count })),
      channels,
    },
    findings:
      shapes.length > 0 && missing.length > 0
        ? [
            `No film fits ${missing.map(({ channel, aspect }) => `${channel} (${aspect})`).join(', ')}: publishing there reframes one, or plan it with that format.`,
          ]
        : [],
  };
}

import { sql } from 'slonik';
import { Type } from 'typebox';
import { channels } from '#src/studio/domain/words.ts';
import { channelAddress } from '#src/studio/model/publish-effect.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type AnalysisQuery, jobsInWindow } from './window.ts';

const ByState = row(Type.Object({ state: Type.String(), count: Type.Integer() }));
const Packages = row(Type.Object({ channel: Type.String(), status: Type.String(), count: Type.Integer() }));
const Plan = row(Type.Object({ plan: Type.String(), published: Type.Boolean() }));

/**
 * Analyzes publishing: packages of each channel, renders that are not published yet, and channels that have an address.
 */
export async function analyzePublishing({ db, config }: Pick<Context, 'db' | 'config'>, query: AnalysisQuery) {
  const from = jobsInWindow(query);
  const [states, packages, plans] = await Promise.all([
    db.any(sql.type(ByState)`select j.state, count(*) from ${from} and s.kind = 'publish' group by 1 order by 1`),
    db.any(sql.type(Packages)`
      select pack ->> 'channel' as channel, pack ->> 'status' as status, count(*)
      from (select j.result from ${from} and s.kind = 'publish' and j.state = 'succeeded') done,
        jsonb_array_elements(done.result -> 'packages') pack group by 1, 2 order by 1, 2`),
    db.any(sql.type(Plan)`
      select s.plan, bool_or(exists (
        select from studio_jobs o join jobs k on k.id = o.id
        where o.plan = s.plan and o.kind = 'publish' and k.state = 'succeeded')) as published
      from ${from} and s.kind = 'render' and j.state = 'succeeded' and s.plan is not null group by s.plan order by s.plan`),
  ]);
  const ready = plans.filter(({ published }) => !published).map(({ plan }) => plan);
  return {
    figures: {
      publications: states,
      packages,
      renderedPlans: plans.length,
      readyToPublish: ready,
      channels: channels.map((channel) => ({
        channel,
        delivery: channelAddress(config, channel) === null ? 'export' : 'webhook',
      })),
    },
    findings: ready.length > 0 ? [`${ready.length} rendered plans have not been published.`] : [],
  };
}

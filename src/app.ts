import type { FastifyInstance } from 'fastify';
import { openAccess } from '#src/access/access.ts';
import { alertRoutes, alertStreamDescription } from '#src/analytics/alert-routes.ts';
import { chainRoutes } from '#src/analytics/chain-routes.ts';
import { historyRoutes } from '#src/analytics/history-routes.ts';
import { oracleRoutes } from '#src/analytics/oracle-routes.ts';
import { portfolioRoutes } from '#src/analytics/portfolio-routes.ts';
import { sectionRoutes } from '#src/analytics/section-routes.ts';
import { marketStreamDescription, streamRoutes } from '#src/analytics/stream-routes.ts';
import { stressRoutes } from '#src/analytics/stress-routes.ts';
import { studyRoutes } from '#src/analytics/study-routes.ts';
import { jobStreamDescription } from '#src/http/asyncapi.ts';
import { openEdge } from '#src/http/edge.ts';
import { healthRoutes } from '#src/http/health-routes.ts';
import type { Hub } from '#src/http/hub.ts';
import { jobRoutes } from '#src/http/job-routes.ts';
import { openStreams, watchKeys } from '#src/http/open-streams.ts';
import { anchorRoutes } from '#src/receipts/anchor-routes.ts';
import type { Context } from '#src/system/context.ts';
import { whyUnready } from '#src/system/readiness.ts';

export interface AppOptions {
  readonly hub?: Hub;
  /** Why this process cannot serve now; null when it can. */
  readonly whyUnready?: () => Promise<string | null>;
}

/** The API: the list of what it is made of. Closing it ends its streams first. */
export async function buildApp(context: Context, options: AppOptions = {}): Promise<FastifyInstance> {
  const access = openAccess(context);
  const hub = options.hub ?? openStreams(context);
  const app = await openEdge(context, access);
  watchKeys(context, access, hub);
  app.addHook('preClose', hub.shutdown);

  app.describeStream(jobStreamDescription);
  app.describeStream(marketStreamDescription);
  app.describeStream(alertStreamDescription);
  await app.register(healthRoutes, { whyUnready: options.whyUnready ?? (() => whyUnready(context)) });
  await app.register(jobRoutes, { context, hub });
  await app.register(chainRoutes, { context, hub });
  await app.register(sectionRoutes, { context, hub });
  await app.register(portfolioRoutes, { context, hub });
  await app.register(stressRoutes, { context, hub });
  await app.register(historyRoutes, { context });
  await app.register(studyRoutes, { context, hub });
  await app.register(oracleRoutes, { context, hub });
  await app.register(streamRoutes, { context, hub });
  await app.register(alertRoutes, { context, hub });
  await app.register(anchorRoutes, { context });
  return app;
}

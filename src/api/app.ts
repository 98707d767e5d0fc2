import type { FastifyInstance } from 'fastify';
import { openAccess } from '#src/access/access.ts';
import { chainRoutes } from '#src/analytics/chains/chain-routes.ts';
import { historyRoutes } from '#src/analytics/history/history-routes.ts';
import { scorecardRoutes } from '#src/analytics/history/scorecard-routes.ts';
import { studyRoutes } from '#src/analytics/history/study-routes.ts';
import { alertRoutes, alertStreamDescription } from '#src/analytics/live/alert-routes.ts';
import { noteRequest } from '#src/analytics/live/market-audience.ts';
import { marketStreamDescription, streamRoutes } from '#src/analytics/live/stream-routes.ts';
import { oracleRoutes } from '#src/analytics/oracle/oracle-routes.ts';
import { portfolioRoutes } from '#src/analytics/portfolio/portfolio-routes.ts';
import { stressRoutes } from '#src/analytics/portfolio/stress-routes.ts';
import { sectionRoutes } from '#src/analytics/sections/section-routes.ts';
import { callRoutes } from '#src/governance/calls/call-routes.ts';
import { ProviderCallView } from '#src/governance/calls/call-view.ts';
import { jobDecisionRoutes } from '#src/governance/jobs/decision-routes.ts';
import { governSubmitted } from '#src/governance/jobs/govern-jobs.ts';
import type { Orchestrate } from '#src/governance/missions/orchestration.ts';
import { deliveryRoutes } from '#src/governance/notifications/delivery-routes.ts';
import { endpointRoutes } from '#src/governance/notifications/endpoint-routes.ts';
import { endpointOfWebhook } from '#src/governance/notifications/job-webhooks.ts';
import { artefactRoutes } from '#src/http/content/artefact-routes.ts';
import { consoleRoutes } from '#src/http/content/console-routes.ts';
import { jobStreamDescription } from '#src/http/documents/job-stream-description.ts';
import { openEdge } from '#src/http/edge/edge.ts';
import { errorPageRoutes } from '#src/http/edge/error-page-routes.ts';
import { healthRoutes } from '#src/http/edge/health-routes.ts';
import { flowRoutes } from '#src/http/flows/flow-routes.ts';
import { actionRoutes } from '#src/http/jobs/action-routes.ts';
import { changesStreamDescription } from '#src/http/jobs/job-changes.ts';
import { jobListRoutes } from '#src/http/jobs/job-list-routes.ts';
import { jobLogRoutes } from '#src/http/jobs/job-log-routes.ts';
import { logStreamDescription } from '#src/http/jobs/job-log-stream.ts';
import { jobRoutes } from '#src/http/jobs/job-routes.ts';
import { signalRoutes } from '#src/http/jobs/signal-routes.ts';
import { timelineRoutes } from '#src/http/jobs/timeline-routes.ts';
import { limitRoutes } from '#src/http/limits/limit-routes.ts';
import { queueHistoryRoutes } from '#src/http/operations/history-routes.ts';
import { liveRoutes } from '#src/http/operations/live-routes.ts';
import { operationsRoutes } from '#src/http/operations/operations-routes.ts';
import { operationsStreamDescription } from '#src/http/operations/operations-stream.ts';
import { bulkRoutes } from '#src/http/queues/bulk-routes.ts';
import { namespaceRoutes } from '#src/http/queues/namespace-routes.ts';
import { queueContractRoutes } from '#src/http/queues/queue-contract-routes.ts';
import { ruleRoutes } from '#src/http/queues/rule-routes.ts';
import { submitRoutes } from '#src/http/queues/submit-routes.ts';
import { scheduleRoutes } from '#src/http/schedules/schedule-routes.ts';
import { personHumanRoutes } from '#src/http/sign-in/person-human-routes.ts';
import { signInRoutes } from '#src/http/sign-in/sign-in-routes.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { openStreams, watchKeys } from '#src/http/streams/open-streams.ts';
import { streamTokenRoutes } from '#src/http/streams/stream-token-routes.ts';
import { workerRoutes } from '#src/http/workers/worker-routes.ts';
import { mcpRoutes } from '#src/mcp/mcp-routes.ts';
import { describeOffer, offerOf } from '#src/mcp/offer.ts';
import { describeResource } from '#src/mcp/resource-metadata.ts';
import { humanRoutes } from '#src/missions/people/human-routes.ts';
import { inviteRoutes } from '#src/missions/people/invite-routes.ts';
import { keyRoutes } from '#src/missions/people/key-routes.ts';
import { missionContracts } from '#src/missions/routes/contracts.ts';
import { executeRoutes } from '#src/missions/routes/execute-routes.ts';
import { missionRoutes } from '#src/missions/routes/mission-routes.ts';
import { missionStreamDescription, missionStreamRoutes } from '#src/missions/routes/mission-stream-routes.ts';
import { missionSchemas } from '#src/missions/routes/mission-view.ts';
import { orchestrate } from '#src/missions/routes/orchestrate.ts';
import { statsRoutes } from '#src/missions/routes/stats-routes.ts';
import { platformContractOf } from '#src/platform/discovery/contract.ts';
import { platformRoutes } from '#src/platform/platform-routes.ts';
import { checkLink } from '#src/providers/assets/asset-links.ts';
import { readAsset } from '#src/providers/assets/assets.ts';
import { taskWebhookRoutes } from '#src/providers/tasks/task-webhook-routes.ts';
import { receiptOfJob } from '#src/receipts/receipt-of-job.ts';
import { readReceipt } from '#src/receipts/receipt-store.ts';
import { anchorRoutes } from '#src/receipts/routes/anchor-routes.ts';
import { jobReceiptRoutes } from '#src/receipts/routes/job-receipt-routes.ts';
import { receiptRoutes } from '#src/receipts/routes/receipt-routes.ts';
import { sealKeyRoutes } from '#src/receipts/routes/seal-key-routes.ts';
import { verifyPageRoutes } from '#src/receipts/routes/verify-page-routes.ts';
import { anchorAccounts } from '#src/receipts/verify/own-attest.ts';
import { eventRoutes, studioStreamDescription } from '#src/studio/activity/event-routes.ts';
import { readRoutes } from '#src/studio/activity/read-routes.ts';
import { approvalRoutes } from '#src/studio/approvals/approval-routes.ts';
import { discoveryRoutes } from '#src/studio/discovery/discovery-routes.ts';
import { lookRoutes } from '#src/studio/discovery/look-routes.ts';
import { mcpMetadataRoutes } from '#src/studio/discovery/mcp-metadata.ts';
import { studioSchemas } from '#src/studio/discovery/studio-schemas.ts';
import { doctrine } from '#src/studio/domain/doctrine.ts';
import { studioScope } from '#src/studio/edge/studio-plugin.ts';
import { accessCheckRoutes } from '#src/studio/keys/access-check-routes.ts';
import { studioKeyRoutes } from '#src/studio/keys/key-routes.ts';
import { renderRoutes } from '#src/studio/live/render-routes.ts';
import { briefRoutes } from '#src/studio/plan/brief-routes.ts';
import type { Context } from '#src/system/context.ts';
import { whyUnready } from '#src/system/health/readiness.ts';

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

  const serves = new Set(context.config.SURFACES);
  app.describeStream(jobStreamDescription);
  await app.register(healthRoutes, { whyUnready: options.whyUnready ?? (() => whyUnready(context)) });
  await app.register(errorPageRoutes);
  await app.register(signInRoutes, { context });
  await app.register(personHumanRoutes, { context });
  await app.register(jobListRoutes, { context });
  await app.register(consoleRoutes);
  await app.register(jobRoutes, { context, hub });
  await app.register(actionRoutes, { context });
  await app.register(signalRoutes, { context });
  app.describeStream(logStreamDescription);
  await app.register(jobLogRoutes, { context, hub });
  await app.register(timelineRoutes, { context, receiptOf: (job) => receiptOfJob(context, job) });
  app.describeStream(operationsStreamDescription);
  app.describeStream(changesStreamDescription);
  await app.register(operationsRoutes, { context });
  await app.register(queueHistoryRoutes, { context });
  await app.register(queueContractRoutes, { context });
  await app.register(namespaceRoutes, { context });
  await app.register(ruleRoutes, { context });
  await app.register(submitRoutes, {
    context,
    hub,
    accepted: governSubmitted,
    findReceiver: endpointOfWebhook,
  });
  await app.register(bulkRoutes, { context, findReceiver: endpointOfWebhook });
  await app.register(scheduleRoutes, { context, findReceiver: endpointOfWebhook });
  await app.register(limitRoutes, { context });
  await app.register(jobDecisionRoutes, { context });
  await app.register(streamTokenRoutes, { context });
  await app.register(endpointRoutes, { context });
  await app.register(deliveryRoutes, { context });
  await app.register(flowRoutes, { context, findReceiver: endpointOfWebhook });
  await app.register(jobReceiptRoutes, { context });
  await app.register(workerRoutes, { context, hub });
  app.addSchema(ProviderCallView);
  await app.register(callRoutes, { context });
  await app.register(liveRoutes, { context, hub });
  await app.register(artefactRoutes, {
    context,
    find: (id) => readAsset(context, id, null),
    checkLink: (artefact, link) => checkLink(context.config, artefact, link),
  });
  const rpcUrls = () => [context.config.ANCHOR_RPC_URL].filter((url) => url !== '');
  const accounts = () => anchorAccounts(context);
  await app.register(sealKeyRoutes, { context, accounts });
  await app.register(receiptRoutes, { context, accounts, readReceipt, rpcUrls });
  await app.register(verifyPageRoutes);
  await app.register(anchorRoutes, { context });
  await app.register(taskWebhookRoutes, { context });
  await app.register(humanRoutes, { context });
  await app.register(inviteRoutes, { context });
  await app.register(keyRoutes, { context });
  if (serves.has('studio')) {
    app.describeStream(studioStreamDescription);
    await studioScope(app, async (scope) => {
      for (const schema of studioSchemas) scope.addSchema(schema);
      await scope.register(discoveryRoutes, { context });
      await scope.register(briefRoutes, { context });
      await scope.register(readRoutes, { context });
      await scope.register(lookRoutes, { context });
      await scope.register(renderRoutes, { context });
      await scope.register(approvalRoutes, { context });
      await scope.register(eventRoutes, { context, hub });
      await scope.register(studioKeyRoutes, { context });
      await scope.register(accessCheckRoutes, { context });
    });
    await app.register(mcpMetadataRoutes, { context });
  }
  if (serves.has('missions')) {
    app.describeStream(missionStreamDescription);
    for (const schema of missionSchemas) app.addSchema(schema);
    await app.register(missionRoutes, { context });
    await app.register(executeRoutes, { context, hub });
    await app.register(missionStreamRoutes, { context, hub });
    await app.register(statsRoutes, { context });
  }
  // called once every route is there
  const offer = offerOf(context.config.SURFACES, (base) =>
    serves.has('platform')
      ? { platform: platformContractOf(app.routeList, { platform: base('platform'), studio: base('studio') }) }
      : {},
  );
  if (serves.has('platform')) {
    const run: Orchestrate = async (principal, request) => await orchestrate({ context, hub }, principal, request);
    const governance = { doctrine, missions: missionContracts };
    await platformRoutes(app, { context, hub, machines: describeOffer(offer), governance, orchestrate: run });
  }
  if (serves.has('analytics')) {
    app.describeStream(marketStreamDescription);
    app.describeStream(alertStreamDescription);
    await app.register(async (scope) => {
      scope.addHook('preHandler', noteRequest(context));
      await scope.register(chainRoutes, { context, hub });
      await scope.register(sectionRoutes, { context, hub });
      await scope.register(portfolioRoutes, { context, hub });
      await scope.register(stressRoutes, { context, hub });
      await scope.register(historyRoutes, { context });
      await scope.register(studyRoutes, { context, hub });
      await scope.register(scorecardRoutes, { context, hub });
      await scope.register(oracleRoutes, { context, hub });
      await scope.register(streamRoutes, { context, hub });
      await scope.register(alertRoutes, { context, hub });
    });
  }
  await app.register(mcpRoutes, { context, hub, ...offer });
  describeResource(app, context.config);
  return app;
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Orchestrate } from '#src/governance/missions/orchestration.ts';
import { baseOf } from '#src/http/request/base-url.ts';
import { clientGone } from '#src/http/request/client-gone.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { parsePrefer } from '#src/http/request/negotiate.ts';
import { requestText } from '#src/http/request/request-text.ts';
import { WorkHeaders } from '#src/http/respond/answer-with-job.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { assertWebhook, keepWebhook } from '#src/platform/webhooks/webhook-store.ts';
import { readReceipt } from '#src/receipts/receipt-store.ts';
import type { Context } from '#src/system/context.ts';
import { Orchestration, OrchestrationRequest, orchestrationView, TIMEOUT_SECONDS } from './orchestration.ts';

/** Goals in words that become missions: planned, approved, carried out, sealed. */
export const orchestrateRoutes: FastifyPluginAsyncTypebox<{
  context: Context;
  hub: Hub;
  orchestrate: Orchestrate;
}> = async (app, { context, hub, orchestrate }) => {
  app.post(
    '/orchestrate/run',
    {
      config: { scope: 'platform.mcp.execute', human: true, capability: 'orchestrate.run' },
      schema: {
        tags: ['platform'],
        summary: 'Run a goal as a governed mission',
        description:
          'Only for keys that are bound to a verified human. Steps that spend, publish or reach outside wait for that human (`approvals`).',
        operationId: 'runOrchestration',
        headers: WorkHeaders,
        body: OrchestrationRequest,
        response: {
          200: {
            ...Orchestration,
            description: 'Done, with the sealed receipt; or planned, where no more was requested',
          },
          202: { ...Orchestration, description: 'Under way, or waiting for a human; `Location` is the mission' },
        },
      },
    },
    async (request, reply) => {
      const {
        query,
        capabilities,
        policy,
        webhook,
        budget_usd: budgetUsd,
        timeout_seconds: timeoutSeconds = TIMEOUT_SECONDS,
      } = request.body;
      if (webhook) assertWebhook(context.config, webhook);
      const principal = principalOf(request);
      const { 'idempotency-key': key, prefer } = request.headers;
      const { waitMs, applied } = parsePrefer(prefer, context.config.WAIT_MS);
      const planOnly = request.body.plan_only ?? false;
      const { mission, steps, created, failure } = await orchestrate(principal, {
        goal: query,
        timeoutSeconds,
        planOnly,
        request: requestText(request),
        waitMs,
        signal: AbortSignal.any([clientGone(reply), hub.stopping]),
        ...(capabilities && { only: capabilities }),
        ...(policy && { policy }),
        ...(budgetUsd !== undefined && { budgetUsd }),
        ...(key !== undefined && { idempotencyKey: key }),
      });
      if (webhook) await keepWebhook(context, principal, mission, webhook);
      if (!created) reply.header('idempotency-replayed', 'true');
      if (failure) throw failure;
      if (applied) reply.header('preference-applied', applied);
      const receipt = mission.sealedAt && (await readReceipt(context, mission.id));
      const view = orchestrationView(baseOf(request, context.config, 'missions'), mission, steps, receipt);
      const isDone = planOnly || receipt !== null;
      return await reply
        .code(isDone ? 200 : 202)
        .header('location', view.links.mission)
        .send(view);
    },
  );
};

import { publish } from '#queues/studio.ts';
import { approvalView } from '#src/governance/approvals/approval-view.ts';
import { effectHash as hashOf, requestApproval } from '#src/governance/approvals/request-approval.ts';
import { publishOwnerEvents } from '#src/governance/owners/owner-log.ts';
import { idleWarning } from '#src/jobs/figures/queue-workers.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import { callerName } from '#src/lib/principal.ts';
import { type Asset, readAsset } from '#src/providers/assets/assets.ts';
import { touchedByPublish } from '#src/studio/domain/boundary.ts';
import { readFilmScript } from '#src/studio/domain/film-script.ts';
import type { Outcome } from '#src/studio/edge/envelope.ts';
import type { PublishInput } from '#src/studio/edge/inputs.ts';
import { studioJobView } from '#src/studio/model/job-view.ts';
import { assetsOfPlan, planOfAsset } from '#src/studio/model/plan-assets.ts';
import { publishEffect } from '#src/studio/model/publish-effect.ts';
import { type Plan, readPlan } from '#src/studio/model/store.ts';
import type { Context } from '#src/system/context.ts';
import { heldWarning, type LiveWork, startApproved, startWaiting } from './start-live.ts';

/**
 * The tool `studio_publish`. A dry run makes the approval and the outbox package; live, a job makes an export package
 * for each channel and delivers those whose channel has an address.
 *
 * @throws AppError `not_found`, `state_conflict` for a plan that has not been rendered, `invalid_approval`.
 */
export async function publishAssets(
  context: Context,
  principal: Principal,
  input: PublishInput,
  idempotencyKey?: string,
): Promise<Outcome> {
  const { owner } = principal;
  const { channels, dryRun, approvalRef } = input;
  const { plan, assets } = await whatIsPublished(context, owner, input);
  const script = readFilmScript(plan?.plan.prompt ?? '');
  const { caption } = script;
  const effect = publishEffect(context.config, assets, channels, caption);
  const areas = touchedByPublish(
    channels,
    Object.keys(effect.deliveredTo),
    // the film says and shows all of it
    [plan?.plan.title ?? '', plan?.plan.prompt ?? ''].filter((text) => text !== '').join('.\n'),
  );
  const subject = plan?.id ?? (assets[0] as Asset).id;
  const resources = ['studio://assets/reel', 'studio://approvals/index', 'studio://governance/policy'];
  const posting =
    Object.keys(effect.deliveredTo).length > 0
      ? `Delivered once to the addresses of ${Object.keys(effect.deliveredTo).join(', ')}.`
      : 'Nothing is posted outside: none of these channels has an address. The packages are for a person to take.';
  const request = { subject, effect: { ...effect }, areas };
  if (dryRun) {
    const { approval, events } = await context.db.transaction(
      async (tx) =>
        await requestApproval(tx, {
          ...request,
          owner,
          kind: 'publish',
          requestedBy: callerName(principal),
          ttlS: context.config.APPROVAL_TTL_S,
        }),
    );
    await publishOwnerEvents(context, owner, events);
    return {
      output: {
        dryRun: true,
        approval: approvalView(context, approval),
        outbox: { effect, effectSha256: approval.effectHash },
      },
      warnings: [
        ...script.warnings,
        'Nothing was packaged or posted. Once the approval is granted, publish with dryRun false and its id as approvalRef.',
        posting,
      ],
      resources,
    };
  }
  const work: LiveWork<typeof publish> = {
    queue: publish,
    kind: 'publish',
    plan: plan?.id ?? null,
    approval: { ...request, effectHash: hashOf(request.effect) },
    payload: (approvalId) => ({
      approvalId,
      assetIds: assets.map(({ id }) => id),
      planId: plan?.id ?? null,
      channels: [...channels],
    }),
    idempotencyKey,
  };
  const job =
    approvalRef === undefined
      ? await startWaiting(context, principal, work)
      : await startApproved(context, principal, work, approvalRef);
  return {
    output: { dryRun: false, job: studioJobView(job), channels },
    warnings: [
      ...script.warnings,
      ...(job.state === 'awaiting_approval'
        ? [
            `The job waits for the approval ${job.approvalId}: a signed-in person decides it, with a proof of personhood.`,
          ]
        : []),
      ...heldWarning(context, job),
      ...[(await idleWarning(context, job)) ?? []].flat(),
      posting,
    ],
    resources: [...resources, `studio://jobs/${job.id}`],
  };
}

/** The asset that is named, or what the newest render of the plan has made. */
async function whatIsPublished(
  context: Context,
  owner: string,
  { assetId, planId }: PublishInput,
): Promise<{ readonly plan: Plan | null; readonly assets: readonly Asset[] }> {
  const plan = planId === undefined ? null : await readPlan(context, planId, owner);
  if (planId !== undefined && !plan) throw notYours('planId', 'plan', planId);
  if (assetId !== undefined) {
    const asset = await readAsset(context, assetId, owner);
    if (!asset) throw notYours('assetId', 'asset', assetId);
    const origin = await planOfAsset(context, asset);
    if (plan && origin !== plan.id)
      throw new AppError(
        'invalid_request',
        `assetId: expected an asset that the plan ${plan.id} has made, got ${JSON.stringify(assetId)}, which ${origin === null ? 'no plan' : `the plan ${origin}`} has made.`,
        { field: 'assetId' },
      );
    // what it is about is the caption, also where only the asset is named
    return { plan: origin === null ? null : await readPlan(context, origin, owner), assets: [asset] };
  }
  const assets = plan ? await assetsOfPlan(context, plan.id) : [];
  if (assets.length > 0) return { plan, assets };
  throw new AppError(
    'state_conflict',
    `planId: expected a plan that has been rendered, got ${JSON.stringify(planId)}, which has made nothing yet.`,
    { field: 'planId' },
  );
}

function notYours(field: string, what: string, id: string): AppError {
  return new AppError(
    'not_found',
    `${field}: expected the id of ${what === 'asset' ? 'an' : 'a'} ${what} of yours, got ${JSON.stringify(id)}.`,
    {
      field,
    },
  );
}

import type { Payload, Result } from '#queues/define.ts';
import type { publish } from '#queues/studio.ts';
import { addNotice } from '#src/governance/owners/notices.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { AppError, isRetryable } from '#src/lib/errors.ts';
import { type Asset, keepAsset, readAsset } from '#src/providers/assets/assets.ts';
import type { Channel } from '#src/studio/domain/words.ts';
import { channelAddress } from '#src/studio/model/publish-effect.ts';
import { type Plan, readPlan } from '#src/studio/model/store.ts';
import { type Approved, approvedEffect } from '#src/studio/packages/approved-effect.ts';
import { composePackage } from '#src/studio/packages/compose-package.ts';
import { deliverPackage } from '#src/studio/packages/deliver-package.ts';
import { openFileOf } from '#src/studio/packages/open-file.ts';
import type { PackageManifest, Publication } from '#src/studio/packages/package-manifest.ts';
import { writeZip } from '#src/studio/packages/write-zip.ts';
import { saltText, sealExecution } from '#src/studio/seal/seal-execution.ts';
import { publicUrlOf } from '#src/system/config/public-url.ts';
import type { Context } from '#src/system/context.ts';
import type { Processor, Run } from '#workers/run/processor.ts';
import { assertOpen } from './child-jobs.ts';
import { reframeAssets } from './reframe-assets.ts';

type Published = Result<typeof publish>['packages'][number];

interface Packaged {
  readonly channel: Channel;
  readonly manifest: PackageManifest;
  readonly asset: Asset;
}

/**
 * Makes an export package for each channel of an approved publication, and tells those receivers that the approval names,
 * each once; then the receipt. Run again, it finds the packages it has made and the messages it has sent.
 *
 * @throws AppError `invalid_approval`; `state_conflict` where the settings would now send somewhere else; `not_found` for
 *   an asset that is gone; what re-framing and delivering throw.
 */
export const publishPackagesProcessor: Processor<typeof publish> = async (run) => {
  const { payload, emit, signal, job, context } = run;
  const approved = await approvedEffect(context, job, payload.approvalId);
  await assertOpen(context, job.id);
  const plan = payload.planId === null ? null : await readPlan(context, payload.planId, job.owner);
  const publication = await publicationOf(context, run, plan, approved);
  const channels = payload.channels as Channel[];
  const of = channels.length;
  emit({ stage: 'reframing', done: 0, of });
  const reframed = await reframeAssets({ ...run, plan: plan?.id ?? null, assets: publication.assets }, channels);
  const packaged: Packaged[] = [];
  for (const channel of channels) {
    signal.throwIfAborted();
    emit({ stage: 'packaging', done: packaged.length, of });
    const { manifest, files } = await composePackage(context, publication, channel, reframed);
    const asset = await keepAsset(context, {
      owner: job.owner,
      job: job.id,
      name: `package-${channel}`,
      produced: { kind: 'package', mediaType: 'application/zip', bytes: writeZip(files, openFileOf(context)) },
      provider: null,
      capability: null,
      surface: 'studio',
    });
    packaged.push({ channel, manifest, asset });
  }
  emit({ stage: 'delivering', done: of, of });
  const packages = await deliverAll(run, packaged);
  emit({ stage: 'sealing', done: of, of });
  await seal(context, job.id, plan, payload);
  return { packages, receiptId: job.id, salt: saltText(context, job.id) };
};

async function publicationOf(
  context: Context,
  { payload, job }: Pick<Run<typeof publish>, 'payload' | 'job'>,
  plan: Plan | null,
  { approval, effect }: Approved,
): Promise<Publication> {
  const found = await Promise.all(payload.assetIds.map((id) => readAsset(context, id, job.owner)));
  const assets = found.map((asset, index) => {
    const id = payload.assetIds[index];
    if (!asset || asset.erasedAt !== null)
      throw new AppError('not_found', `expected the asset ${id} to be kept still, got none.`, { asset: id });
    if (effect.assets.some((one) => one.id === asset.id && one.sha256 === asset.sha256)) return asset;
    throw new AppError(
      'invalid_approval',
      `expected assets that the approval ${approval.id} is for, got ${id} with the SHA-256 ${asset.sha256}.`,
      { asset: id, reason: 'other_effect' },
    );
  });
  return {
    jobId: job.id,
    planId: plan?.id ?? null,
    title: plan?.plan.title ?? null,
    caption: effect.caption,
    approval: { id: approval.id, effectSha256: approval.effectHash, usedAt: approval.usedAt },
    receiptUrl: `${publicUrlOf(context.config, 'studio')}/api/v1/receipts/${job.id}`,
    assets,
  };
}

/**
 * Notifies every receiver, whatever another one answers; then throws the first failure that a retry may mend, or the
 * first.
 */
async function deliverAll(
  { context, job, signal }: Run<typeof publish>,
  packaged: readonly Packaged[],
): Promise<Published[]> {
  const published: Published[] = [];
  const failures: unknown[] = [];
  for (const { channel, manifest, asset } of packaged) {
    signal.throwIfAborted();
    const { id, name, kind, mediaType } = asset;
    const kept = { channel, asset: { id, name, kind, mediaType } };
    const address = channelAddress(context.config, channel);
    if (!address) {
      published.push({ ...kept, status: 'exported', externalId: null });
      continue;
    }
    try {
      const externalId = await deliverPackage(context, { job, address, asset, manifest }, signal);
      published.push({ ...kept, status: 'delivered', externalId });
      await notePackage(context, job, channel, 'delivered');
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AppError && error.code === 'outcome_unknown')
        await notePackage(context, job, channel, 'unknown');
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures.find(isRetryable) ?? failures[0];
  return published;
}

/** Notifies the owner’s endpoints, once: a later attempt finds the outcome among the effects, and notes it again. */
async function notePackage(
  { db }: Run<typeof publish>['context'],
  { id, owner }: Run<typeof publish>['job'],
  channel: string,
  outcome: 'delivered' | 'unknown',
): Promise<void> {
  const notice = { type: `package.${outcome}`, key: `package:${id}:${channel}:${outcome}` };
  await addNotice(db, { owner, ...notice, data: { id: `${id}.${channel}`, job: id, channel } });
}

/** As a publication that failed or was cancelled is sealed. */
async function seal(context: Context, id: string, plan: Plan | null, payload: Payload<typeof publish>): Promise<void> {
  const job = await readJob(context, id);
  if (!job) throw new AppError('not_found', `The job ${id} is gone.`, { job: id });
  const goal = plan?.plan.prompt ?? '';
  await sealExecution(context, { job, goal, plan: plan?.plan ?? payload, outcome: 'succeeded' });
}

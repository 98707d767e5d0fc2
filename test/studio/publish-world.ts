import { randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { sql } from 'slonik';
import type { Payload, Result } from '#queues/define.ts';
import { publish } from '#queues/studio.ts';
import { effectHash, requestApproval } from '#src/governance/approvals/request-approval.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import type { Principal } from '#src/lib/principal.ts';
import { type Asset, assetBytes, keepAsset, readAsset } from '#src/providers/assets/assets.ts';
import { startApproved } from '#src/studio/live/start-live.ts';
import { type PublishEffect, publishEffect } from '#src/studio/model/publish-effect.ts';
import { openContext } from '#src/system/context.ts';
import { testConfig } from '#test/helpers/config.ts';
import { testFolder, until } from '#test/helpers/processes.ts';
import { lively, runJobs } from '#test/helpers/run-jobs.ts';
import { handlers } from './publish-handlers.ts';
import { unzip } from './unzip.ts';

export const owner = 'ada';
const ada: Principal = {
  owner,
  keyId: randomUUIDv7(),
  scopes: ['studio.publish'],
  operator: false,
  human: null,
  tier: 'standard',
  session: null,
};

export type Published = Result<typeof publish>;

/** Publications on real servers; `fleet` starts what carries them out. */
export async function publishWorld(settings: Readonly<Record<string, string>> = {}) {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(testFolder());
  const { config, env } = stack.use(await testConfig({ PROOFLINE_HOME: folder.path, ...lively, ...settings }));
  const context = stack.use(await openContext(config, 'test'));
  if (context.redis.status !== 'ready') await once(context.redis, 'ready');
  const module = new URL('./publish-handlers.ts', import.meta.url);
  const { startFleet } = stack.use(await runJobs(context, { name: 'studio', handlers, module, fleet: false }));

  const keep = async (
    name: string,
    produced: Parameters<typeof keepAsset>[1]['produced'],
    more: Partial<Parameters<typeof keepAsset>[1]> = {},
  ) =>
    await keepAsset(context, {
      owner,
      job: randomUUIDv7(),
      name,
      produced,
      capability: null,
      provider: null,
      surface: 'studio',
      ...more,
    });

  /** A publication as it is submitted and approved; how a human comes to approve is tested elsewhere. */
  const start = async (
    assets: readonly Asset[],
    channels: readonly string[],
    {
      caption = 'Shoes that run. #shoes',
      seen = context.config.CHANNEL_WEBHOOKS,
      planId = null,
    }: { readonly caption?: string; readonly seen?: readonly string[]; readonly planId?: string | null } = {},
  ): Promise<Job> => {
    const effect: PublishEffect = publishEffect({ CHANNEL_WEBHOOKS: seen }, assets, channels, caption);
    const subject = assets[0]?.id ?? '';
    const asked = { subject, effect: { ...effect }, areas: [] };
    const { approval } = await context.db.transaction(
      async (tx) => await requestApproval(tx, { ...asked, owner, kind: 'publish', requestedBy: 'a test', ttlS: 600 }),
    );
    await context.db.query(sql.unsafe`update approvals set state = 'granted' where id = ${approval.id}`);
    const payload = (approvalId: string): Payload<typeof publish> => ({
      approvalId,
      assetIds: assets.map(({ id }) => id),
      planId,
      channels: [...channels],
    });
    const work = { queue: publish, kind: 'publish', plan: planId, payload, idempotencyKey: undefined } as const;
    const approved = { ...asked, effectHash: effectHash(asked.effect) };
    return await startApproved(context, ada, { ...work, approval: approved }, approval.id);
  };

  const ended = async (id: string): Promise<Job> => {
    let job: Job | null = null;
    await until(async () => {
      job = await readJob(context, id);
      return job !== null && isTerminal(job.state);
    });
    return job as unknown as Job;
  };

  /** The files of a package, by path. */
  const opened = async (assetId: string) => {
    const asset = await readAsset(context, assetId, owner);
    if (!asset) throw new Error(`no asset ${assetId}`);
    const files = await unzip(Buffer.from(await assetBytes(context, asset)));
    return { asset, files, manifest: JSON.parse(files.get('manifest.json')?.toString() ?? 'null') };
  };

  const all = stack.move();
  return {
    context,
    env,
    keep,
    start,
    ended,
    opened,
    fleet: startFleet,
    /** A film of 1280 × 720 and 6 seconds, with a thumbnail and captions, and what these are. */
    film: async (name = 'film', duration = 6) => {
      const job = randomUUIDv7();
      const size = { width: 1_280, height: 720 };
      const thumbnail = await keep(
        'thumbnail',
        { kind: 'image', mediaType: 'image/png', bytes: Buffer.from('glance'), ...size },
        { job },
      );
      const captions = await keep(
        'captions',
        { kind: 'text', mediaType: 'text/vtt', bytes: Buffer.from('WEBVTT\n\n1\n00:00.000 --> 02:30.000\nShoes\n') },
        { job },
      );
      const film = await keep(
        name,
        { kind: 'video', mediaType: 'video/mp4', bytes: Buffer.from(`film ${name}`), ...size, duration },
        { job, thumbnailId: thumbnail.id },
      );
      return { film, thumbnail, captions };
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

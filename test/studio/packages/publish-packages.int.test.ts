import { hash, randomUUIDv7 } from 'node:crypto';
import { sql } from 'slonik';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { listAssetsOfJobs } from '#src/providers/assets/assets.ts';
import { openDrawing } from '#src/providers/local/picture/draw.ts';
import { readReceipt } from '#src/receipts/receipt-store.ts';
import { channelFormats } from '#src/studio/domain/channel-formats.ts';
import { channels } from '#src/studio/domain/words.ts';
import { sealEnded } from '#src/studio/live/seal-ended.ts';
import type { BriefBody, PlanBody } from '#src/studio/model/bodies.ts';
import { insertBriefs, insertPlans } from '#src/studio/model/store.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { until } from '#test/helpers/processes.ts';
import { owner, type Published, publishWorld } from '#test/studio/publish-world.ts';

/** A picture of 640 × 360. */
async function picture(): Promise<Uint8Array> {
  const drawing = await openDrawing();
  return drawing.png(
    '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360"><rect width="640" height="360" fill="red"/></svg>',
  );
}

test('a package for each channel, in its format, with everything checked against its checksums', async () => {
  await using world = await publishWorld();
  await world.fleet();
  const { film, thumbnail, captions } = await world.film();
  const still = await world.keep(
    'still',
    { kind: 'image', mediaType: 'image/png', bytes: await picture(), width: 640, height: 360 },
    { provider: 'remote', capability: 'image.generate' },
  );
  const job = await world.start([film, thumbnail, still], channels);
  const { state, error, result } = await world.ended(job.id);
  expect({ state, error }).toEqual({ state: 'succeeded', error: null });
  const { packages, receiptId } = result as Published;
  expect(packages.map(({ channel }) => channel)).toEqual(channels);
  const digests: string[] = [];
  for (const { channel, asset: ref, status, externalId } of packages) {
    expect({ status, externalId, name: ref.name }).toEqual({
      status: 'exported',
      externalId: null,
      name: `package-${channel}`,
    });
    const { asset, files, manifest } = await world.opened(ref.id);
    expect(asset).toMatchObject({ kind: 'package', mediaType: 'application/zip' });
    digests.push(asset.sha256);
    const sums = (files.get('checksums.txt')?.toString() ?? '').trim().split('\n');
    expect(sums).toEqual(
      [...files]
        .filter(([path]) => path !== 'checksums.txt')
        .map(([path, bytes]) => `${hash('sha256', bytes, 'hex')}  ${path}`),
    );
    const { aspect } = channelFormats[channel as keyof typeof channelFormats];
    const [wide, high] = aspect.split(':').map(Number) as [number, number];
    const shown = manifest.files.filter(({ role }: { role: string }) => role === 'film' || role === 'picture');
    expect(shown).toHaveLength(2);
    for (const { width, height, sha256, path, reframedFrom } of shown) {
      expect(width / height).toBeCloseTo(wide / high, 1);
      expect(hash('sha256', files.get(path) ?? '', 'hex')).toBe(sha256);
      expect(reframedFrom === null).toBe(aspect === '16:9');
    }
    expect(manifest).toMatchObject({ channel, jobId: job.id, receipt: { id: job.id }, warnings: expect.any(Array) });
    expect([...files.keys()]).toEqual(
      expect.arrayContaining(['thumbnail.png', 'captions.vtt', 'caption.txt', 'alt-text.txt', 'README.txt']),
    );
    // the film ends before its captions do
    expect(files.get('captions.vtt')?.toString()).toContain('00:00.000 --> 00:00:06.000');
    expect(captions.sha256).not.toBe(hash('sha256', files.get('captions.vtt') ?? '', 'hex'));
    expect(files.get('caption.txt')?.toString()).toBe(`${manifest.caption}\n`);
  }
  // one film for each shape that it had not, whoever shares it
  const children = await world.context.db.anyFirst(sql.unsafe`
    select payload -> 'request' ->> 'aspect' from jobs where parent_id = ${job.id} order by 1`);
  expect(children).toEqual(['1:1', '4:5', '9:16']);
  const reframed = (await listAssetsOfJobs(world.context, [job.id])).filter(({ kind }) => kind === 'image');
  expect(reframed.map(({ provenance }) => provenance.digitalSourceType)).toEqual(
    Array.from({ length: 3 }, () => 'trainedAlgorithmicMedia'),
  );
  const receipt = await readReceipt(world.context, receiptId);
  expect(receipt?.statement.predicate.outcome).toBe('succeeded');
  expect(receipt?.statement.subject.map(({ digest }) => digest.sha256)).toEqual(expect.arrayContaining(digests));
});

test('what cannot be re-framed goes in as it is, and the package says so', async () => {
  await using world = await publishWorld();
  await world.fleet();
  const { film } = await world.film('unreadable');
  const broken = await world.keep('still', {
    kind: 'image',
    mediaType: 'image/png',
    bytes: (await picture()).subarray(0, 60),
    width: 640,
    height: 360,
  });
  const job = await world.start([film, broken], ['tiktok']);
  const { packages } = (await world.ended(job.id)).result as Published;
  const { files, manifest } = await world.opened(packages[0]?.asset.id ?? '');
  expect(hash('sha256', files.get('media/film.mp4') ?? '', 'hex')).toBe(film.sha256);
  expect(hash('sha256', files.get('media/picture-1.png') ?? '', 'hex')).toBe(broken.sha256);
  expect(manifest.warnings).toEqual([
    expect.stringMatching(/^media\/film: this is the original, .* expected a film, got noise\./),
    expect.stringMatching(/^media\/picture-1: this is the original, .* can be read as image\/png/),
  ]);
  expect(files.get('README.txt')?.toString()).toContain(manifest.warnings[0]);
});

test('a film that is too long is cut to what the channel takes, and its captions with it', async () => {
  await using world = await publishWorld();
  await world.fleet();
  const { film } = await world.film('film', 200);
  const job = await world.start([film], ['x_twitter']);
  const { packages } = (await world.ended(job.id)).result as Published;
  const { files, manifest } = await world.opened(packages[0]?.asset.id ?? '');
  expect(manifest.files[0]).toMatchObject({ role: 'film', duration: 140, reframedFrom: film.id });
  expect(manifest.warnings).toEqual(['media/film: cut to its first 140 s, which is the most that X takes.']);
  expect(files.get('captions.vtt')?.toString()).toContain('--> 00:02:20.000');
});

test('error: an asset whose bytes were erased cannot be packaged', async () => {
  await using world = await publishWorld();
  const { film } = await world.film();
  const job = await world.start([film], ['gumroad']);
  await world.context.db.query(sql.unsafe`update assets set erased_at = now() where id = ${film.id}`);
  await world.fleet();
  expect(await world.ended(job.id)).toMatchObject({ state: 'failed', error: { code: 'not_found' } });
});

test('a publication of a plan carries its title, and leaves a receipt', async () => {
  await using world = await publishWorld();
  const { context } = world;
  const [briefId, planId] = [randomUUIDv7(), randomUUIDv7()];
  const plan = { title: 'Shoes', prompt: 'Shoes that run. #shoes', steps: [] } as unknown as PlanBody;
  await insertBriefs(context.db, [{ id: briefId, owner, brief: {} as BriefBody }]);
  await insertPlans(context.db, [{ id: planId, owner, briefId, plan, planHash: '00'.repeat(32) }]);
  await world.fleet();
  const { film } = await world.film();
  const job = await world.start([film], ['gumroad'], { planId, caption: plan.prompt });
  const { packages, receiptId, salt } = (await world.ended(job.id)).result as Published;
  const { files, manifest } = await world.opened(packages[0]?.asset.id ?? '');
  expect(manifest).toMatchObject({ planId, title: 'Shoes', caption: 'Shoes that run.' });
  expect(files.get('title.txt')?.toString()).toBe('Shoes\n');
  const receipt = await readReceipt(context, receiptId);
  expect(receipt?.statement.predicate.outcome).toBe('succeeded');
  expect(salt).toMatch(/^[0-9a-f]{64}$/);
});

test('a publication that is cancelled takes its child jobs with it, and leaves a receipt', async () => {
  await using world = await publishWorld();
  const { context } = world;
  await world.fleet();
  const { film } = await world.film('slow');
  const job = await world.start([film], ['tiktok']);
  const child = async () =>
    await context.db.maybeOne(
      sql.type(row(Type.Object({ id: Type.String(), state: Type.String() })))`
      select id, state from jobs where parent_id = ${job.id}`,
    );
  await until(async () => (await child())?.state === 'running');
  await cancelJob(context, job.id, 'a test');
  await until(async () => (await child())?.state === 'cancelled');
  await sealEnded(context);
  expect((await readReceipt(context, job.id))?.statement.predicate.outcome).toBe('cancelled');
});

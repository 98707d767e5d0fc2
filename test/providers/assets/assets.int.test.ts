import { hash, randomUUIDv7 } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { readOwnerEvents } from '#src/governance/owners/owner-log.ts';
import { forgetAssets } from '#src/providers/assets/asset-retention.ts';
import { assetBytes, listAssets, listAssetsOfJobs, readAsset } from '#src/providers/assets/assets.ts';
import { blobsOf } from '#src/system/blobs/blobs.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { testConfig } from '#test/helpers/config.ts';
import { contentsOf, keep, picture, testHome } from '#test/providers/asset-world.ts';

async function begin(settings: Readonly<Record<string, string>> = {}) {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await testHome());
  const { config } = stack.use(await testConfig({ PROOFLINE_HOME: home.path, ...settings }));
  const context = stack.use(await openContext(config, 'worker'));
  const all = stack.move();
  return { context, home: home.path, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

const vtt = (text: string) => ({ kind: 'text', mediaType: 'text/vtt', bytes: Buffer.from(text) }) as const;

test('a product is stored with what is known of it, found by its owner alone, and published once', async () => {
  await using system = await begin();
  const { context } = system;
  const job = randomUUIDv7();
  const produced = {
    ...vtt('WEBVTT\n'),
    kind: 'video',
    mediaType: 'video/webm',
    width: 64,
    height: 48,
    duration: 1.5,
  } as const;
  const asset = await keep(context, { job, name: 'video', produced });
  expect(asset).toMatchObject({ job, owner: 'owner-1', width: 64, height: 48, duration: 1.5, size: 7, erasedAt: null });
  expect(asset.sha256).toBe(hash('sha256', 'WEBVTT\n', 'hex'));
  expect(asset.provenance).toMatchObject({ kind: 'none', note: expect.stringContaining('video/webm') });
  expect(await readAsset(context, asset.id, 'owner-1')).toEqual(asset);
  expect(await readAsset(context, asset.id, 'owner-2')).toBeNull();
  expect(await readAsset(context, 'no id', 'owner-1')).toBeNull();
  expect(Buffer.from(await assetBytes(context, asset)).toString()).toBe('WEBVTT\n');
  const events = await readOwnerEvents(context, 'owner-1', 0, 10);
  expect(events.map(({ type }) => type)).toEqual(['asset.created']);
  expect(events[0]?.data).toMatchObject({ id: asset.id, job, sha256: asset.sha256, surface: 'studio' });
});

test('the same job and name again is the same asset, whatever the bytes; at once as well', async () => {
  await using system = await begin();
  const { context, home } = system;
  const job = randomUUIDv7();
  const tries = ['a', 'b', 'c', 'd'].map((text) => keep(context, { job, produced: vtt(text) }));
  const assets = await Promise.all(tries);
  expect(new Set(assets.map(({ id }) => id)).size).toBe(1);
  const unread = Readable.from([Buffer.from('e')]);
  expect((await keep(context, { job, produced: { ...vtt(''), bytes: unread } })).id).toBe(assets[0]?.id);
  expect(unread.destroyed).toBe(true);
  expect(await contentsOf(home)).toEqual([assets[0]?.sha256]);
  expect(await readOwnerEvents(context, 'owner-1', 0, 10)).toHaveLength(1);
});

test('the same bytes of two jobs are two assets of one content', async () => {
  await using system = await begin();
  const [left, right] = [await keep(system.context), await keep(system.context, { owner: 'owner-2' })];
  expect(left.id).not.toBe(right.id);
  expect(await contentsOf(system.home)).toEqual([left.sha256]);
});

test('what is re-framed here keeps the kind of source of what it was, also where no file says it', async () => {
  await using system = await begin();
  const { context } = system;
  const film = (bytes: string) => ({ kind: 'video', mediaType: 'video/webm', bytes: Buffer.from(bytes) }) as const;
  const theirs = await keep(context, { provider: 'remote', produced: film('theirs') });
  const tall = await keep(context, { capability: 'video.edit', produced: film('tall'), madeFrom: [theirs.id] });
  const square = await keep(context, { capability: 'video.edit', produced: film('square'), madeFrom: [tall.id] });
  expect(square.provenance).toMatchObject({ kind: 'none', digitalSourceType: 'trainedAlgorithmicMedia' });
  const ours = await keep(context, { produced: film('ours') });
  const both = await keep(context, { produced: film('both'), madeFrom: [ours.id, tall.id] });
  expect(both.provenance).toMatchObject({ digitalSourceType: 'compositeWithTrainedAlgorithmicMedia' });
  const stranger = await keep(context, { owner: 'owner-2', produced: film('other'), madeFrom: [theirs.id] });
  expect(stranger.provenance).toMatchObject({ digitalSourceType: 'algorithmicMedia' });
});

test('an asset names the picture that shows it, and a job’s are listed as they were made', async () => {
  await using system = await begin();
  const { context } = system;
  const job = randomUUIDv7();
  const png = { kind: 'image', mediaType: 'image/png', bytes: picture('red') } as const;
  const still = await keep(context, { job, name: 'still', produced: png });
  expect(still.provenance).toMatchObject({ kind: 'c2pa', signer: { development: true } });
  const film = await keep(context, { job, name: 'video', thumbnailId: still.id });
  expect(film.thumbnail).toBe(still.id);
  expect(await listAssetsOfJobs(context, [job])).toEqual([still, film]);
});

test('an owner’s assets are listed newest first, page by page, by kind', async () => {
  await using system = await begin();
  const { context } = system;
  const [first, second, third] = [await keep(context), await keep(context), await keep(context)];
  await keep(context, { owner: 'owner-2' });
  const ids = async (filter: object) =>
    (await listAssets(context, { owner: 'owner-1', limit: 2, ...filter })).map(({ id }) => id);
  expect(await ids({})).toEqual([third.id, second.id]);
  expect(await ids({ before: second.id })).toEqual([first.id]);
  expect(await ids({ kind: 'image' })).toEqual([]);
});

test('retention erases old bytes, but none that a younger asset needs; what is said of them stays', async () => {
  await using system = await begin({ ARTEFACT_RETENTION_DAYS: '10' });
  const { context, home } = system;
  const [old, alone, young] = [
    await keep(context),
    await keep(context, { produced: vtt('alone') }),
    await keep(context),
  ];
  const age = async (ids: readonly string[]) =>
    await context.db.query(
      sql.unsafe`update assets set created_at = now() - interval '11 days' where id = any(${sql.array([...ids], 'uuid')})`,
    );
  await age([old.id, alone.id]);
  expect(await forgetAssets(context)).toEqual({ erased: 2, removed: 1, parts: 0 });
  expect(await contentsOf(home)).toEqual([young.sha256]);
  expect(await readAsset(context, alone.id, 'owner-1')).toMatchObject({ size: 5, erasedAt: expect.any(Date) });
  await expect(assetBytes(context, { ...alone, erasedAt: new Date() })).rejects.toMatchObject({ code: 'not_found' });
  expect(await forgetAssets(context)).toEqual({ erased: 0, removed: 0, parts: 0 });
  await age([young.id]);
  expect(await forgetAssets(context)).toEqual({ erased: 1, removed: 1, parts: 0 });
  expect(await contentsOf(home)).toEqual([]);
});

test('bytes that are stored while the same old ones are erased are there afterwards', async () => {
  await using system = await begin({ ARTEFACT_RETENTION_DAYS: '10' });
  const { context } = system;
  const blobs = blobsOf(context);
  const { remove } = blobs;
  for (const asStream of [false, true]) {
    const text = `WEBVTT ${asStream}`;
    const old = await keep(context, { produced: vtt(text) });
    await context.db.query(sql.unsafe`update assets set created_at = now() - interval '11 days' where id = ${old.id}`);
    // no job needs them any more, it was found; now a job comes that does, and then they go
    const [found, come] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const fresh = found.promise.then(async () => {
      const bytes = asStream ? Readable.from([Buffer.from(text)]) : Buffer.from(text);
      const keeping = keep(context, { produced: { ...vtt(''), bytes } });
      await Promise.race([keeping, somebodyWaits(context)]);
      come.resolve();
      return await keeping;
    });
    Object.assign(blobs, {
      remove: async (sha256: string) => {
        found.resolve();
        await come.promise;
        await remove(sha256);
      },
    });
    const settled = Promise.allSettled([fresh]);
    expect(await forgetAssets(context)).toMatchObject({ erased: 1, removed: 1 });
    const [outcome] = await settled;
    // a stream cannot be read once more: it is said, and trying again helps
    if (asStream) expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    else expect(Buffer.from(await assetBytes(context, await fresh)).toString()).toBe(text);
  }
});

/** Until a session of this database waits for a lock that another one holds. */
async function somebodyWaits({ db }: Context): Promise<void> {
  for (;;) {
    const waiting = await db.oneFirst(sql.unsafe`
      select count(*) from pg_locks l join pg_database d on d.oid = l.database
      where locktype = 'advisory' and not granted and datname = current_database()`);
    if (Number(waiting) > 0) return;
    await sleep(5);
  }
}

test('error: bytes that the storage has lost or changed are not taken for the stored ones', async () => {
  await using system = await begin();
  const { context, home } = system;
  const asset = await keep(context);
  const path = join(home, 'artefacts', asset.sha256.slice(0, 2), asset.sha256.slice(2, 4), asset.sha256);
  writeFileSync(path, 'WEBVTT!');
  await expect(assetBytes(context, asset)).rejects.toMatchObject({ code: 'internal' });
  rmSync(path);
  await expect(assetBytes(context, asset)).rejects.toMatchObject({ code: 'internal' });
});

test('error: too much is refused, and nothing of it is stored or published', async () => {
  await using system = await begin({ ARTEFACT_MAX_BYTES: '1024' });
  const { context, home } = system;
  await expect(keep(context, { produced: vtt('x'.repeat(1_025)) })).rejects.toMatchObject({
    code: 'payload_too_large',
  });
  expect(await contentsOf(home)).toEqual([]);
  expect(readdirSync(join(home, 'artefacts', 'parts'))).toEqual([]);
  expect(await readOwnerEvents(context, 'owner-1', 0, 10)).toEqual([]);
  expect(await blobsOf(context).holds(hash('sha256', 'x'.repeat(1_025), 'hex'))).toBe(false);
});

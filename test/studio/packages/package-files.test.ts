import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { channels } from '#src/studio/domain/words.ts';
import { assetFile, checksumsOf, textFile } from '#src/studio/packages/package-files.ts';
import { manifestOf } from '#src/studio/packages/package-manifest.ts';
import { packageMessage } from '#src/studio/packages/package-message.ts';
import { readMe } from '#src/studio/packages/read-me.ts';
import { writeZip } from '#src/studio/packages/write-zip.ts';
import { runCommand, testFolder } from '#test/helpers/processes.ts';
import { someAsset, someFilm, somePublication } from '#test/studio/package-parts.ts';
import { unzip } from '#test/studio/unzip.ts';

/** Its bytes are its own number. */
const picture = someAsset(7);
const files = [
  assetFile('media/picture-1', 'picture', picture),
  textFile('caption.txt', 'caption', 'text/plain', 'Grüße 👋\n'),
  textFile('empty.txt', 'other', 'text/plain', ''),
];
const open = async () => Readable.from([Buffer.from('7')]);

test('the same files are the same bytes, in every time zone', async () => {
  const first = await buffer(writeZip(files, open));
  expect(await buffer(writeZip(files, open))).toEqual(first);
  const source = `
    const { writeZip } = await import(${JSON.stringify(new URL('../../../src/studio/packages/write-zip.ts', import.meta.url).href)});
    const { textFile } = await import(${JSON.stringify(new URL('../../../src/studio/packages/package-files.ts', import.meta.url).href)});
    const { buffer } = await import('node:stream/consumers');
    const bytes = await buffer(writeZip([textFile('a.txt', 'other', 'text/plain', 'a')], () => {}));
    console.log('bytes ' + bytes.toString('hex'));`;
  const there = await Promise.all(
    ['Pacific/Auckland', 'America/Los_Angeles'].map(async (TZ) => {
      await using script = runCommand(process.execPath, ['--input-type=module', '-e', source], { TZ });
      return (await script.printed(/bytes ([0-9a-f]+)/))[1];
    }),
  );
  expect(there[1]).toBe(there[0]);
});

test('sha256sum agrees with checksums.txt about every file', async () => {
  using folder = testFolder();
  const unpacked = await unzip(await buffer(writeZip(files, open)));
  for (const [path, bytes] of unpacked) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), bytes);
  }
  expect([...unpacked.keys()].at(-1)).toBe('checksums.txt');
  expect(unpacked.get('checksums.txt')?.toString()).toBe(checksumsOf(files));
  const said = execFileSync('sha256sum', ['-c', '--strict', 'checksums.txt'], { cwd: folder.path, encoding: 'utf8' });
  expect(said.trim().split('\n')).toEqual(files.map(({ path }) => `${path}: OK`));
});

test.each([
  ['others than were kept', async () => Readable.from([Buffer.from('8')]), { code: 'internal' }],
  ['bytes that break off', async () => Readable.from(breaking()), { message: 'torn' }],
  ['none', async () => Promise.reject(new Error('gone')), { message: 'gone' }],
])('error: %s end the package', async (_what, opened, error) => {
  await expect(buffer(writeZip(files, opened))).rejects.toMatchObject(error);
});

async function* breaking() {
  yield Buffer.from('7');
  throw new Error('torn');
}

test('a package whose reader stops releases what it reads', async () => {
  const source = new Readable({ read: () => {} });
  const zip = writeZip(files, async () => source);
  const closed = new Promise((resolve) => source.once('close', resolve));
  zip.resume();
  await new Promise((resolve) => source.once('resume', resolve));
  zip.destroy();
  await closed;
  expect(source.destroyed).toBe(true);
});

test.each(channels)('%s: the manifest says everything, and the same again', (channel) => {
  const film = someFilm(1, { provenance: { kind: 'c2pa', note: '' } });
  const original = someFilm(2);
  const publication = somePublication({ assets: [original, picture] });
  const packed = {
    files: [assetFile('media/film', 'film', film, original), assetFile('thumbnail', 'thumbnail', picture)],
    leftOut: [{ asset: picture, why: 'it is a picture' }],
    warnings: ['look'],
  };
  const manifest = manifestOf(publication, channel, packed);
  expect(manifestOf(publication, channel, packed)).toEqual(manifest);
  expect(manifest).toMatchObject({
    channel,
    madeFor: { caption: expect.any(Number), counts: expect.any(String) },
    receipt: { id: publication.jobId },
    approval: { id: publication.approval.id, effectSha256: publication.approval.effectSha256 },
    schedule: { isSuggestion: true },
    files: [
      {
        path: 'media/film.mp4',
        role: 'film',
        sha256: film.sha256,
        width: 1_280,
        duration: 6,
        altText: 'Film of 6 s: Shoes that run',
        assetId: film.id,
        reframedFrom: original.id,
        provenance: 'c2pa',
      },
      { path: 'thumbnail.png', altText: null, reframedFrom: null, provenance: 'none' },
    ],
    assets: [{ id: original.id }, { id: picture.id }],
    leftOut: [{ assetId: picture.id, why: 'it is a picture' }],
    warnings: ['look'],
  });
  const text = readMe(manifest);
  for (const part of [
    'Nothing in here has been posted',
    'look',
    manifest.caption,
    manifest.receipt.url,
    'A suggestion',
  ])
    expect(text).toContain(part);
});

test('a message stays below 20 kB, whatever is in the package', () => {
  const link = { url: `https://studio.example/${'x'.repeat(300)}`, expiresAt: '2026-11-29T10:00:00.000Z' };
  const many = Array.from({ length: 50 }, (_, n) => someAsset(n, { name: 'n'.repeat(200) }));
  const publication = somePublication({ assets: many, caption: `日${'本'.repeat(3_999)}`, title: '日'.repeat(140) });
  const small = manifestOf(somePublication(), 'shopify', { files: [], leftOut: [], warnings: [] });
  expect(JSON.parse(packageMessage(small, picture, link, 'now'))).toMatchObject({
    type: 'package.ready',
    timestamp: 'now',
    data: {
      channel: 'shopify',
      package: { id: picture.id, sha256: picture.sha256, size: picture.size, ...link },
      manifest: { files: [], warnings: [] },
      caption: small.caption,
    },
  });
  const large = manifestOf(publication, 'shopify', {
    files: many.map((asset, n) => assetFile(`media/picture-${n + 1}`, 'picture', asset)),
    leftOut: [],
    warnings: ['look'],
  });
  const message = packageMessage(large, picture, link, '2026-11-22T10:00:00.000Z');
  expect(Buffer.byteLength(message)).toBeLessThan(20_000);
  expect(JSON.parse(message).data).toMatchObject({
    manifest: { abridged: true, counts: { files: 50, assets: 50, leftOut: 0, warnings: 1 } },
    caption: large.caption,
  });
});

import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Blobs } from '#src/system/blobs/blob-store.ts';
import { diskBlobs } from '#src/system/blobs/disk-blobs.ts';
import { gather } from '#src/system/blobs/gather.ts';
import { s3Blobs } from '#src/system/blobs/s3-blobs.ts';
import { bucket, credentials, s3Server } from '#test/helpers/vendors/s3.ts';

const MAX_BYTES = 24 * 1_048_576;
const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A storage for one test. */
interface Trial extends AsyncDisposable {
  readonly blobs: Blobs;
  readonly folder: string;
  readonly kept: () => number;
  /** Requests that the storage got with a part of a content each. */
  readonly partsSent: () => number;
}

async function onDisk(): Promise<Trial> {
  const home = await mkdtempDisposable(join(tmpdir(), 'blobs-'));
  const folder = home.path;
  const kept = () =>
    readdirSync(folder, { recursive: true }).filter((name) => /[0-9a-f]{64}$/.test(String(name))).length;
  return {
    blobs: diskBlobs({ folder, maxBytes: MAX_BYTES }),
    folder,
    kept,
    partsSent: () => 0,
    [Symbol.asyncDispose]: () => home.remove(),
  };
}

async function inBucket(): Promise<Trial> {
  const home = await mkdtempDisposable(join(tmpdir(), 'blobs-'));
  const server = await s3Server();
  const blobs = s3Blobs({
    folder: home.path,
    maxBytes: MAX_BYTES,
    bucket,
    endpoint: server.url,
    region: 'us-east-1',
    pathStyle: true,
  });
  return {
    blobs,
    folder: home.path,
    kept: () => server.objects.size,
    partsSent: () => server.received.filter((one) => one.includes('partNumber=')).length,
    [Symbol.asyncDispose]: async () => {
      await blobs.close();
      await server[Symbol.asyncDispose]();
      await home.remove();
    },
  };
}

beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
});
afterEach(() => vi.unstubAllEnvs());

const readAll = async (opened: Awaited<ReturnType<Blobs['open']>>) => opened && (await buffer(opened.stream));
const partsIn = (folder: string) => (existsSync(join(folder, 'parts')) ? readdirSync(join(folder, 'parts')) : []);

const storages = [
  ['a folder', onDisk],
  ['a bucket', inBucket],
] as const;

test.each(storages)('%s: content is found by its digest, whole and in parts, and kept once', async (_name, begin) => {
  await using trial = await begin();
  const { blobs } = trial;
  const bytes = randomBytes(100_000);
  const put = await blobs.put(bytes);
  expect(put).toEqual({ sha256: digestOf(bytes), size: bytes.length });
  expect(await blobs.put(Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]))).toEqual(put);
  expect(trial.kept()).toBe(1);
  expect(await blobs.holds(put.sha256)).toBe(true);
  const opened = await blobs.open(put.sha256);
  expect(opened?.size).toBe(bytes.length);
  expect((await readAll(opened))?.equals(bytes)).toBe(true);
  const part = await blobs.open(put.sha256, { start: 10, end: 19 });
  expect(part?.size).toBe(bytes.length);
  expect((await readAll(part))?.equals(bytes.subarray(10, 20))).toBe(true);
  expect(partsIn(trial.folder)).toEqual([]);
});

test.each(storages)('%s: a film of many parts arrives as it was, from a stream', async (name, begin) => {
  await using trial = await begin();
  const chunk = randomBytes(1_048_576);
  const film = Buffer.concat(Array.from({ length: 18 }, () => chunk));
  const put = await trial.blobs.put(Readable.from(Array.from({ length: 18 }, () => chunk)));
  expect(put).toEqual({ sha256: digestOf(film), size: film.length });
  expect((await readAll(await trial.blobs.open(put.sha256)))?.equals(film)).toBe(true);
  expect(trial.partsSent()).toBe(name === 'a bucket' ? 3 : 0);
});

test.each(storages)('%s: nothing is there before it is put and after it is removed', async (_name, begin) => {
  await using trial = await begin();
  const { blobs } = trial;
  const bytes = randomBytes(10);
  expect(await blobs.open(digestOf(bytes))).toBeNull();
  expect(await blobs.holds(digestOf(bytes))).toBe(false);
  const { sha256 } = await blobs.put(bytes);
  await blobs.remove(sha256);
  await blobs.remove(sha256);
  expect(await blobs.open(sha256)).toBeNull();
  expect(await blobs.holds(sha256)).toBe(false);
});

test.each(storages)('%s: empty content is content', async (_name, begin) => {
  await using trial = await begin();
  const { sha256, size } = await trial.blobs.put(Buffer.alloc(0));
  expect(size).toBe(0);
  expect(await readAll(await trial.blobs.open(sha256))).toEqual(Buffer.alloc(0));
});

test.each(storages)('%s: error: too much is refused, and leaves nothing', async (_name, begin) => {
  await using trial = await begin();
  const chunk = Buffer.alloc(1_048_576);
  const endless = Readable.from(
    (function* () {
      for (;;) yield chunk;
    })(),
  );
  await expect(trial.blobs.put(endless)).rejects.toMatchObject({ code: 'payload_too_large' });
  expect(endless.destroyed).toBe(true);
  expect([trial.kept(), partsIn(trial.folder)]).toEqual([0, []]);
});

test.each(storages)('%s: error: a source that breaks off leaves nothing, and its own error', async (_name, begin) => {
  await using trial = await begin();
  const half = Readable.from(
    (function* () {
      yield Buffer.alloc(1_000);
      throw new TypeError('half a file');
    })(),
  );
  await expect(trial.blobs.put(half)).rejects.toThrow('half a file');
  expect([trial.kept(), partsIn(trial.folder)]).toEqual([0, []]);
});

test.each(storages)('%s: what a writer left is removed after a day, and not before', async (_name, begin) => {
  await using trial = await begin();
  mkdirSync(join(trial.folder, 'parts'));
  const [old, young] = ['old', 'young'].map((name) => join(trial.folder, 'parts', name));
  for (const path of [old, young]) writeFileSync(path as string, 'half');
  const past = Date.now() / 1_000 - 90_000;
  utimesSync(old as string, past, past);
  expect(await trial.blobs.tidy()).toBe(1);
  expect(partsIn(trial.folder)).toEqual(['young']);
});

test.runIf(existsSync('/dev/full'))(
  'error: a full disk is said to be full, and what was written is removed',
  async () => {
    await using home = await mkdtempDisposable(join(tmpdir(), 'blobs-'));
    const path = join(home.path, 'part');
    // a device on which every write fails for want of room, by another name
    symlinkSync('/dev/full', path);
    await expect(gather(path, randomBytes(10), 100)).rejects.toMatchObject({ code: 'storage_full' });
    expect(readdirSync(home.path)).toEqual([]);
    expect(existsSync('/dev/full')).toBe(true);
  },
);

test('error: a folder that cannot be made is no content that is missing', async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), 'blobs-'));
  const folder = join(home.path, 'file');
  await writeFile(folder, '');
  const blobs = diskBlobs({ folder, maxBytes: 100 });
  await expect(blobs.put(randomBytes(10))).rejects.toMatchObject({ code: 'unavailable' });
  await expect(blobs.open('0'.repeat(64))).rejects.toMatchObject({ code: 'unavailable' });
});

test('error: a bucket that is full, away or not there says so', async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), 'blobs-'));
  const server = await s3Server();
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
  const options = { folder: home.path, maxBytes: 100, endpoint: server.url, region: 'us-east-1', pathStyle: true };
  const blobs = s3Blobs({ ...options, bucket });
  const elsewhere = s3Blobs({ ...options, bucket: 'no-such-bucket' });
  server.refuse = 507;
  await expect(blobs.put(randomBytes(10))).rejects.toMatchObject({ code: 'storage_full' });
  server.refuse = 503;
  await expect(blobs.put(randomBytes(10))).rejects.toMatchObject({ code: 'unavailable' });
  await expect(elsewhere.open('0'.repeat(64))).rejects.toMatchObject({ code: 'unavailable' });
  await server[Symbol.asyncDispose]();
  await expect(blobs.open('0'.repeat(64))).rejects.toMatchObject({ code: 'unavailable' });
  expect(partsIn(home.path)).toEqual([]);
  await blobs.close();
  await elsewhere.close();
});

test('error: a wrong secret is refused by the storage, which checks signatures', async () => {
  await using trial = await inBucket();
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'another secret');
  await expect(trial.blobs.put(randomBytes(10))).rejects.toMatchObject({ code: 'unavailable' });
  expect(trial.kept()).toBe(0);
});

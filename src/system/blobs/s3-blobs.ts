import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { AppError } from '#src/lib/errors.ts';
import type { Blobs, ByteRange } from './blob-store.ts';
import type { DiskOptions } from './disk-blobs.ts';
import { gather, newPart, storageError, tidyParts } from './gather.ts';

/** S3 takes 10,000 parts, of at least 5 MiB but the last. */
const PART_BYTES = 8 * 1_048_576;
const MOST_PARTS = 10_000;

export interface S3Options extends DiskOptions {
  readonly bucket: string;
  /** AWS's own without one. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  readonly pathStyle: boolean;
}

/**
 * Content in a bucket: `ab/cd/<sha256>`. Its name is its digest, which is known when all of it is there, so it is gathered
 * in the folder first; the storage checks the SHA-256 of each part that it is sent. The library is loaded at first use.
 */
export function s3Blobs(options: S3Options): Blobs & { readonly close: () => Promise<void> } {
  const { bucket, folder, maxBytes } = options;
  let opening: ReturnType<typeof openClient> | null = null;
  const client = () => (opening ??= openClient(options));
  const at = (sha256: string) => ({
    Bucket: bucket,
    Key: `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`,
  });
  return {
    put: async (source) => {
      const { path, sha256, size } = await gather(await newPart(folder), source, maxBytes);
      try {
        const { s3 } = await client();
        const { Upload } = await import('@aws-sdk/lib-storage');
        const upload = new Upload({
          client: s3,
          params: { ...at(sha256), Body: createReadStream(path), ChecksumAlgorithm: 'SHA256' },
          partSize: Math.max(PART_BYTES, Math.ceil(size / MOST_PARTS)),
          queueSize: 2,
        });
        await upload.done();
        return { sha256, size };
      } catch (error) {
        throw bucketError(error);
      } finally {
        await rm(path, { force: true });
      }
    },
    open: async (sha256, range) => {
      const { s3, GetObjectCommand } = await client();
      const request = new GetObjectCommand({ ...at(sha256), ...(range && { Range: rangeOf(range) }) });
      const found = await s3.send(request).catch(nullIfMissing);
      if (!found?.Body) return null;
      const whole = found.ContentRange?.split('/')[1];
      return { stream: found.Body as Readable, size: Number(whole ?? found.ContentLength) };
    },
    remove: async (sha256) => {
      const { s3, DeleteObjectCommand } = await client();
      await s3.send(new DeleteObjectCommand(at(sha256))).catch(nullIfMissing);
    },
    holds: async (sha256) => {
      const { s3, HeadObjectCommand } = await client();
      return (await s3.send(new HeadObjectCommand(at(sha256))).catch(nullIfMissing)) !== null;
    },
    tidy: async () => await tidyParts(folder),
    close: async () => {
      if (opening) (await opening).s3.destroy();
    },
  };
}

async function openClient({ endpoint, region, pathStyle }: S3Options) {
  const library = await import('@aws-sdk/client-s3');
  const s3: S3Client = new library.S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint !== undefined && { endpoint }),
    // other storages than AWS's do not know the sums that the library would add of its own accord
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { ...library, s3 };
}

const rangeOf = ({ start, end }: ByteRange): string => `bytes=${start}-${end}`;

function nullIfMissing(error: unknown): null {
  // a bucket that is not there is no content that is not there
  const isMissing = statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket';
  if (isMissing) return null;
  throw bucketError(error);
}

function bucketError(error: unknown): AppError {
  if (statusOf(error) !== 507) return storageError(error);
  const message = 'expected room for what was made in the artefact storage, got none: it is full.';
  return new AppError('storage_full', message, {}, error);
}

function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('$metadata' in error)) return null;
  const { httpStatusCode: status } = error.$metadata as { readonly httpStatusCode?: number };
  return status ?? null;
}

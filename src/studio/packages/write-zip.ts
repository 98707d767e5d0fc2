import { createHash } from 'node:crypto';
import { type PassThrough, pipeline, Readable, Transform } from 'node:stream';
import { ZipFile } from 'yazl';
import { AppError } from '#src/lib/errors.ts';
import { checksumsOf, type PackageFile } from './package-files.ts';

/**
 * In local time, as that is what ZIP has and the library writes: the bytes are the same in every time zone. The first
 * instant that ZIP knows.
 */
const TIME = new Date(1980, 0, 1);
const entry = { mtime: TIME, mode: 0o100_644, compress: false, forceDosTimestamp: true } as const;

/** Opens the bytes of a file. @throws what keeps it from being read */
export type OpenFile = (file: PackageFile) => Promise<Readable>;

/**
 * A ZIP of these files in this order, with their checksums last. The same files are the same bytes: times are fixed,
 * and nothing is compressed (what is large is compressed already, and another zlib may pack differently). The bytes of
 * each file are compared with its digest on their way; the stream fails where they differ.
 */
export function writeZip(files: readonly PackageFile[], openFile: OpenFile): Readable {
  const zip = new ZipFile();
  // what the library's type does not say
  const out = zip.outputStream as PassThrough;
  let reading: Readable | null = null;
  zip.on('error', (error: Error) => out.destroy(error));
  out.once('close', () => reading?.destroy());
  for (const file of files) {
    if (file.text !== null) {
      zip.addBuffer(Buffer.from(file.text), file.path, entry);
      continue;
    }
    zip.addReadStreamLazy(file.path, { ...entry, size: file.size }, (give) => {
      openFile(file).then(
        (stream) => {
          reading = stream;
          if (out.destroyed) stream.destroy();
          give(
            null,
            pipeline(stream, checked(file), (error) => error && out.destroy(error)),
          );
        },
        (error: unknown) => give(error, Readable.from([])),
      );
    });
  }
  zip.addBuffer(Buffer.from(checksumsOf(files)), 'checksums.txt', entry);
  zip.end();
  return out;
}

/** Passes bytes on, and fails at their end where they are not the stored ones. */
function checked({ path, sha256 }: PackageFile): Transform {
  const hash = createHash('sha256');
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
    flush: (done) => done(hash.digest('hex') === sha256 ? null : damaged(path)),
  });
}

function damaged(path: string): AppError {
  return new AppError(
    'internal',
    `expected the bytes of ${path} as they were stored, got others: the artefact storage is damaged.`,
  );
}

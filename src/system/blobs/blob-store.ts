import type { Readable } from 'node:stream';

/** A part of a content, both ends included, from 0; both must lie in it. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Content that is found by its SHA-256, in lower-case hexadecimal. The same content is kept once. */
export interface Blobs {
  /**
   * Stores a content. Whole or not at all: no reader finds a part of it.
   *
   * @throws AppError `payload_too_large` above ARTEFACT_MAX_BYTES; `storage_full`; `unavailable` when the storage does
   *   not answer. What the source throws goes on as it is.
   */
  readonly put: (source: Uint8Array | Readable) => Promise<{ readonly sha256: string; readonly size: number }>;
  /**
   * A content, or a part of it, to be read or destroyed; `size` is that of the whole. Null when there is none.
   *
   * @throws AppError `unavailable` when the storage does not answer.
   */
  readonly open: (
    sha256: string,
    range?: ByteRange,
  ) => Promise<{ readonly stream: Readable; readonly size: number } | null>;
  /** Forgets a content; nothing happens where there is none. */
  readonly remove: (sha256: string) => Promise<void>;
  readonly holds: (sha256: string) => Promise<boolean>;
  /** Removes what writers left that ended before they were done, once it is a day old. @returns how many files */
  readonly tidy: () => Promise<number>;
}

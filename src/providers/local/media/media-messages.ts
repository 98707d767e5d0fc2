import type { ThreadFailure } from '#src/system/threads.ts';
import type { PackageName } from './media-packages.ts';
import type { MediaFile } from './media-task.ts';

/** What the process that works with FFmpeg says. */
export type FromMedia =
  | { readonly kind: 'progress'; readonly stage: string; readonly fraction?: number | undefined }
  | {
      readonly kind: 'made';
      readonly files: readonly MediaFile[];
      /** What there is to say of it, in sentences. */
      readonly notes: readonly string[];
      /** Most memory that the process had at once. */
      readonly peakBytes: number;
    }
  | { readonly kind: 'checked'; readonly reasons: Readonly<Record<PackageName, string | null>> }
  | ({ readonly kind: 'failed' } & ThreadFailure);

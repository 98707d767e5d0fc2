import type { ThreadFailure } from '#src/system/threads.ts';
import type { PackageName } from './media-packages.ts';
import type { MadeFile } from './media-task.ts';

/** Messages of the process that works with FFmpeg. */
export type FromMedia =
  | { readonly kind: 'progress'; readonly stage: string; readonly fraction?: number | undefined }
  | {
      readonly kind: 'made';
      readonly files: readonly MadeFile[];
      /** Remarks on the result, in sentences. */
      readonly notes: readonly string[];
      /** Most memory that the process had at once. */
      readonly peakBytes: number;
    }
  | { readonly kind: 'checked'; readonly reasons: Readonly<Record<PackageName, string | null>> }
  | ({ readonly kind: 'failed' } & ThreadFailure);

export type { LiveJob } from './job-store.ts';
export type { LiveStream } from './stream-store.ts';
export { useJob } from './use-job.ts';
export { type StreamOptions, useStream } from './use-stream.ts';

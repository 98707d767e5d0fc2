export { ChildFailed, EffectRefused, JobError, JobStopped, type StopReason, WaitTimedOut } from './errors/job-error.ts';
export {
  type AnyJob,
  contractOf,
  defineJob,
  type JobDefinition,
  type JobFacts,
  type JobLog,
  type JobOptions,
  type RunContext,
  type Upcast,
} from './job/define-job.ts';
export type { FromSchema } from './schema/infer-schema.ts';
export type { InputOf, OutputOf, Schema, StandardSchema } from './schema/schema.ts';
export { type ServeOptions, serve } from './serve/serve.ts';
export type { WorkerLog } from './serve/worker-log.ts';
export type { EffectKind, EffectOptions } from './story/effect.ts';
export type { Child, ChildOptions, Steps } from './story/steps.ts';

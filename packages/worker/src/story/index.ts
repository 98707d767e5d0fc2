export {
  ChildFailed,
  EffectRefused,
  JobError,
  JobStopped,
  type StopReason,
  WaitTimedOut,
} from '../errors/job-error.ts';
export type { EffectKind, EffectOptions } from './effect.ts';
export type * from './reports.ts';
export type { Child, ChildOptions, Steps } from './steps.ts';
export { openStory, type Story, type StoryPort } from './story.ts';

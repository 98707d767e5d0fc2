export { JobError, JobStopped, type StopReason } from './errors/job-error.ts';
export { type AttemptPort, type Handed, runAttempt } from './job/attempt.ts';
export { type AnyJob, contractOf, queuesOf, versionsOf } from './job/define-job.ts';
export type { EndReport, ReportAnswer, StoryReport, TalkReport } from './story/reports.ts';

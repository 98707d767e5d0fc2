import { ApprovalView } from '#src/governance/approvals/approval-view.ts';
import { Envelope } from './envelope.ts';
import { StudioJob } from './job-view.ts';
import { WorkerResult } from './run-worker.ts';

/** Shapes that routes of the studio refer to by name. */
export const studioSchemas = [Envelope, ApprovalView, StudioJob, WorkerResult];

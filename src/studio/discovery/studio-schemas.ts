import { ApprovalView } from '#src/governance/approvals/approval-view.ts';
import { Envelope } from '#src/studio/edge/envelope.ts';
import { WorkerResult } from '#src/studio/live/run-worker.ts';
import { StudioJob } from '#src/studio/model/job-view.ts';

/** Shapes that routes of the studio refer to by name. */
export const studioSchemas = [Envelope, ApprovalView, StudioJob, WorkerResult];

import type { Unique } from '#queues/unique.ts';
import type { ContentRef } from '#src/jobs/model/content-ref.ts';
import type { DependsOn } from '#src/jobs/model/dependencies.ts';
import type { Gate } from '#src/jobs/model/gates.ts';
import type { Job } from '#src/jobs/model/job.ts';
import type { State } from '#src/jobs/model/states.ts';
import type { ContractText } from '#src/jobs/registry/contract-text.ts';

/** Node of a flow, and a place among the jobs of that node, from 0. */
export interface FlowPlace {
  readonly node: string;
  readonly item: number;
}

/** A job that is about to be stored. */
export interface NewJob {
  readonly id: string;
  readonly owner: string;
  readonly queue: string;
  readonly version: number;
  readonly state: State;
  readonly priority: number;
  readonly payload: unknown;
  /** Text that the row gets: the same as JSON, or `null` where it lies beside the row. */
  readonly payloadText: string;
  readonly payloadContent: ContentRef | null;
  readonly requestHash: string;
  readonly idempotencyKey: string | null;
  readonly approvalId: string | null;
  readonly parentId: string | null;
  readonly held: boolean;
  readonly runAt: string | null;
  readonly expiresAt: string | null;
  readonly group: string | null;
  /** JSON text. */
  readonly metadataText: string | null;
  readonly receipt: 'wanted' | null;
  /** JSON text. */
  readonly termsText: string | null;
  readonly gate: Gate | null;
  /** Contract that it is accepted under; null where it asks for no receipt. */
  readonly contract: ContractText | null;
  /** Key that submits it. */
  readonly keyId: string | null;
  readonly unique: Unique | null;
  readonly dependsOn: DependsOn | null;
  readonly place: FlowPlace | null;
  readonly trace: string | null;
}

/** A job that was accepted, and whether it is new: else it was there under its key. */
export interface Submitted {
  readonly job: Job;
  readonly created: boolean;
}

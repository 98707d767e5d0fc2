import type { StudioApproval, StudioEnvelope } from '#console/api/api.d.ts';

/**
 * Stored objects of the studio, as its routes show them: the document leaves these open, since the tools say the same.
 */

export type Mode = 'video' | 'avatar' | 'persona' | 'voice' | 'campaign' | 'publish';
export type Channel =
  | 'tiktok'
  | 'instagram'
  | 'youtube_shorts'
  | 'linkedin'
  | 'x_twitter'
  | 'pinterest'
  | 'shopify'
  | 'gumroad'
  | 'manual_export';
export type RoutePolicy = 'quality_first' | 'speed_first' | 'cost_guarded' | 'balanced';
export type Approval = StudioApproval;
/** Answer of the studio; its subject is in `output`. */
export type Envelope = StudioEnvelope;
export type Area = Approval['areas'][number];

export interface Brief {
  readonly id: string;
  readonly mode: Mode;
  readonly prompt: string;
  readonly title: string | null;
  readonly targetFormats: readonly string[];
  readonly channels: readonly Channel[];
  readonly managedByPlatform: boolean;
  readonly createdAt: string;
}

/** One provider of a step's route. Costs in dollars, times in milliseconds. */
export interface Routed {
  readonly provider: string;
  readonly model: string;
  readonly estimatedCostUsd: number;
  readonly estimatedLatencyMs: number;
  readonly latencyFrom?: 'recorded' | 'catalogue';
  readonly score: number;
  readonly scores: Readonly<Record<string, number>>;
}

export interface PlanStep {
  readonly step: string;
  readonly capability: string;
  readonly after: readonly string[];
  readonly request: {
    readonly aspect?: string;
    readonly seconds?: number;
    readonly resolution?: number;
    readonly count?: number;
  };
  readonly primary: Routed;
  readonly backups: readonly Routed[];
}

export interface Plan {
  readonly id: string;
  readonly briefId: string;
  readonly mode: Mode;
  readonly title: string | null;
  readonly prompt: string;
  readonly targetFormats: readonly string[];
  readonly channels: readonly Channel[];
  readonly routePolicy: RoutePolicy;
  readonly steps: readonly PlanStep[];
  readonly estimatedCostUsd: number;
  readonly maximumCostUsd: number;
  readonly estimatedLatencyMs: number;
  readonly budgetUsd: number | null;
  readonly narrationSeconds?: number | null;
  readonly warnings?: readonly string[];
  readonly health: Readonly<Record<string, string>>;
  readonly approvalBoundary: { readonly required: true; readonly areas: readonly Area[] };
  readonly planSha256: string;
  readonly createdAt: string;
}

export interface AssetRef {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly mediaType: string;
}

export interface StudioJob {
  readonly id: string;
  readonly kind: 'render' | 'publish' | 'call';
  readonly status: 'awaiting_approval' | 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  /** Approved, and kept from running until a worker run releases it. */
  readonly held: boolean;
  readonly approvalRef: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly result: {
    readonly assets?: readonly AssetRef[];
    readonly costUsd?: number;
    readonly warnings?: readonly string[];
    readonly packages?: readonly {
      readonly channel: Channel;
      readonly asset: AssetRef;
      readonly status: 'exported' | 'delivered';
      readonly externalId: string | null;
    }[];
  } | null;
  readonly receiptId: string | null;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  /** Only where one job is read. */
  readonly planId?: string | null;
}

export interface Asset {
  readonly id: string;
  readonly job: string;
  readonly name: string;
  readonly kind: 'image' | 'video' | 'audio' | 'text' | 'package' | 'data';
  readonly sha256: string;
  readonly size: number;
  readonly mediaType: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration: number | null;
  readonly thumbnail: string | null;
  readonly capability: string | null;
  readonly provider: string | null;
  readonly provenance: {
    readonly kind: 'c2pa' | 'sidecar' | 'none';
    readonly note: string;
    readonly signer?: { readonly subject: string; readonly fingerprint: string; readonly development: boolean };
    readonly digitalSourceType?: string;
  };
  readonly status: 'kept' | 'erased';
  readonly createdAt: string;
  readonly links: { readonly content: string; readonly job: string };
}

/** A brief with what became of it. */
export interface Project extends Brief {
  readonly plans: readonly (Pick<Plan, 'id' | 'estimatedCostUsd' | 'maximumCostUsd' | 'routePolicy' | 'createdAt'> & {
    readonly jobs: readonly StudioJob[];
  })[];
}

export interface SpendFigures {
  readonly settledUsd: number;
  readonly quotedUsd: number;
  readonly reservedUsd: number;
  readonly calls: number;
  readonly byDay: readonly {
    readonly day: string;
    readonly provider: string;
    readonly calls: number;
    readonly settledUsd: number;
  }[];
  readonly openApprovals: { readonly count: number; readonly ceilingUsd: number };
}

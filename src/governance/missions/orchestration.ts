import type { TSchema } from 'typebox';
import type { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { RoutePolicy } from '#src/providers/routing/routing.ts';
import type { Mission, Step } from './mission-row.ts';
import type { Sensitivity } from './plan.ts';

/*
 * Contract between surfaces: missions are planned and carried out by their own surface, and may be requested at another.
 */

/** A goal that is planned and, unless it is planned alone, carried out at once. */
export interface GoalRequest {
  readonly goal: string;
  /** Names of the capabilities that the plan may use; all where it is missing. */
  readonly only?: readonly string[];
  readonly policy?: RoutePolicy;
  readonly budgetUsd?: number;
  readonly timeoutSeconds: number;
  readonly planOnly: boolean;
  /** The client's request as text; a repetition is recognised by it. */
  readonly request: string;
  readonly idempotencyKey?: string;
  readonly waitMs: number;
  /** Ends the wait, not the mission. */
  readonly signal: AbortSignal;
}

export interface Orchestrated {
  readonly mission: Mission;
  /** In the order of the plan. */
  readonly steps: readonly Step[];
  /** False for a repetition. */
  readonly created: boolean;
  /** Error of a mission that ended without success; null otherwise. */
  readonly failure: AppError | null;
}

/** Makes a governed mission of the caller's goal. */
export type Orchestrate = (principal: Principal, request: GoalRequest) => Promise<Orchestrated>;

/** Request and capabilities of missions, for descriptions of the API. */
export interface MissionContracts {
  /** Body of `POST /api/v1/missions`. */
  readonly request: TSchema;
  readonly capabilities: readonly {
    readonly name: string;
    readonly title: string;
    /** Sensitivity of most of its inputs; some need more. */
    readonly sensitivity: Sensitivity;
    readonly input: TSchema;
  }[];
}

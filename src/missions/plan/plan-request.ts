import type { ProposedStep } from '#src/governance/missions/plan.ts';
import type { RoutePolicy } from '#src/providers/routing/routing.ts';

export interface PlanRequest {
  readonly goal: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Steps that the client wants; the planner is not called then. */
  readonly steps?: readonly ProposedStep[];
  /** Millionths of a dollar; null for no bound. */
  readonly budget: number | null;
  /**
   * Capabilities that the plan may use, by their names or, of what providers make, by the names of that
   * (`image.generate`); all without it.
   */
  readonly only?: readonly string[];
  /** Policy by which providers are chosen; `balanced` without one. */
  readonly policy?: RoutePolicy;
}

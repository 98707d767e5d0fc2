import { microUsd } from '#src/lib/money.ts';
import type { RoutePolicy } from '#src/providers/routing/routing.ts';
import type { TextRouting } from './text-work.ts';

/** The member `routing` of a body. */
export interface RoutingWords {
  readonly policy?: RoutePolicy;
  readonly providers?: readonly string[];
  readonly exclude?: readonly string[];
  readonly max_cost_usd?: number;
  readonly fallback?: boolean;
}

/** A body's words on how its provider is chosen, with what holds without them. */
export function readRouting({ policy = 'balanced', fallback = true, ...rest }: RoutingWords = {}): TextRouting {
  const { providers, exclude, max_cost_usd: dollars } = rest;
  return {
    policy,
    fallback,
    ...(providers && { providers }),
    ...(exclude && { exclude }),
    ...(dollars !== undefined && { maxCost: microUsd(dollars) }),
  };
}

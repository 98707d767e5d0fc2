import type { GenerationRequest, MediaCapability } from '#queues/providers.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import { healthFor, type ProviderHealth } from './health.ts';
import { amountsOf, offerOf, quote } from './quote.ts';

export const routePolicies = ['quality_first', 'speed_first', 'cost_guarded', 'balanced'] as const;
export type RoutePolicy = (typeof routePolicies)[number];

/** Each from 0 (worst) to 1 (best). */
export interface Scores {
  readonly quality: number;
  readonly latency: number;
  readonly cost: number;
  readonly health: number;
}

/** Weights of the scores; each row sums to 1. */
export const policyWeights: Readonly<Record<RoutePolicy, Scores>> = {
  quality_first: { quality: 0.6, latency: 0.1, cost: 0.1, health: 0.2 },
  speed_first: { quality: 0.15, latency: 0.55, cost: 0.1, health: 0.2 },
  cost_guarded: { quality: 0.15, latency: 0.1, cost: 0.55, health: 0.2 },
  balanced: { quality: 0.3, latency: 0.2, cost: 0.3, health: 0.2 },
};

/** The latency, in ms, and the cost, in millionths of a dollar, whose score is one half. */
export const halfway = { latencyMs: 30_000, cost: 100_000 } as const;

const healthScores = { healthy: 1, degraded: 0.5, unhealthy: 0 } as const;

/** One way to have something made. */
export interface Route {
  readonly provider: string;
  readonly model: string;
  /** Millionths of a dollar. */
  readonly cost: number;
  readonly latencyMs: number;
  readonly score: number;
  readonly scores: Scores;
}

export interface Routing {
  /** The best; null where no provider can do it. */
  readonly primary: Route | null;
  /** The others, best first. */
  readonly backups: readonly Route[];
  /** Providers that offer the capability and cannot be called, and why, by id. */
  readonly leftOut: readonly { readonly provider: string; readonly reason: string }[];
}

export interface RoutingQuestion {
  readonly catalogue: readonly Provider[];
  /** One that is not in it counts as healthy. */
  readonly health: ReadonlyMap<string, ProviderHealth>;
  readonly capability: MediaCapability;
  readonly request: GenerationRequest;
  readonly policy: RoutePolicy;
}

/**
 * Ranks the providers of a request, best first. A score is `Σ weight × score` over quality (as the catalogue judges
 * it), latency and cost (`half / (half + value)`: 1 for nothing, 0.5 at {@link halfway}) and health (1, 0.5), to six
 * decimals. Equal scores go by lower cost, then lower latency, then id. Each score depends on its own provider alone,
 * so that no two change places because of a third, and the order of the catalogue never matters.
 */
export function routeFor(question: RoutingQuestion): Routing {
  const offering = question.catalogue.filter(({ capabilities }) => capabilities[question.capability] !== undefined);
  const judged = offering.map((provider) => ({ provider, reason: whyNot(provider, question) }));
  const routes = judged
    .filter(({ reason }) => reason === null)
    .map(({ provider }) => scored(provider, question))
    .toSorted(better);
  const [primary = null, ...backups] = routes;
  const leftOut = judged
    .flatMap(({ provider: { id }, reason }) => (reason === null ? [] : [{ provider: id, reason }]))
    .toSorted((left, right) => byText(left.provider, right.provider));
  return { primary, backups, leftOut };
}

function scored(provider: Provider, { capability, request, policy, health }: RoutingQuestion): Route {
  const { model, quality } = offerOf(provider, capability);
  const { cost, latencyMs } = quote(provider, capability, request);
  const scores: Scores = {
    quality: rounded(quality),
    latency: rounded(halfway.latencyMs / (halfway.latencyMs + latencyMs)),
    cost: rounded(halfway.cost / (halfway.cost + cost)),
    health: healthScores[healthFor(health.get(provider.id), capability)?.state ?? 'healthy'],
  };
  const weights = policyWeights[policy];
  const score =
    weights.quality * scores.quality +
    weights.latency * scores.latency +
    weights.cost * scores.cost +
    weights.health * scores.health;
  return { provider: provider.id, model, cost, latencyMs, score: rounded(score), scores };
}

/** Returns the reason why a provider cannot be called; null where it can. */
function whyNot(provider: Provider, { capability, request, health }: RoutingQuestion): string | null {
  const { limits } = offerOf(provider, capability);
  const { seconds, characters } = amountsOf(capability, request);
  if (limits?.seconds !== undefined && seconds > limits.seconds) {
    return `at most ${limits.seconds} s at once, and ${rounded(seconds)} s are wanted`;
  }
  if (limits?.characters !== undefined && characters > limits.characters) {
    return `at most ${limits.characters} characters at once, and there are ${characters}`;
  }
  const known = health.get(provider.id);
  const without = known?.without?.get(capability);
  if (without !== undefined) return without;
  const own = healthFor(known, capability);
  return own?.state === 'unhealthy' ? own.reason : null;
}

function better(left: Route, right: Route): number {
  return (
    right.score - left.score ||
    left.cost - right.cost ||
    left.latencyMs - right.latencyMs ||
    byText(left.provider, right.provider)
  );
}

/** By code units: the same on every machine. */
const byText = (left: string, right: string): number => (left < right ? -1 : Number(left > right));

const rounded = (value: number): number => Math.round(value * 1_000_000) / 1_000_000;

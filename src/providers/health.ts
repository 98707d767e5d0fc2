import type { MediaCapability } from '#queues/providers.ts';
import type { Context } from '#src/system/context.ts';
import { readCircuit } from './breaker.ts';
import type { Provider } from './catalogue.ts';
import { catalogueOf } from './catalogue-load.ts';
import type { Circuit, CircuitState } from './circuit.ts';
import { missingCredential } from './credentials.ts';
import { localHealth } from './local/local-health.ts';

export interface ProviderHealth {
  /** An unhealthy one is not asked. */
  readonly state: 'healthy' | 'degraded' | 'unhealthy';
  readonly circuit: CircuitState;
  readonly reason: string;
  /** Capabilities that it cannot serve now although it offers them, and why. */
  readonly without?: ReadonlyMap<MediaCapability, string>;
}

/** Calls that ended within this time count, and so few say nothing; from this share of failures on it is degraded. */
const recently = { windowMs: 600_000, leastCalls: 3, degradedShare: 0.25 } as const;

/** The health of these providers, or of all in the catalogue, by id, as this process sees it. */
export async function healthOf(
  context: Context,
  providers: readonly Provider[] = catalogueOf(context),
): Promise<ReadonlyMap<string, ProviderHealth>> {
  const missing = await missingLocally();
  const judged = providers.map(async (provider) => {
    const { circuit, state, now } = await readCircuit(context, provider.id);
    return [provider.id, judgeHealth(provider, circuit, state, now, missing)] as const;
  });
  return new Map(await Promise.all(judged));
}

/** What this machine cannot make, and why. */
async function missingLocally(): Promise<ReadonlyMap<MediaCapability, string>> {
  const reasons = Object.entries(await localHealth()) as [MediaCapability, string | null][];
  return new Map(reasons.filter((one): one is [MediaCapability, string] => one[1] !== null));
}

/**
 * What is known of a provider, by what hinders most: no key, an open circuit, packages that are not there, failures.
 *
 * @param missing what the local provider cannot make, and why
 */
export function judgeHealth(
  provider: Provider,
  { recent }: Circuit,
  circuit: CircuitState,
  now: number,
  missing: ReadonlyMap<MediaCapability, string>,
  env: NodeJS.ProcessEnv = process.env,
): ProviderHealth {
  const name = missingCredential(provider, env);
  if (name !== null)
    return { state: 'unhealthy', circuit, reason: `no key: the environment variable ${name} holds none` };
  if (circuit === 'open') {
    return {
      state: 'unhealthy',
      circuit,
      reason: 'its circuit is open after failures in a row; it is tried again soon',
    };
  }
  if (provider.style === 'local-animatic' && missing.size > 0) return locallyWithout(provider, circuit, missing);
  if (circuit === 'half_open')
    return { state: 'degraded', circuit, reason: 'it has failed, and one call tries it again' };
  const calls = recent.filter(([at]) => now - at <= recently.windowMs);
  const failed = calls.filter(([, well]) => !well).length;
  if (calls.length >= recently.leastCalls && failed / calls.length >= recently.degradedShare) {
    return { state: 'degraded', circuit, reason: `${failed} of its last ${calls.length} calls failed` };
  }
  const told =
    calls.length === 0 ? 'no calls lately' : `${calls.length - failed} of its last ${calls.length} calls went well`;
  return { state: 'healthy', circuit, reason: told };
}

function locallyWithout(
  { capabilities }: Provider,
  circuit: CircuitState,
  missing: ReadonlyMap<MediaCapability, string>,
): ProviderHealth {
  const offered = Object.keys(capabilities) as MediaCapability[];
  const without = new Map([...missing].filter(([name]) => offered.includes(name)));
  const state = without.size === offered.length ? 'unhealthy' : 'degraded';
  return { state, circuit, reason: [...new Set(without.values())].join(' '), without };
}

import { type MediaCapability, mediaCapabilities } from '#queues/providers.ts';
import { type CircuitState, isBusy, waitOf } from '#src/lib/async/circuit.ts';
import { counted } from '#src/lib/text/counted.ts';
import { type CircuitNow, readCircuit } from '#src/providers/calls/admission.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';
import { missingCredential } from '#src/providers/catalogue/credentials.ts';
import { localHealth } from '#src/providers/local/local-health.ts';
import type { Context } from '#src/system/context.ts';

/** Health of a provider, for one capability or in all. */
export interface Health {
  /** State; an unhealthy provider is not called. */
  readonly state: 'healthy' | 'degraded' | 'unhealthy';
  readonly circuit: CircuitState;
  readonly reason: string;
  /** Milliseconds until an unhealthy provider may be called again, where that is known. */
  readonly waitMs?: number;
}

/**
 * Health of a whole provider: the worst of its capabilities gives the reason, and it is unhealthy where no capability
 * can be called.
 */
export interface ProviderHealth extends Health {
  /** Health of each capability that was looked at. */
  readonly of?: ReadonlyMap<MediaCapability, Health>;
  /** Capabilities that this machine lacks something for, and what. */
  readonly without?: ReadonlyMap<MediaCapability, string>;
}

/** Calls that ended within this time count, and so few say nothing; from this share of failures on it is degraded. */
const recently = { windowMs: 600_000, leastCalls: 3, degradedShare: 0.25 } as const;

/**
 * The health of these providers, or of all in the catalogue, by id, as this process sees it.
 *
 * @param wanted the capabilities that are looked at
 * @param read reads a circuit
 */
export async function healthOf(
  context: Context,
  providers: readonly Provider[] = catalogueOf(context),
  wanted: readonly MediaCapability[] = mediaCapabilities,
  read = readCircuit,
): Promise<ReadonlyMap<string, ProviderHealth>> {
  const missing = await missingLocally();
  const judged = providers.map(async (provider) => {
    const offered = wanted.filter((capability) => provider.capabilities[capability] !== undefined);
    const seen = offered.map(
      async (capability) => [capability, await read(context, { provider: provider.id, capability })] as const,
    );
    return [provider.id, judgeHealth(provider, new Map(await Promise.all(seen)), missing)] as const;
  });
  return new Map(await Promise.all(judged));
}

/** Returns a provider's health for one of its capabilities. */
export function healthFor(health: ProviderHealth | undefined, capability: MediaCapability): Health | undefined {
  return health?.of?.get(capability) ?? health;
}

/** Finds the capabilities that this machine lacks, and why. */
async function missingLocally(): Promise<ReadonlyMap<MediaCapability, string>> {
  const reasons = Object.entries(await localHealth()) as [MediaCapability, string | null][];
  return new Map(reasons.filter((one): one is [MediaCapability, string] => one[1] !== null));
}

/**
 * Judges a provider by its worst obstacle: no key, an open circuit, missing packages, failures.
 *
 * @param circuits of its capabilities
 * @param missing capabilities that the local provider lacks, and why
 */
export function judgeHealth(
  provider: Provider,
  circuits: ReadonlyMap<MediaCapability, CircuitNow>,
  missing: ReadonlyMap<MediaCapability, string>,
  env: NodeJS.ProcessEnv = process.env,
): ProviderHealth {
  const isLocal = provider.style === 'local-animatic';
  const without = new Map([...missing].filter(([name]) => isLocal && provider.capabilities[name] !== undefined));
  const name = missingCredential(provider, env);
  const keyless = name === null ? null : `no key: the environment variable ${name} holds none`;
  const judged = [...circuits].map(([capability, seen]) => {
    const lacking = keyless ?? without.get(capability);
    const health: Health = lacking ? { state: 'unhealthy', circuit: seen.state, reason: lacking } : judgeCircuit(seen);
    return [capability, health] as const;
  });
  return { ...inAll(judged), of: new Map(judged), ...(without.size > 0 && { without }) };
}

function judgeCircuit({ circuit, state, now }: CircuitNow): Health {
  const waitMs = waitOf(circuit, now);
  if (waitMs !== null) {
    const reason = isBusy(circuit, now)
      ? 'it is busy (429) and wants to be left alone; it is called again soon'
      : 'its circuit is open after failures in a row; it is tried again soon';
    return { state: 'unhealthy', circuit: state, reason, waitMs };
  }
  if (state === 'half_open')
    return { state: 'degraded', circuit: state, reason: 'it has failed, and one call tries it again' };
  const calls = circuit.recent.filter(([at]) => now - at <= recently.windowMs);
  const failed = calls.filter(([, well]) => !well).length;
  if (calls.length >= recently.leastCalls && failed / calls.length >= recently.degradedShare)
    return {
      state: 'degraded',
      circuit: state,
      reason: `${failed} of its last ${counted(calls.length, 'call')} failed`,
    };
  const reason =
    calls.length === 0
      ? 'no calls lately'
      : `${calls.length - failed} of its last ${counted(calls.length, 'call')} went well`;
  return { state: 'healthy', circuit: state, reason };
}

const badness = { healthy: 0, degraded: 1, unhealthy: 2 } as const;
const openness: Readonly<Record<CircuitState, number>> = { closed: 0, half_open: 1, open: 2 };

/** The circuit that is furthest open, and the reasons of what is worst. */
function inAll(judged: readonly (readonly [MediaCapability, Health])[]): Health {
  const all = judged.map(([, health]) => health);
  const [first] = all;
  if (!first) return { state: 'healthy', circuit: 'closed', reason: 'no calls lately' };
  const circuit = all.map((one) => one.circuit).toSorted((a, b) => openness[b] - openness[a])[0] ?? first.circuit;
  const worst = Math.max(...all.map(({ state }) => badness[state]));
  const bad = judged.filter(([, { state }]) => badness[state] === worst);
  const isAll = bad.length === judged.length;
  const state = worst === badness.unhealthy && !isAll ? 'degraded' : (bad[0]?.[1].state ?? first.state);
  const reasons = [...new Set(bad.map(([, { reason }]) => reason))];
  if (worst === badness.healthy)
    return { state, circuit, reason: reasons.find((one) => one !== 'no calls lately') ?? first.reason };
  const names = isAll ? '' : `${bad.map(([name]) => name).join(', ')}: `;
  return { state, circuit, reason: `${names}${reasons.join(' ')}` };
}

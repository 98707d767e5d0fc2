import type { MediaCapability } from '#queues/providers.ts';
import { type Circuit, freshCircuit } from '#src/lib/async/circuit.ts';
import { lanes } from '#src/lib/async/lanes.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import type { RedisClient } from '#src/system/redis/redis.ts';

/** Milliseconds without a call after which a provider's circuit is forgotten. */
const keepMs = 3_600_000;
/** More changes than this between a look and its change mean that Redis is no help. */
const mostTries = 100;

/** The clock is Redis' own, so that processes with different ones agree. */
const lookScript = `
local time = redis.call('time')
return {redis.call('get', KEYS[1]) or '', time[1] * 1000 + math.floor(time[2] / 1000)}`;

/** Changes what is remembered, where it is still what was looked at. */
const swapScript = `
if (redis.call('get', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`;

type Scripted = RedisClient & {
  readonly lookAtCircuit?: (key: string) => Promise<[text: string, now: number]>;
  readonly swapCircuit?: (key: string, old: string, next: string, keepMs: number) => Promise<number>;
};

/** Circuits that this process keeps by itself while Redis is away. */
const ownCircuits = perContext(() => new Map<string, Circuit>());

/** Provider and capability of a circuit: a provider that cannot make pictures may well write text. */
export interface CircuitName {
  readonly provider: string;
  readonly capability: MediaCapability;
}

/** A circuit that all processes share, changed by one of them at a time; while Redis is away each has its own. */
export async function changeCircuit<T>(
  context: Context,
  name: CircuitName,
  change: (circuit: Circuit, now: number) => { readonly next: Circuit; readonly answer: T },
): Promise<T> {
  const own = ownCircuits(context);
  const key = keyOf(name);
  try {
    const answer = (await shared(context)(key)(change)) as T;
    own.delete(key);
    return answer;
  } catch (error) {
    context.log.debug({ err: error, ...name }, 'the shared circuit is out of reach; this process counts for itself');
    const { next, answer } = change(own.get(key) ?? freshCircuit, Date.now());
    own.set(key, next);
    return answer;
  }
}

/** Computes the next circuit; it is called again where another process has changed the circuit meanwhile. */
type Change = (circuit: Circuit, now: number) => { readonly next: Circuit; readonly answer: unknown };

/** Changes of one moment are one change: many calls of a process would otherwise only undo each other's tries. */
const shared = perContext((context) => {
  const byName = new Map<string, (change: Change) => Promise<unknown>>();
  return (name: string) => {
    const known = byName.get(name);
    if (known) return known;
    const made = lanes<Change, unknown>(async (changes) => await changeTogether(context, name, changes), {
      width: 1,
    });
    byName.set(name, made);
    return made;
  };
});

async function changeTogether(
  { redis, config }: Context,
  name: string,
  changes: readonly Change[],
): Promise<readonly PromiseFulfilledResult<unknown>[]> {
  const scripted: Scripted = redis;
  if (!scripted.swapCircuit) {
    redis.defineCommand('lookAtCircuit', { numberOfKeys: 1, lua: lookScript });
    redis.defineCommand('swapCircuit', { numberOfKeys: 1, lua: swapScript });
  }
  const key = `${config.REDIS_PREFIX}:circuit:${name}`;
  for (let tries = 0; tries < mostTries; tries++) {
    const [text, now] = (await scripted.lookAtCircuit?.(key)) ?? ['', Date.now()];
    const before = text === '' ? freshCircuit : (JSON.parse(text) as Circuit);
    let circuit = before;
    const answers = changes.map((change) => {
      const { next, answer } = change(circuit, now);
      circuit = next;
      return { status: 'fulfilled', value: answer } as const;
    });
    // nothing to remember, nothing to write
    if (circuit === before) return answers;
    if ((await scripted.swapCircuit?.(key, text, JSON.stringify(circuit), keepMs)) === 1) return answers;
  }
  throw new Error(`the circuit ${name} was changed by others at each of ${mostTries} tries`);
}

const keyOf = ({ provider, capability }: CircuitName): string => `${provider}:${capability}`;

import type { Redis } from 'ioredis';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { type Circuit, freshCircuit } from './circuit.ts';

/** A provider that nobody has called for so long begins anew. */
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

type Scripted = Redis & {
  readonly lookAtCircuit?: (key: string) => Promise<[text: string, now: number]>;
  readonly swapCircuit?: (key: string, old: string, next: string, keepMs: number) => Promise<number>;
};

/** What this process remembers by itself while Redis is away. */
const own = perContext(() => new Map<string, Circuit>());

/** A circuit that all processes share, changed by one of them at a time; while Redis is away each has its own. */
export async function changeCircuit<T>(
  context: Context,
  provider: string,
  change: (circuit: Circuit, now: number) => { readonly next: Circuit; readonly answer: T },
): Promise<T> {
  try {
    const answer = await changeShared(context, provider, change);
    own(context).delete(provider);
    return answer;
  } catch (error) {
    context.log.debug({ err: error, provider }, 'the shared circuit is out of reach; this process counts for itself');
    const { next, answer } = change(own(context).get(provider) ?? freshCircuit, Date.now());
    own(context).set(provider, next);
    return answer;
  }
}

async function changeShared<T>(
  { redis, config }: Context,
  provider: string,
  change: (circuit: Circuit, now: number) => { readonly next: Circuit; readonly answer: T },
): Promise<T> {
  const scripted: Scripted = redis;
  if (!scripted.swapCircuit) {
    redis.defineCommand('lookAtCircuit', { numberOfKeys: 1, lua: lookScript });
    redis.defineCommand('swapCircuit', { numberOfKeys: 1, lua: swapScript });
  }
  const key = `${config.REDIS_PREFIX}:circuit:${provider}`;
  for (let tries = 0; tries < mostTries; tries++) {
    const [text, now] = (await scripted.lookAtCircuit?.(key)) ?? ['', Date.now()];
    const circuit = text === '' ? freshCircuit : (JSON.parse(text) as Circuit);
    const { next, answer } = change(circuit, now);
    // nothing to remember, nothing to write
    if (next === circuit) return answer;
    if ((await scripted.swapCircuit?.(key, text, JSON.stringify(next), keepMs)) === 1) return answer;
  }
  throw new Error(`the circuit of ${provider} was changed by others at each of ${mostTries} tries`);
}

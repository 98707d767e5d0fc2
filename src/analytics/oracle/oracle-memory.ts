import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Caller } from '#src/access/job-result.ts';
import { marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import type { Topic } from '#src/analytics/domain/oracle/question-parser.ts';
import type { Config } from '#src/system/config/config-type.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import type { ToolRun } from './oracle-answer.ts';

const KEPT_MS = 30 * 60_000;
/** Conversations of one owner; beyond it the one that rests longest is forgotten. */
const MOST = 50;

const StoredTopic = Type.Object({
  at: Type.Number(),
  symbols: Type.Array(Type.Enum(marketSymbols)),
  tools: Type.Array(Type.String()),
});

/**
 * Reads the topic of a caller's conversation that was active in the last half hour. A memory that cannot be reached
 * costs an answer nothing but its context, and the answer says so.
 */
export async function topicBefore(
  { context, principal }: Caller,
  name: string | undefined,
): Promise<{ readonly before: Topic | undefined; readonly note: readonly string[] }> {
  if (name === undefined) return { before: undefined, note: [] };
  try {
    return { before: await recall(context, principal.owner, name), note: [] };
  } catch (error) {
    await logFailure(context, error, {}, 'a conversation was not read');
    return { before: undefined, note: ['the conversation could not be read; the question was taken by itself'] };
  }
}

/** Stores the topic of a conversation; returns a note where that failed. */
export async function topicNow(
  { context, principal }: Caller,
  name: string | undefined,
  runs: readonly ToolRun[],
): Promise<readonly string[]> {
  if (name === undefined || runs.length === 0) return [];
  const named = new Set(runs.flatMap(({ arguments: { symbol, symbols } }) => [symbol ?? symbols].flat()));
  const topic = {
    symbols: marketSymbols.filter((symbol) => named.has(symbol)),
    tools: [...new Set(runs.flatMap(({ tool, measures }) => measures ?? [tool]))],
  };
  try {
    await remember(context, principal.owner, name, topic);
    return [];
  } catch (error) {
    await logFailure(context, error, {}, 'a conversation was not stored');
    return ['the conversation could not be stored; name everything in the next question'];
  }
}

async function recall({ redis, config }: Context, owner: string, name: string): Promise<Topic | undefined> {
  const kept = readStoredTopic(await redis.hget(keyOf(config, owner), name));
  return kept !== null && Date.now() - kept.at < KEPT_MS ? { symbols: kept.symbols, tools: kept.tools } : undefined;
}

/** All conversations of an owner are one hash, which goes with the last of them. */
async function remember({ redis, config }: Context, owner: string, name: string, topic: Topic): Promise<void> {
  const key = keyOf(config, owner);
  await redis.hset(key, name, JSON.stringify({ at: Date.now(), ...topic }));
  await redis.pexpire(key, KEPT_MS);
  if ((await redis.hlen(key)) <= MOST) return;
  const all = Object.entries(await redis.hgetall(key)).map(([field, text]) => ({
    field,
    at: readStoredTopic(text)?.at ?? 0,
  }));
  const rest = all.filter(({ field }) => field !== name).toSorted((a, b) => b.at - a.at);
  await redis.hdel(key, ...rest.slice(MOST - 1).map(({ field }) => field));
}

function keyOf({ REDIS_PREFIX }: Config, owner: string): string {
  return `${REDIS_PREFIX}:oracle:${owner}`;
}

function readStoredTopic(text: string | null): (Topic & { readonly at: number }) | null {
  const value: unknown = text === null ? null : JSON.parse(text);
  return Value.Check(StoredTopic, value) ? value : null;
}

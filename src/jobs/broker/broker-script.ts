import { QueueKeys } from 'bullmq';
import type { RedisClient } from '#src/system/redis/redis.ts';

/** A script over keys of one queue of BullMQ. It is given the prefix of the queue's keys as its first argument. */
export interface BrokerScript {
  /** Its name as a command, unique in the process. */
  readonly command: string;
  /** Names of its keys, in order. */
  readonly keys: readonly string[];
  readonly lua: string;
}

/** A queue of BullMQ. */
export interface BrokerQueue {
  readonly prefix: string;
  readonly name: string;
}

type Commands = Readonly<Record<string, ((...args: (string | number)[]) => Promise<unknown>) | undefined>>;

/** The events of BullMQ have no reader: the ledger tells what happens. */
const quiet = `local quiet = { call = function(command, ...)
  if command ~= 'XADD' and command ~= 'XTRIM' then return redis.call(command, ...) end
end }
`;

/**
 * Makes a function of Lua, `name`, of one of BullMQ's own scripts, to be called for each of many entries in one command:
 * a command for each costs this process as much as all that Redis does for it.
 */
export function luaFunction(name: string, script: string): string {
  return `${quiet}local function original(KEYS, ARGV, redis)\n${script}\nend
local function ${name}(KEYS, ARGV) return original(KEYS, ARGV, quiet) end\n`;
}

/** Runs a script for a queue. @throws what Redis answers. */
export async function runScript(
  redis: RedisClient,
  { command, keys, lua }: BrokerScript,
  { prefix, name }: BrokerQueue,
  args: readonly (string | number)[],
): Promise<unknown> {
  const commands = redis as RedisClient & Commands;
  if (!commands[command]) redis.defineCommand(command, { numberOfKeys: keys.length, lua });
  const ofQueue: Readonly<Record<string, string>> = new QueueKeys(prefix).getKeys(name);
  const base = ofQueue[''] ?? '';
  // what BullMQ has no key for is a key of ours beside its own
  return await commands[command]?.(...keys.map((key) => ofQueue[key] ?? `${base}${key}`), base, ...args);
}

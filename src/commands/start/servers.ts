import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#src/lib/errors.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { startAnvil } from '#src/system/embedded/anvil.ts';
import { startPostgres } from '#src/system/embedded/private-postgres.ts';
import { startRedis } from '#src/system/embedded/private-redis.ts';
import type { ServerEntry } from '#src/system/embedded/ready-file.ts';
import type { ServerProcess } from '#src/system/embedded/server-process.ts';
import { keepRunning, type Part, type Supervised } from './keep-running.ts';

/** The servers of a system on this machine, and the private ones among them, which are kept running. */
export interface Servers {
  readonly postgres: ServerEntry;
  readonly redis: ServerEntry;
  readonly chain: (ServerEntry & { readonly id: string; readonly key: string }) | null;
  readonly supervised: readonly Supervised<Part>[];
}

/** CAIP-2 id of anvil. */
const PRIVATE_CHAIN = 'eip155:31337';

interface Place {
  readonly home: string;
  readonly say: (line: string) => void;
  readonly stack: AsyncDisposableStack;
}

type Private = ServerProcess & { readonly url: string };

/** The part of a private server: started again at the address that everybody knows it by. */
export function keepServer(
  { home, say }: Pick<Place, 'home' | 'say'>,
  { name, folder }: { readonly name: string; readonly folder: string },
  first: Private,
  start: () => Promise<Private | undefined>,
): Supervised<Part> {
  const asPart = ({ exited, stop }: ServerProcess): Part => ({ ended: exited, stop });
  return keepRunning(asPart(first), {
    name: `private ${name}`,
    log: join(home, folder, 'server.log'),
    say,
    start: async () => {
      // an earlier try may have taken another port
      writeFileSync(join(home, folder, 'port'), `${new URL(first.url).port}\n`);
      const again = await start();
      if (again?.url === first.url) return asPart(again);
      await again?.stop();
      throw new AppError('unavailable', `another program has taken its address ${new URL(first.url).host}`);
    },
    onRestart: () => say(`the private ${name} runs again`),
  });
}

/**
 * The servers of the settings, and private ones in place of those that no setting names. They are stopped by the stack.
 *
 * @throws AppError when one of the private ones does not start.
 */
export async function startServers(config: Config, place: Place): Promise<Servers> {
  const supervised: Supervised<Part>[] = [];
  const hold = async <S extends Private | undefined>(name: string, folder: string, start: () => Promise<S>) => {
    const first = await start();
    if (first === undefined) return first;
    const part = keepServer(place, { name, folder }, first, start);
    place.stack.defer(part.stop);
    supervised.push(part);
    return first;
  };
  const { home, say } = place;
  // All are waited for even when one fails: what starts late must be stopped as well.
  const [postgres, redis, chain] = await Promise.allSettled([
    entryOf(config.DATABASE_URL, () => hold('Postgres', 'postgres', () => startPostgres(home, say))),
    entryOf(config.REDIS_URL, () => hold('Redis', 'redis', () => startRedis(home, say))),
    chainOf(config, () => hold('chain', 'anvil', () => startAnvil(home, say))),
  ]);
  if (postgres.status === 'rejected') throw postgres.reason;
  if (redis.status === 'rejected') throw redis.reason;
  if (chain.status === 'rejected') throw chain.reason;
  return { postgres: postgres.value, redis: redis.value, chain: chain.value, supervised };
}

async function entryOf(named: string, start: () => Promise<{ readonly url: string }>): Promise<ServerEntry> {
  return named === '' ? { url: (await start()).url, private: true } : { url: named, private: false };
}

/** The chain of the settings, else a private one; null where there is none. */
async function chainOf(config: Config, start: () => ReturnType<typeof startAnvil>): Promise<Servers['chain']> {
  const { ANCHOR_RPC_URL: url, ANCHOR_CHAIN: id, ANCHOR_KEY: key } = config;
  if (url !== '' && key === '') throw wrongAnchor('ANCHOR_KEY', 'the private key of an account on that chain', 'none');
  if (url !== '') return { url, private: false, id, key };
  if (id !== PRIVATE_CHAIN) throw wrongAnchor('ANCHOR_CHAIN', `${PRIVATE_CHAIN} without ANCHOR_RPC_URL`, id);
  const anvil = await start();
  return anvil ? { url: anvil.url, private: true, id: anvil.chain, key: anvil.key } : null;
}

function wrongAnchor(variable: string, expected: string, got: string): AppError {
  return new AppError('invalid_configuration', `${variable}: expected ${expected}, got ${got}.`, { variable });
}

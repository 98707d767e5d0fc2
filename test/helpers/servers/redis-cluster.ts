import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '#src/system/embedded/ports.ts';
import { redisProgram } from '#src/system/embedded/redis-program.ts';
import { startServer } from '#src/system/embedded/server-process.ts';
import { testFolder, until } from '#test/helpers/processes.ts';

export interface ClusterNode {
  readonly port: number;
  /** Kills it, and starts it again with nothing but its place in the cluster. */
  readonly restart: () => Promise<void>;
}

export interface RedisCluster extends AsyncDisposable {
  readonly nodes: readonly ClusterNode[];
  /** Settings that reach it. */
  readonly settings: Readonly<Record<'REDIS_URL' | 'REDIS_CLUSTER_NODES', string>>;
}

const SLOTS = 16_384;
const password = 'a-password-of-the-cluster';
const programs = resolve(import.meta.dirname, '../../../.proofline/programs/redis');

/** A Redis Cluster of three masters on the loopback address, that share the slots evenly. */
export async function startRedisCluster(): Promise<RedisCluster> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(testFolder());
  const program = redisProgram([programs, join(folder.path, 'program')]);
  const nodes = await Promise.all([0, 1, 2].map((index) => startNode(join(folder.path, `${index}`), program, stack)));
  await joinNodes(nodes.map(({ port, bus }) => ({ port, bus })));
  const all = stack.move();
  const [first, ...others] = nodes.map(({ port }) => `127.0.0.1:${port}`);
  return {
    nodes,
    settings: { REDIS_URL: `redis://:${password}@${first}`, REDIS_CLUSTER_NODES: others.join(',') },
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  };
}

async function startNode(folder: string, program: ReturnType<typeof redisProgram>, stack: AsyncDisposableStack) {
  mkdirSync(folder, { recursive: true });
  const [port, bus] = [await freePort(), await freePort()];
  const settings = join(folder, 'redis.conf');
  const log = join(folder, 'server.log');
  const lines = [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, 'save ""', 'maxmemory-policy noeviction'];
  const secret = [`requirepass ${password}`, `masterauth ${password}`];
  const cluster = ['cluster-enabled yes', `cluster-port ${bus}`, 'cluster-node-timeout 1000'];
  writeFileSync(settings, [...lines, ...secret, ...cluster, ''].join('\n'));
  const start = () =>
    startServer({
      name: 'Redis',
      argv: [program.path, settings],
      env: program.env,
      log,
      stopSignal: 'SIGTERM',
      isReady: () => readFileSync(log, 'utf8').includes('Ready to accept connections'),
    });
  let server = await start();
  stack.defer(async () => await server.stop());
  return {
    port,
    bus,
    restart: async () => {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
      server = await start();
    },
  };
}

/** Joins the nodes, as `redis-cli --cluster create` does. */
async function joinNodes(nodes: readonly { readonly port: number; readonly bus: number }[]): Promise<void> {
  const clients = nodes.map(({ port }) => new Redis({ host: '127.0.0.1', port, password, replyMapping: 'legacy' }));
  try {
    const share = Math.ceil(SLOTS / nodes.length);
    await Promise.all(
      clients.map(async (client, index) => {
        const last = Math.min(SLOTS, (index + 1) * share) - 1;
        await client.call('CLUSTER', 'ADDSLOTSRANGE', index * share, last);
        await client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
      }),
    );
    for (const { port, bus } of nodes.slice(1)) await clients[0]?.call('CLUSTER', 'MEET', '127.0.0.1', port, bus);
    const isWhole = async (client: Redis) => {
      const info = String(await client.call('CLUSTER', 'INFO'));
      return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${nodes.length}`);
    };
    await until(async () => (await Promise.all(clients.map(isWhole))).every(Boolean));
  } finally {
    for (const client of clients) client.disconnect();
  }
}

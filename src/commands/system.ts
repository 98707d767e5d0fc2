import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { migrate } from '#sql/migrate.ts';
import { loadSyntheticFeed } from '#src/analytics/feed.ts';
import { AppError } from '#src/lib/errors.ts';
import { type Config, loadConfig } from '#src/system/config.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { type PrivateChain, startAnvil } from '#src/system/embedded/anvil.ts';
import { takeHome } from '#src/system/embedded/home-lock.ts';
import { freePort } from '#src/system/embedded/ports.ts';
import { type PrivatePostgres, startPostgres } from '#src/system/embedded/postgres.ts';
import { type Ready, removeReady, type ServerEntry, writeReady } from '#src/system/embedded/ready-file.ts';
import { type PrivateRedis, startRedis } from '#src/system/embedded/redis.ts';
import { keptSecret } from '#src/system/embedded/secrets.ts';
import { reachableHost } from '#src/system/loopback.ts';
import { type Child, childFailed, childReady, startChild } from './children.ts';
import { type DefaultKeys, defaultKeys } from './default-keys.ts';
import { developmentHuman, type Neighbourhood } from './development-human.ts';
import { makeHome } from './home.ts';
import { type SignIn, signInOf } from './sign-in.ts';

/** A whole system on this machine: servers, API and workers. Disposing stops all of it, in order. */
export interface System extends AsyncDisposable {
  readonly home: string;
  readonly ready: Ready;
  /** Rejected with what happened when a part ends that should run. */
  readonly broken: Promise<never>;
}

/** CAIP-2 id of anvil. */
const PRIVATE_CHAIN = 'eip155:31337';

const fleets = ['analytics', 'missions', 'platform', 'studio'];

interface Server extends ServerEntry {
  readonly exited?: Promise<void>;
  readonly stop?: () => Promise<void>;
}

interface ChainServer extends Server {
  readonly id: string;
  readonly key: string;
}

/**
 * Starts everything on this machine and waits until it answers. Settings come from `env`; what they leave open is
 * private to the home.
 *
 * @throws AppError with one sentence when a part does not start, and the signal's reason when it is aborted; what had
 *   started is stopped then.
 */
export async function startSystem(
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<System> {
  const config = loadConfig(env);
  await using stack = new AsyncDisposableStack();
  const home = resolve(config.PROOFLINE_HOME);
  makeHome(home);
  stack.use(await takeHome(home));
  await checkPort(config);
  removeReady(home);
  const { postgres, redis, chain } = await startServers(config, realpathSync(home), say, stack);
  const pepper = config.KEY_PEPPER === '' ? keptSecret(home, 'pepper') : config.KEY_PEPPER;
  const port = config.PORT === 0 ? await freePort() : config.PORT;
  const url = `http://${reachableHost(config.HOST)}:${port}`;
  const audience = config.PUBLIC_URL ?? url;
  signal.throwIfAborted();
  const [signIn, applied] = await startBeside(
    signInOf(config, realpathSync(home), audience, say),
    migrate(config.DATABASE_DIRECT_URL || postgres.url),
    stack,
  );
  if (applied.length > 0) say(`database migrated (${applied.length} files)`);
  const inner = {
    ...env,
    PROOFLINE_HOME: home,
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    KEY_PEPPER: pepper,
    PORT: String(port),
    ...(chain && { ANCHOR_RPC_URL: chain.url, ANCHOR_CHAIN: chain.id, ANCHOR_KEY: chain.key }),
    ...signIn?.env,
  };
  signal.throwIfAborted();
  const { api, worker, metrics } = await startProcesses(loadConfig(inner), inner, home, stack);
  await using context = await openContext(loadConfig({ ...inner, LOG_LEVEL: 'silent' }), 'cli');
  await loadSyntheticFeed(context, Date.now());
  await Promise.all([
    childReady(api, `${metrics.api}/readyz`, signal),
    childReady(worker, `${metrics.worker}/readyz`, signal),
  ]);
  const keys = await furnish(context, { home, url, audience, env: { ...inner, LOG_LEVEL: 'silent' }, say });
  signal.throwIfAborted();
  const ready: Ready = {
    url: audience,
    keys,
    servers: {
      api: { pid: api.pid, metrics: `${metrics.api}/metrics` },
      worker: { pid: worker.pid, metrics: `${metrics.worker}/metrics` },
      postgres: { url: postgres.url, private: postgres.private },
      redis: { url: redis.url, private: redis.private },
      chain: chain && { url: chain.url, private: chain.private, id: chain.id },
      identity: signIn && signIn.entry,
    },
  };
  writeReady(home, ready);
  stack.defer(() => removeReady(home));
  const broken = Promise.race([
    failure(api),
    failure(worker),
    failureOf('Postgres', postgres),
    failureOf('Redis', redis),
    ...(chain ? [failureOf('chain', chain)] : []),
    ...(signIn?.server ? [failureOf('identity provider', signIn.server)] : []),
  ]);
  broken.catch(() => {}); // who waits for it decides; stopping on purpose ends the parts as well
  const all = stack.move();
  return { home, ready, broken, [Symbol.asyncDispose]: async () => await all.disposeAsync() };
}

/** A port in use would show only in the API's log, after everything else has started. */
async function checkPort({ PORT }: Config): Promise<void> {
  await freePort(PORT).catch((error: unknown) => {
    throw new AppError(
      'invalid_configuration',
      `PORT: expected a free port, got ${PORT}, which is in use: stop who uses it, or set another (0 takes a free one).`,
      {},
      error,
    );
  });
}

async function ours(starting: Promise<PrivatePostgres | PrivateRedis>): Promise<Server> {
  return { ...(await starting), private: true };
}

async function named(url: string): Promise<Server> {
  return { url, private: false };
}

/** The chain of the settings, else a private one; null where there is none. */
async function chainOf(config: Config, home: string, say: (line: string) => void): Promise<ChainServer | null> {
  const { ANCHOR_RPC_URL: url, ANCHOR_CHAIN: id, ANCHOR_KEY: key } = config;
  if (url !== '' && key === '') throw wrongAnchor('ANCHOR_KEY', 'the private key of an account on that chain', 'none');
  if (url !== '') return { url, private: false, id, key };
  if (id !== PRIVATE_CHAIN) throw wrongAnchor('ANCHOR_CHAIN', `${PRIVATE_CHAIN} without ANCHOR_RPC_URL`, id);
  const anvil: PrivateChain | undefined = await startAnvil(home, say);
  return anvil ? { ...anvil, private: true, id: anvil.chain } : null;
}

async function startServers(
  config: Config,
  home: string,
  say: (line: string) => void,
  stack: AsyncDisposableStack,
): Promise<{ postgres: Server; redis: Server; chain: ChainServer | null }> {
  const keep = async <S extends Server | null>(started: Promise<S>) => {
    const server = await started;
    if (server?.stop) stack.defer(server.stop);
    return server;
  };
  // All are waited for even when one fails: what starts late must be stopped as well.
  const [postgres, redis, chain] = await Promise.allSettled([
    keep(config.DATABASE_URL === '' ? ours(startPostgres(home, say)) : named(config.DATABASE_URL)),
    keep(config.REDIS_URL === '' ? ours(startRedis(home, say)) : named(config.REDIS_URL)),
    keep(chainOf(config, home, say)),
  ]);
  if (postgres.status === 'rejected') throw postgres.reason;
  if (redis.status === 'rejected') throw redis.reason;
  if (chain.status === 'rejected') throw chain.reason;
  return { postgres: postgres.value, redis: redis.value, chain: chain.value };
}

/** Starts the identity provider while the database is migrated; both are waited for, so that what starts is stopped. */
async function startBeside<T>(
  starting: Promise<SignIn | null>,
  migrating: Promise<T>,
  stack: AsyncDisposableStack,
): Promise<[SignIn | null, T]> {
  const [signIn, migrated] = await Promise.allSettled([starting, migrating]);
  if (signIn.status === 'fulfilled' && signIn.value?.server) stack.defer(signIn.value.server.stop);
  if (migrated.status === 'rejected') throw migrated.reason;
  if (signIn.status === 'rejected') throw signIn.reason;
  return [signIn.value, migrated.value];
}

function wrongAnchor(variable: string, expected: string, got: string): AppError {
  return new AppError('invalid_configuration', `${variable}: expected ${expected}, got ${got}.`, { variable });
}

async function startProcesses(config: Config, env: NodeJS.ProcessEnv, home: string, stack: AsyncDisposableStack) {
  const ports = { api: config.METRICS_PORT === 0 ? await freePort() : config.METRICS_PORT, worker: await freePort() };
  const start = (name: 'api' | 'worker', args: readonly string[]): Child =>
    startChild({
      name,
      args,
      env: { ...env, METRICS_PORT: String(ports[name]) },
      log: join(home, 'log', `${name}.log`),
    });
  const worker = start('worker', ['worker', ...fleets]);
  const api = start('api', ['api']);
  // longer than what a process gives itself before it says what hangs and ends
  const grace = config.DRAIN_DEADLINE_MS + 4_500;
  stack.defer(async () => void (await Promise.all([api.stop(grace), worker.stop(grace)])));
  const address = (port: number) => `http://${reachableHost(config.METRICS_HOST)}:${port}`;
  return { api, worker, metrics: { api: address(ports.api), worker: address(ports.worker) } };
}

/** Whom a system on one machine knows from the start: its human, where one can be proven, and keys to call it with. */
async function furnish(context: Context, where: Neighbourhood): Promise<DefaultKeys> {
  return await defaultKeys(context, where.home, await developmentHuman(context, where));
}

async function failure(child: Child): Promise<never> {
  throw childFailed(child, `ended (${await child.ended})`);
}

async function failureOf(name: string, { exited }: Pick<Server, 'exited'>): Promise<never> {
  await (exited ?? new Promise(() => {}));
  throw new AppError('unavailable', `The private ${name} has ended.`);
}

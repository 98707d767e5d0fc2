import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { fleets } from '#queues/fleets.ts';
import { signInOf } from '#src/commands/client/sign-in.ts';
import { AppError } from '#src/lib/errors.ts';
import { loadConfig } from '#src/system/config/config.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { reachableHost } from '#src/system/config/loopback.ts';
import { takeHome } from '#src/system/embedded/home-lock.ts';
import { freePort, listenOnce } from '#src/system/embedded/ports.ts';
import { type Ready, removeReady, writeReady } from '#src/system/embedded/ready-file.ts';
import { storedSecret } from '#src/system/embedded/secrets.ts';
import { startFurnishing } from './furnish.ts';
import { makeHome } from './home.ts';
import { startProcesses } from './processes.ts';
import { keepServer, startServers } from './servers.ts';

/** A whole system on this machine: servers, API and workers. Disposing stops all of it, in order. */
export interface System extends AsyncDisposable {
  readonly home: string;
  readonly ready: Ready;
  /** A part that ends is started again. Rejected with what happened when one cannot stay up. */
  readonly broken: Promise<never>;
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
  // a market to look at, on a developer's machine; a deployment shows none that its operator has not chosen
  const config = loadConfig({ ...env, FEED: env['FEED']?.trim() || 'synthetic' });
  await using stack = new AsyncDisposableStack();
  const home = resolve(config.PROOFLINE_HOME);
  makeHome(home);
  stack.use(await takeHome(home));
  await checkPort(config);
  removeReady(home);
  const place = { home: realpathSync(home), say, stack };
  const { postgres, redis, chain, supervised } = await startServers(config, place);
  const pepper = config.KEY_PEPPER === '' ? storedSecret(home, 'pepper') : config.KEY_PEPPER;
  const port = config.PORT === 0 ? await freePort() : config.PORT;
  const url = `http://${reachableHost(config.HOST)}:${port}`;
  const audience = config.PUBLIC_URL ?? url;
  signal.throwIfAborted();
  const askWhoSignsIn = () => signInOf(config, place.home, audience, say);
  const signIn = await askWhoSignsIn();
  if (signIn?.server) stack.defer(signIn.server.stop);
  const identity =
    signIn?.server &&
    keepServer(
      place,
      { name: 'identity provider', folder: 'identity' },
      signIn.server,
      async () => (await askWhoSignsIn())?.server ?? undefined,
    );
  if (identity) stack.defer(identity.stop);
  const inner = {
    ...env,
    FEED: config.FEED,
    PROOFLINE_HOME: home,
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    KEY_PEPPER: pepper,
    PORT: String(port),
    // no load balancer is in front of these processes
    UNREADY_MS: env['UNREADY_MS'] ?? '0',
    ...(chain && { ANCHOR_RPC_URL: chain.url, ANCHOR_CHAIN: chain.id, ANCHOR_KEY: chain.key }),
    ...signIn?.env,
  };
  signal.throwIfAborted();
  const furnishing = startFurnishing({ home, url, audience, env: inner, say }, stack, signal);
  let ready: Ready | undefined;
  const processes = await startProcesses(
    loadConfig(inner),
    {
      fleets: Object.keys(fleets),
      home,
      env: inner,
      say,
      onRestart: (name, { pid }) => {
        if (ready === undefined) return;
        ready = { ...ready, servers: { ...ready.servers, [name]: { ...ready.servers[name], pid } } };
        writeReady(home, ready);
      },
    },
    stack,
  );
  const { api, worker, metrics } = processes;
  const isReady = processes.ready(signal).catch(async (error: unknown) => {
    // a server that does not answer is the reason, of which the processes would only say so in their logs
    await furnishing.answered;
    throw error;
  });
  // keys come once they are asked for: until then nothing but a failure is heard
  await Promise.race([isReady, furnishing.keys]);
  furnishing.begin();
  const keys = await furnishing.keys;
  signal.throwIfAborted();
  ready = {
    url: audience,
    keys,
    servers: {
      api: { pid: api.current().child.pid, metrics: `${metrics.api}/metrics` },
      worker: { pid: worker.current().child.pid, metrics: `${metrics.worker}/metrics` },
      postgres,
      redis,
      chain: chain && { url: chain.url, private: chain.private, id: chain.id },
      identity: signIn && signIn.entry,
    },
  };
  writeReady(home, ready);
  stack.defer(() => {
    ready = undefined;
    removeReady(home);
  });
  const shown = ready;
  const parts = [api, worker, ...supervised, ...(identity ? [identity] : [])];
  const broken = Promise.race(parts.map(async (part) => await part.keep()));
  broken.catch(() => {}); // who waits for it decides; stopping on purpose ends the parts as well
  const all = stack.move();
  return { home, ready: shown, broken, [Symbol.asyncDispose]: async () => await all.disposeAsync() };
}

/** A port in use would show only in the API's log, after everything else has started. */
async function checkPort({ PORT }: Config): Promise<void> {
  await listenOnce(PORT).catch((error: unknown) => {
    throw new AppError(
      'invalid_configuration',
      `PORT: expected a free port, got ${PORT}, which is in use: stop who uses it, or set another (0 takes a free one).`,
      {},
      error,
    );
  });
}

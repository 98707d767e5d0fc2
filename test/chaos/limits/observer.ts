import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * From a claim to the notice of its begin, at most, ms: a rule that was lowered holds for what is claimed from then on, and
 * a begin is noted a little after its claim.
 */
const GRACE_MS = 2_000;

/** Limits of one scope; null for none. */
export interface Limits {
  readonly concurrency: number | null;
  readonly rate: { readonly jobs: number; readonly ms: number } | null;
}

/** Counts what runs by itself, and holds every begin against the limits. */
export interface Observer extends AsyncDisposable {
  readonly port: number;
  /** Says that a scope has other limits: to be called once they are about to hold, and with `held` once they do. */
  readonly limit: (scope: string, limits: Limits, when: 'about' | 'held') => void;
  readonly begins: () => number;
  readonly ends: () => number;
  /** Begins that no limit allowed, in sentences; ten of each kind at most. */
  readonly wrong: readonly string[];
  /** Jobs that ran at once beyond a limit, at the worst; 0 where none did. */
  readonly worst: () => number;
  /** Begins with which a scope had as many as its limit allows: how often limits were reached. */
  readonly reached: () => ReadonlyMap<string, number>;
}

interface Scope {
  running: number;
  /** Limits that hold now, and those of before with the time until which begins may have been claimed by them. */
  now: Limits;
  before: { readonly limits: Limits; readonly until: number }[];
  bucket: { tokens: number; at: number };
}

const none: Limits = { concurrency: null, rate: null };

/** Opens an observer on a port of this machine. */
export async function openObserver(): Promise<Observer> {
  const scopes = new Map<string, Scope>();
  const wrong: string[] = [];
  const reached = new Map<string, number>();
  const sockets = new Set<Socket>();
  let [begins, ends, worst] = [0, 0, 0];

  const scopeOf = (name: string): Scope => {
    const scope = scopes.get(name) ?? {
      running: 0,
      now: none,
      before: [],
      bucket: { tokens: Number.NaN, at: performance.now() },
    };
    scopes.set(name, scope);
    return scope;
  };
  const blame = (what: string) => {
    if (wrong.length < 50) wrong.push(what);
  };

  const begin = (name: string) => {
    const scope = scopeOf(name);
    const now = performance.now();
    scope.running++;
    scope.before = scope.before.filter(({ until }) => until > now);
    const allowed = [scope.now, ...scope.before.map(({ limits }) => limits)];
    const most = Math.max(...allowed.map(({ concurrency }) => concurrency ?? Infinity));
    worst = Math.max(worst, scope.running - most);
    if (scope.running > most) blame(`${name}: ${scope.running} ran at once where ${most} may`);
    if (scope.running === most) reached.set(name, (reached.get(name) ?? 0) + 1);
    const { rate } = scope.now;
    if (!rate || allowed.some((one) => one.rate === null)) return;
    // as a bucket that holds what may be claimed in the grace besides
    const [gain, most_] = [rate.jobs / rate.ms, rate.jobs + (GRACE_MS * rate.jobs) / rate.ms];
    const { bucket } = scope;
    const had = Number.isNaN(bucket.tokens) ? most_ : bucket.tokens;
    bucket.tokens = Math.min(most_, had + (now - bucket.at) * gain) - 1;
    bucket.at = now;
    if (bucket.tokens < 0) blame(`${name}: began faster than ${rate.jobs} in ${rate.ms} ms`);
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    const own = new Map<number, readonly string[]>();
    const end = (id: number) => {
      for (const name of own.get(id) ?? []) scopeOf(name).running--;
      if (own.delete(id)) ends++;
    };
    const lines = createInterface({ input: socket });
    // it passes on what the socket fails with
    lines.on('error', () => {});
    lines.on('line', (line) => {
      const [what, id, ...names] = JSON.parse(line) as [string, number, ...string[]];
      if (what === 'end') end(id);
      else {
        begins++;
        own.set(id, names);
        for (const name of names) begin(name);
      }
      if (socket.writable) socket.write('\n');
    });
    socket.on('error', () => {});
    // killed: nothing of it runs any more
    socket.on('close', () => {
      sockets.delete(socket);
      for (const id of own.keys()) end(id);
    });
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    limit: (name, limits, when) => {
      const scope = scopeOf(name);
      if (when === 'about') scope.before.push({ limits, until: performance.now() + 60_000 });
      else {
        const until = performance.now() + GRACE_MS;
        scope.before = [...scope.before.filter((one) => one.limits !== limits), { limits: scope.now, until }];
        scope.now = limits;
      }
    },
    begins: () => begins,
    ends: () => ends,
    worst: () => worst,
    wrong,
    reached: () => reached,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      await closed.promise;
    },
  };
}

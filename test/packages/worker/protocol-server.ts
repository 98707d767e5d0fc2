import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';
import type { StoredStep } from '#packages/worker/src/story/reports.ts';
import { type StoredJob, takeReport } from '#packages/worker/src/testing/stored-job.ts';
import { until } from '#test/helpers/processes.ts';

/** A call of a worker as it came. */
export interface Call {
  readonly kind: 'contract' | 'register' | 'poll' | 'report' | 'leave';
  readonly worker: string;
  readonly body: Record<string, any>;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Number of calls of this kind before it. */
  readonly before: number;
}

/** Way to fail a call: before it is done, after it was done, or by an answer of its own. */
export type Fault =
  | 'cut'
  | 'lose'
  | { readonly status: number; readonly code: string; readonly detail?: string; readonly details?: object };

export interface ServedJob {
  readonly id: string;
  readonly queue: string;
  readonly version: number;
  readonly payload: unknown;
  readonly stored: StoredJob;
  attempt: number;
  token: string;
  /** Worker that has it in hand. */
  worker: string | null;
  /** Report that ended its last attempt. */
  end: Record<string, any> | null;
}

export interface ProtocolServer extends AsyncDisposable {
  readonly url: string;
  readonly calls: readonly Call[];
  /** Every report that was taken for the attempt it names, in order. */
  readonly reports: readonly Record<string, any>[];
  readonly callsOf: (kind: Call['kind']) => readonly Call[];
  /** Accepts a job, to be handed out by the next poll that fits. */
  readonly submit: (queue: string, payload?: unknown, more?: { readonly version?: number }) => ServedJob;
  /** Hands a job out again, with one more step where a wait has ended. */
  readonly requeue: (job: ServedJob, step?: Pick<StoredStep, 'kind' | 'name' | 'value' | 'after'>) => void;
  /** The worker is told to stop the job, which is no longer its own. */
  readonly stop: (job: ServedJob, reason: 'cancelled' | 'lost' | 'timeout') => void;
  /** Leases of all workers end, as far as the server goes. */
  readonly endLeases: () => void;
  /** Waits until a worker has a job in hand: its polls name it. */
  readonly taken: (job: ServedJob) => Promise<void>;
  /** Waits until the last attempt of a job was ended by its worker. */
  readonly ended: (job: ServedJob) => Promise<Record<string, any>>;
}

interface ServedWorker {
  readonly queues: readonly { name: string; versions: readonly number[] }[];
  readonly stops: { id: string; attempt: number; reason: string }[];
}

type Reply = { readonly status: number; readonly body: any };

/**
 * The protocol of workers in memory, as its document has it, with faults where a test wants them. It speaks HTTP and
 * WebSocket with the same words.
 */
export async function protocolServer(
  fault: (call: Call) => Fault | undefined = () => undefined,
  { leaseMs = 60_000, beatMs = 50 } = {},
): Promise<ProtocolServer> {
  const calls: Call[] = [];
  const reports: Record<string, any>[] = [];
  const workers = new Map<string, ServedWorker>();
  const jobs: ServedJob[] = [];
  const waiting: ServedJob[] = [];
  let changed = Promise.withResolvers<void>();
  const change = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  const take = (worker: string, credits: number): ServedJob[] => {
    const { queues } = workers.get(worker)!;
    const fits = ({ queue, version }: ServedJob) =>
      queues.some(({ name, versions }) => name === queue && versions.includes(version));
    const taken = waiting.filter(fits).slice(0, credits);
    for (const job of taken) {
      waiting.splice(waiting.indexOf(job), 1);
      Object.assign(job, { worker, attempt: job.attempt + 1, token: randomUUID(), end: null });
    }
    return taken;
  };

  const handedOf = ({ id, queue, version, attempt, token, payload, stored }: ServedJob) => ({
    id,
    queue,
    version,
    attempt,
    token,
    payload,
    created_at: '2026-01-01T00:00:00.000Z',
    deadline: '2026-01-01T00:01:00.000Z',
    failures: 0,
    steps: stored.steps,
    trace: null,
  });

  const poll = async (worker: string, body: Call['body'], gone: AbortSignal): Promise<Reply> => {
    for (const deadline = performance.now() + (body['wait_ms'] ?? beatMs); ; ) {
      const known = workers.get(worker);
      if (!known) return problem(404, 'not_found', 'no lease');
      const stop = known.stops.splice(0);
      const handed = gone.aborted ? [] : take(worker, body['credits']);
      if (stop.length > 0 || handed.length > 0 || performance.now() >= deadline || gone.aborted)
        return { status: 200, body: { jobs: handed.map(handedOf), stop } };
      const timer = Promise.withResolvers<void>();
      const id = setTimeout(timer.resolve, deadline - performance.now());
      gone.addEventListener('abort', () => timer.resolve());
      await Promise.race([changed.promise, timer.promise]);
      clearTimeout(id);
    }
  };

  const report = (one: Record<string, any>) => {
    const job = jobs.find(({ id }) => id === one['job']);
    const isHeld = job && job.attempt === one['attempt'] && job.token === one['token'];
    if (job && one['type'] === 'effect_done') takeReport(job.stored, one as never);
    if (!job || !isHeld || job.worker === null || !workers.has(job.worker))
      return { status: 'stale', message: 'no longer yours' };
    reports.push(one);
    if (one['type'] === 'progress' || one['type'] === 'log') return { status: 'accepted' };
    if (!['succeeded', 'failed', 'suspended', 'released'].includes(one['type']))
      return takeReport(job.stored, one as never);
    if (one['type'] === 'succeeded' && one['result'] === 'refuse me')
      return { status: 'refused', code: 'invalid_result', message: 'does not fit', path: '' };
    job.end ??= one;
    return { status: 'accepted' };
  };

  const carryOut = async ({ kind, worker, body }: Call, gone: AbortSignal): Promise<Reply> => {
    if (kind === 'contract') return { status: 201, body: { name: worker, ...body } };
    if (kind === 'register') {
      const id = randomUUID();
      workers.set(id, { queues: body['queues'], stops: [] });
      return {
        status: 201,
        body: { worker: id, lease_ms: leaseMs, beat_ms: beatMs, wait_ms: 30_000, queues: body['queues'] },
      };
    }
    if (!workers.has(worker)) return problem(404, 'not_found', 'no lease');
    if (kind === 'poll') return await poll(worker, body, gone);
    if (kind === 'report') return { status: 200, body: { answers: body['reports'].map(report) } };
    workers.delete(worker);
    return { status: 204, body: null };
  };

  /** Null where the caller gets no answer. */
  const answer = async (call: Omit<Call, 'before'>, gone: AbortSignal): Promise<Reply | null> => {
    const whole = { ...call, before: calls.filter(({ kind }) => kind === call.kind).length };
    calls.push(whole);
    const wrong = fault(whole);
    if (wrong === 'cut') return null;
    if (typeof wrong === 'object') return problem(wrong.status, wrong.code, wrong.detail ?? wrong.code, wrong.details);
    const reply = await carryOut(whole, gone);
    return wrong === 'lose' ? null : reply;
  };

  const server = createServer((request, response) => {
    void serveHttp(answer, request, response).catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({ server, path: '/ws/v1/workers' });
  sockets.on('connection', (socket, request) => serveSocket(answer, socket, request));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    reports,
    callsOf: (kind) => calls.filter((call) => call.kind === kind),
    submit: (queue, payload = null, { version = 1 } = {}) => {
      const id = randomUUID();
      const stored = { id, steps: [], stepBytes: 0, effects: new Map(), children: new Map(), signals: new Map() };
      const job: ServedJob = { id, queue, version, payload, stored, attempt: 0, token: '', worker: null, end: null };
      jobs.push(job);
      waiting.push(job);
      change();
      return job;
    },
    requeue: (job, step) => {
      if (step) job.stored.steps.push({ ...step, n: job.stored.steps.length + 1 });
      Object.assign(job, { worker: null, token: '' });
      waiting.push(job);
      change();
    },
    stop: (job, reason) => {
      workers.get(job.worker ?? '')?.stops.push({ id: job.id, attempt: job.attempt, reason });
      if (reason !== 'timeout') Object.assign(job, { worker: null, token: '' });
      change();
    },
    endLeases: () => {
      workers.clear();
      change();
    },
    taken: async ({ id }) =>
      await until(() => calls.some(({ kind, body }) => kind === 'poll' && JSON.stringify(body['jobs']).includes(id))),
    ended: async (job) => {
      await until(() => job.end !== null);
      return job.end!;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Answer = (call: Omit<Call, 'before'>, gone: AbortSignal) => Promise<Reply | null>;

async function serveHttp(answer: Answer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await textOf(request);
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const reply = await answer(
    {
      ...targetOf(request.method ?? '', request.url ?? ''),
      body: text === '' ? {} : JSON.parse(text),
      headers: request.headers,
    },
    gone.signal,
  );
  if (reply === null) response.destroy();
  else if (reply.status === 204) response.writeHead(204).end();
  else response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
}

function targetOf(method: string, path: string): Pick<Call, 'kind' | 'worker'> {
  const [, , room = '', name = '', action = ''] = path.split('/').map(decodeURIComponent);
  if (room === 'queues' && method === 'PUT') return { kind: 'contract', worker: name };
  if (room === 'workers' && method === 'DELETE') return { kind: 'leave', worker: name };
  if (room === 'workers' && name === '') return { kind: 'register', worker: '' };
  return { kind: action as 'poll' | 'report', worker: name };
}

function serveSocket(answer: Answer, socket: WebSocket, { headers }: IncomingMessage): void {
  const gone = new AbortController();
  socket.on('close', () => gone.abort());
  socket.on('message', (data: Buffer) => {
    const { id, type, worker = '', ...body } = JSON.parse(data.toString()) as Record<string, any>;
    void answer({ kind: type, worker, body, headers }, gone.signal).then((reply) => {
      if (reply === null) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ id, ...reply }));
    });
  });
}

function problem(status: number, code: string, detail: string, details: object = {}): Reply {
  return { status, body: { status, code, detail, details } };
}

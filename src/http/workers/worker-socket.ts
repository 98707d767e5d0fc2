import { type Static, Type } from 'typebox';
import type { WebSocket } from 'ws';
import { misfit } from '#queues/misfit.ts';
import { describeFailure } from '#src/http/errors/describe-failure.ts';
import { closeCodes } from '#src/http/streams/websocket.ts';
import { assertShallow } from '#src/lib/assert-shallow.ts';
import { AppError, describeError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import { inexactByItem } from '#src/lib/text/inexact-integer.ts';
import { clientJson } from '#src/lib/validation/client-json.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { leave, poll, register, report } from './worker-calls.ts';
import { MOST_UNDER_WAY, workerMessages } from './worker-exchange.ts';

const HEARTBEAT_MS = 15_000;

const Envelope = Type.Object({
  id: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  type: Type.Enum(['register', 'poll', 'report', 'leave'], { type: 'string' }),
  worker: Type.Optional(Type.String({ format: 'uuid' })),
});
type Kind = Static<typeof Envelope>['type'];

/** The function that does each kind of message. */
const runs: Readonly<Record<Kind, (call: never) => Promise<unknown>>> = { register, poll, report, leave };

/** Parts that a socket of a worker is served with. */
export interface WorkerSocket {
  readonly context: Context;
  readonly principal: Principal;
  /** Keeps the socket among those of its key: ended with the key, or with this process. */
  readonly hold: (end: (reason: string) => void) => () => void;
}

/**
 * Serves the messages of a worker over one socket: `{id, type, worker, …}` each answered by `{id, status, body}`, in
 * whatever order they are done. The worker's lease is its row, not its socket: it may go on over another.
 */
export function serveWorkerSocket(socket: WebSocket, { context, principal, hold }: WorkerSocket): void {
  const release = heldBy(socket, hold);
  if (!release) return;
  const gone = new AbortController();
  let underWay = 0;
  let alive = true;
  const heartbeat = setInterval(() => {
    if (!alive) socket.terminate();
    alive = false;
    if (socket.readyState === socket.OPEN) socket.ping();
  }, HEARTBEAT_MS);
  const answer = (id: number | null, status: number, body: unknown) => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ id, status, body }));
  };
  const take = async (text: string) => {
    let id: number | null = null;
    try {
      const said = clientJson(text);
      id = idOf(said);
      const { message, rest } = read(said);
      const { body, status } = workerMessages[message.type];
      const wrong = misfit(body, rest);
      if (wrong) throw invalid(`${wrong.path || '/'} ${wrong.message}`);
      const inexact = message.type === 'report' ? inexactByItem(text, 'reports') : undefined;
      const call = { context, principal, worker: message.worker ?? '', body: rest, inexact, signal: gone.signal };
      answer(id, status, await runs[message.type](call as never));
    } catch (error) {
      id ??= idIn(text);
      const { code, detail, status } = describeFailure(error);
      const { details } = describeError(error);
      if (status >= 500 && !(error instanceof AppError))
        await logFailure(context, error, {}, 'a message of a worker could not be answered');
      answer(id, status, { code, detail, details });
    }
  };
  socket.on('message', (data: Buffer) => {
    if (underWay >= MOST_UNDER_WAY) {
      const why = `expected at most ${MOST_UNDER_WAY} messages under way, got more: wait for answers.`;
      return socket.close(closeCodes.too_many, why);
    }
    underWay++;
    void take(String(data)).finally(() => underWay--);
  });
  socket.on('pong', () => {
    alive = true;
  });
  socket.on('close', () => {
    clearInterval(heartbeat);
    gone.abort();
    release();
  });
}

/** Keeps a socket among those of its key; one that is too many is closed, and null the answer. */
function heldBy(socket: WebSocket, hold: WorkerSocket['hold']): (() => void) | null {
  try {
    return hold((reason) => socket.close(closeCodes.shutdown, reason.slice(0, 123)));
  } catch (error) {
    socket.close(closeCodes.too_many, describeError(error).message.slice(0, 123));
    return null;
  }
}

/** The id by which an answer is known, also that to a message which does not fit; null where it has none. */
function idOf(said: unknown): number | null {
  const { id } = (said ?? {}) as { readonly id?: unknown };
  return typeof id === 'number' ? id : null;
}

/** The same of a text: one that is not taken may still be JSON, and its sender waits for the answer. */
function idIn(text: string): number | null {
  try {
    return idOf(JSON.parse(text));
  } catch {
    return null;
  }
}

function read(said: unknown): { readonly message: Static<typeof Envelope>; readonly rest: object } {
  const wrong = misfit(Envelope, said);
  if (wrong) throw invalid(`${wrong.path || '/'} ${wrong.message}`);
  const message = said as Static<typeof Envelope>;
  // of reports each is looked at by itself
  if (message.type !== 'report') assertShallow(said);
  const { id: _id, type, worker, ...rest } = message;
  if (worker === undefined && type !== 'register') throw invalid('none of the worker that its registration named');
  return { message, rest };
}

function invalid(what: string): AppError {
  return new AppError('invalid_request', `message: expected one that fits, got ${what}.`);
}

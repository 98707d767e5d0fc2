import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { AppError } from '#src/lib/errors.ts';
import { allowedUrl, isAddress, lookUpPublic, notSent, type OutsideRequest } from './outside.ts';

/** Idle connections are closed before the servers that are usual would do so: a request on a closed one may be lost. */
const agentOptions = { keepAlive: true, timeout: 4_000, maxFreeSockets: 64, scheduling: 'lifo' } as const;
const agents = { 'http:': new HttpAgent(agentOptions), 'https:': new HttpsAgent(agentOptions) };

/**
 * As `callOutside`, for an answer that comes bit by bit: resolves with its head, and its body is read by the caller, or
 * destroyed. Connections are kept for the next request of the same origin. `timeoutMs` is the wait for the head;
 * `signal` ends the body too.
 *
 * @throws AppError `forbidden` for an origin that is not allowed; NotSent when there was no connection; a TimeoutError;
 *   the signal's reason; whatever else broke off, in which case it may have been read there.
 */
export async function openOutside(request: Omit<OutsideRequest, 'mostBytes'>): Promise<IncomingMessage> {
  const url = allowedUrl(request.url, request.origins);
  const isSafe = url.protocol === 'https:';
  const { signal, timeoutMs } = request;
  signal.throwIfAborted();
  return await new Promise<IncomingMessage>((resolve, reject) => {
    let connected = false;
    const call = (isSafe ? requestHttps : requestHttp)(url, {
      method: request.method,
      headers: { 'user-agent': 'Proofline', ...request.headers },
      lookup: isAddress(url) ? undefined : lookUpPublic,
      agent: agents[isSafe ? 'https:' : 'http:'],
      signal,
    });
    const timer = setTimeout(() => call.destroy(new DOMException('no head in time', 'TimeoutError')), timeoutMs);
    call.on('socket', (socket) => {
      if (socket.connecting) socket.once(isSafe ? 'secureConnect' : 'connect', () => (connected = true));
      else connected = true;
    });
    call.on('error', (error) => {
      clearTimeout(timer);
      if (signal.aborted) reject(signal.reason);
      else reject(connected || error instanceof AppError ? error : notSent(url, error));
    });
    call.on('response', (response) => {
      clearTimeout(timer);
      resolve(response);
    });
    call.end(request.body);
  });
}

import { randomUUID } from 'node:crypto';
import { pngOf } from './media.ts';
import { answersBytes, answersJson, type Script, startVendor, type Turn, type VendorServer } from './vendor-server.ts';

export type FalRoute = 'submit' | 'status' | 'result' | 'cancel' | 'file';

export interface FalScript extends Script<FalRoute> {
  /** The status at each look, the last one for good: the usual are `IN_QUEUE`, `IN_PROGRESS`, `COMPLETED`. */
  readonly statuses?: readonly string[];
  /** Product of a request, under the server's own address; usually one picture. */
  readonly output?: (base: string) => unknown;
  readonly fileBytes?: Buffer;
  readonly fileType?: string;
  /** True where one Idempotency-Key makes one request. */
  readonly idempotent?: boolean;
}

interface QueuedRequest {
  readonly id: string;
  readonly input: unknown;
  readonly webhook: string | null;
  looks: number;
  isCancelled: boolean;
}

export interface FalLike extends VendorServer<FalRoute> {
  readonly requests: () => readonly QueuedRequest[];
  /** Tells the webhook of a request that it is over; answers the status it was answered with. */
  readonly notify: (id: string, change?: { body?: object; url?: string }) => Promise<number>;
}

/** A server with fal's API of queued requests. */
export async function startFalLike(script: FalScript = {}): Promise<FalLike> {
  const { statuses = ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED'], fileBytes = pngOf(), fileType = 'image/png' } = script;
  const output =
    script.output ??
    ((base: string) => ({
      images: [{ url: `${base}/files/0.png`, content_type: fileType }],
      seed: 1,
      has_nsfw_concepts: [false],
    }));
  const requests = new Map<string, QueuedRequest>();
  const byKey = new Map<string, QueuedRequest>();
  const statusOf = ({ looks }: QueuedRequest) => statuses[Math.min(looks, statuses.length - 1)] ?? 'COMPLETED';

  const usual = (route: FalRoute, base: () => string): Turn => {
    if (route === 'file') return answersBytes(fileType, fileBytes);
    return (response, request) => {
      if (route === 'submit') {
        const url = new URL(request.path, base());
        const key = String(request.headers['idempotency-key']);
        const known = script.idempotent ? byKey.get(key) : undefined;
        const one = known ?? {
          id: randomUUID(),
          input: request.body,
          webhook: url.searchParams.get('fal_webhook'),
          looks: 0,
          isCancelled: false,
        };
        requests.set(one.id, one);
        byKey.set(key, one);
        const at = `${base()}/${url.pathname.split('/').slice(1, 3).join('/')}/requests/${one.id}`;
        const urls = { response_url: at, status_url: `${at}/status`, cancel_url: `${at}/cancel` };
        return answersJson(200, {
          status: 'IN_QUEUE',
          request_id: one.id,
          gateway_request_id: one.id,
          queue_position: 0,
          ...urls,
        })(response, request);
      }
      const one = requests.get(request.path.split('/')[4]?.split('?')[0] ?? '');
      if (!one) return answersJson(404, { detail: 'Request not found' })(response, request);
      if (route === 'status') one.looks += 1;
      const status = statusOf(one);
      const isOver = status === 'COMPLETED';
      if (route === 'status') return answersJson(isOver ? 200 : 202, { status, request_id: one.id })(response, request);
      if (route === 'result')
        return answersJson(isOver ? 200 : 400, isOver ? output(base()) : { detail: 'Request is still in progress' })(
          response,
          request,
        );
      one.isCancelled ||= !isOver;
      answersJson(isOver ? 400 : 202, { status: isOver ? 'ALREADY_COMPLETED' : 'CANCELLATION_REQUESTED' })(
        response,
        request,
      );
    };
  };

  const server = await startVendor<FalRoute>(routeOf, usual, script);
  return {
    ...server,
    requests: () => [...requests.values()],
    notify: async (id, change = {}) => {
      const one = requests.get(id);
      const url = change.url ?? one?.webhook;
      if (!url) throw new Error('expected a request with a webhook');
      const body = JSON.stringify(
        change.body ?? { request_id: id, gateway_request_id: id, status: 'OK', payload: output(server.url) },
      );
      const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      await answer.body?.cancel();
      return answer.status;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function routeOf(method: string, path: string): FalRoute | null {
  if (method === 'GET' && path.startsWith('/files/')) return 'file';
  const request = /^\/[^/]+\/[^/]+\/requests\/[^/]+(\/status|\/cancel)?$/.exec(path);
  if (!request) return method === 'POST' ? 'submit' : null;
  if (method === 'GET') return request[1] === '/status' ? 'status' : 'result';
  return method === 'PUT' && request[1] === '/cancel' ? 'cancel' : null;
}

import { createHmac, randomBytes } from 'node:crypto';
import { pngOf } from './media.ts';
import { answersBytes, answersJson, type Script, startVendor, type Turn, type VendorServer } from './vendor-server.ts';

export type ReplicateRoute = 'create' | 'get' | 'cancel' | 'file';

export interface ReplicateScript extends Script<ReplicateRoute> {
  /** The status at each look, the last one for good: the usual are `starting`, `processing`, `succeeded`. */
  readonly statuses?: readonly string[];
  /** Product of a prediction, under the server's own address; usually one file. */
  readonly output?: (base: string) => unknown;
  /** Why it failed. */
  readonly error?: string;
  readonly logs?: string;
  /** The file that the usual output points at. */
  readonly fileBytes?: Buffer;
  readonly fileType?: string;
  /** True where one Idempotency-Key makes one prediction. */
  readonly idempotent?: boolean;
  /** Secret of its webhooks; without one it tells nothing. */
  readonly secret?: string;
}

interface Prediction {
  readonly id: string;
  readonly input: unknown;
  readonly webhook: string | null;
  looks: number;
  isCancelled: boolean;
}

export interface ReplicateLike extends VendorServer<ReplicateRoute> {
  readonly predictions: () => readonly Prediction[];
  /** Tells the webhook of a prediction, as it would at its start or end; answers the status it was answered with. */
  readonly notify: (
    id: string,
    change?: { secret?: string; body?: object; url?: string; at?: Date },
  ) => Promise<number>;
}

/** A server with Replicate's API of predictions. */
export async function startReplicateLike(script: ReplicateScript = {}): Promise<ReplicateLike> {
  const {
    statuses = ['starting', 'processing', 'succeeded'],
    fileBytes = pngOf(),
    fileType = 'image/png',
    secret,
  } = script;
  const output = script.output ?? ((base: string) => [`${base}/files/0.png`]);
  const predictions = new Map<string, Prediction>();
  const byKey = new Map<string, Prediction>();

  const view = (one: Prediction, base: string) => {
    const status = one.isCancelled ? 'canceled' : (statuses[Math.min(one.looks, statuses.length - 1)] ?? 'succeeded');
    return {
      id: one.id,
      version: 'v1',
      input: one.input,
      status,
      output: status === 'succeeded' ? output(base) : null,
      error: status === 'failed' ? (script.error ?? 'CUDA out of memory') : null,
      logs: script.logs ?? '',
      metrics: status === 'succeeded' ? { predict_time: 1.5 } : {},
      urls: { get: `${base}/predictions/${one.id}`, cancel: `${base}/predictions/${one.id}/cancel` },
    };
  };

  const usual = (route: ReplicateRoute, base: () => string): Turn => {
    if (route === 'file') return answersBytes(fileType, fileBytes);
    return (response, request) => {
      if (route === 'create') {
        const key = String(request.headers['idempotency-key']);
        const known = script.idempotent ? byKey.get(key) : undefined;
        const one = known ?? {
          id: randomBytes(13).toString('hex'),
          input: request.body.input,
          webhook: request.body.webhook ?? null,
          looks: 0,
          isCancelled: false,
        };
        predictions.set(one.id, one);
        byKey.set(key, one);
        return answersJson(201, view(one, base()))(response, request);
      }
      const one = predictions.get(request.path.split('/')[2] ?? '');
      if (!one) return answersJson(404, { detail: 'Not found' })(response, request);
      if (route === 'cancel') one.isCancelled = true;
      else one.looks += 1;
      answersJson(200, view(one, base()))(response, request);
    };
  };

  const server = await startVendor<ReplicateRoute>(routeOf, usual, script);
  return {
    ...server,
    predictions: () => [...predictions.values()],
    notify: async (id, change = {}) => {
      const one = predictions.get(id);
      const url = change.url ?? one?.webhook;
      if (!one || !url) throw new Error('expected a prediction with a webhook');
      const body = JSON.stringify(change.body ?? view(one, server.url));
      const headers = signed(change.secret ?? secret ?? '', body, change.at ?? new Date());
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      await answer.body?.cancel();
      return answer.status;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Standard Webhooks. */
export function signed(secret: string, body: string, at: Date): Readonly<Record<string, string>> {
  const id = `msg_${randomBytes(8).toString('hex')}`;
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,AAAA v1,${signature}` };
}

function routeOf(method: string, path: string): ReplicateRoute | null {
  if (method === 'POST' && /^(\/models\/[^/]+\/[^/]+)?\/predictions$/.test(path)) return 'create';
  if (method === 'GET' && /^\/predictions\/[^/]+$/.test(path)) return 'get';
  if (method === 'POST' && /^\/predictions\/[^/]+\/cancel$/.test(path)) return 'cancel';
  return method === 'GET' && path.startsWith('/files/') ? 'file' : null;
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One thing a provider can do with a request for work. `hold`: takes it, is paid, and answers nobody. */
export type Turn = 'make' | 'refuse' | 'busy' | 'break' | 'hold';

interface Work {
  readonly id: string;
  readonly key: string;
  readonly provider: string;
  cancelled: boolean;
}

export interface PaidServer extends AsyncDisposable {
  readonly url: string;
  /** What was made and is owed, in order: one entry for each key of a provider that deduplicates. */
  readonly paid: readonly Work[];
  /** Requests for work by provider, however they ended. */
  readonly asked: (provider: string) => number;
  /** What a provider does from now on. */
  readonly turn: (provider: string, turn: Turn) => void;
  /** Dollars that a provider bills from now on, in millionths; without one it does not say. */
  readonly bills: (provider: string, millionths: number) => void;
  /** Lets the tasks of a provider end. */
  readonly finish: (provider: string) => void;
}

/**
 * A provider over HTTP that counts what it is owed. `POST /<provider>/make` makes something at once,
 * `POST /<provider>/tasks` takes a task, which is looked at, found by its key, and cancelled below that address.
 * The same Idempotency-Key is paid once where the provider's name begins with `once`.
 */
export async function paidServer(): Promise<PaidServer> {
  const paid: Work[] = [];
  const asked = new Map<string, number>();
  const turns = new Map<string, Turn>();
  const bills = new Map<string, number>();
  const finished = new Set<string>();

  const take = (provider: string, key: string): Work => {
    const known = provider.startsWith('once') ? paid.find((one) => one.provider === provider && one.key === key) : null;
    if (known) return known;
    const work = { id: `${provider}-${paid.length + 1}`, key, provider, cancelled: false };
    paid.push(work);
    return work;
  };
  const made = (work: Work) => ({
    id: work.id,
    billed: bills.get(work.provider) ?? null,
    text: `a text of ${work.provider}`,
  });

  const ask = (request: IncomingMessage, response: ServerResponse, provider: string, isTask: boolean) => {
    asked.set(provider, (asked.get(provider) ?? 0) + 1);
    const turn = turns.get(provider) ?? 'make';
    if (turn === 'refuse') return answer(response, 422, { message: 'not such a picture' });
    if (turn === 'busy') return answer(response, 503, { message: 'come again' });
    const work = take(provider, String(request.headers['idempotency-key']));
    if (turn === 'break') return answer(response, 500, { message: 'it broke' });
    if (turn === 'hold') return;
    answer(response, 200, isTask ? { id: work.id } : made(work));
  };

  const server = createServer((request, response) => {
    request.resume();
    const [, provider = '', kind, id] = (request.url ?? '').split('/');
    if (request.method === 'POST') return ask(request, response, provider, kind === 'tasks');
    if (kind === 'keys') return answer(response, 200, { id: paid.find(({ key }) => key === id)?.id ?? null });
    const work = paid.find((one) => one.id === id);
    if (!work) return answer(response, 404, {});
    if (request.method === 'DELETE') work.cancelled = true;
    answer(response, 200, finished.has(provider) ? { state: 'done', ...made(work) } : { state: 'running' });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paid,
    asked: (provider) => asked.get(provider) ?? 0,
    turn: (provider, turn) => void turns.set(provider, turn),
    bills: (provider, millionths) => void bills.set(provider, millionths),
    finish: (provider) => void finished.add(provider),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

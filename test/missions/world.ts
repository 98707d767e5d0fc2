import { sql } from 'slonik';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { startConductor } from '#src/missions/run/conductor.ts';
import { startAnchors } from '#src/receipts/anchor/start-anchors.ts';
import { testChain } from '#test/helpers/anvil.ts';
import { testApi } from '#test/http/api.ts';
import { openSse } from '#test/http/streams.ts';
import { handlers } from '#workers/handlers.ts';
import { startFleet } from '#workers/run/fleet.ts';

/** Any 32 bytes as the id of a human that has no proofs to make. */
export const someHuman = (n: number) => Buffer.alloc(32, n).toString('hex');

interface WorldOptions {
  /** Without one receipts stay pending. */
  readonly chain?: boolean;
  /** Without them nothing moves. */
  readonly conducted?: boolean;
}

/** Missions on real servers: an API that listens, a fleet, a conductor, and a chain that mines at once. */
export async function missionWorld(
  settings: Readonly<Record<string, string>> = {},
  { chain: hasChain = true, conducted = true }: WorldOptions = {},
) {
  await using stack = new AsyncDisposableStack();
  const chain = hasChain ? stack.use(await testChain({ blockMs: 100 })) : null;
  const api = stack.use(await testApi({ ...chain?.settings, ...settings }));
  const { context } = api;
  startRelay(context);
  startSweep(context);
  if (chain) startAnchors(context);
  if (conducted) startConductor(context);
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const fleet = await startFleet(context, {
    name: 'missions',
    handlers,
    module: new URL('../../workers/handlers.ts', import.meta.url),
  });
  stack.defer(() => fleet.drain());
  const all = stack.move();

  /** A key of an owner that is bound to a human who is in the table, without any proof. */
  const humanKey = async (owner = 'ada', n = 1) => {
    await context.db.query(sql.unsafe`
      insert into humans (nullifier, commitment, provider, assurance, scopes, tier)
      values (${sql.binary(Buffer.alloc(32, n))}, ${sql.binary(Buffer.alloc(32, n + 100))}, 'operator-invite', 'enrolled', '{}', 'standard')
      on conflict do nothing`);
    return (await api.key({ owner, human: someHuman(n) })).headers;
  };

  const call = async (method: string, path: string, headers: Readonly<Record<string, string>> = {}, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  };

  return {
    ...api,
    url,
    chain,
    call,
    humanKey,
    /** The mission's events until one of this type, by SSE. */
    until: async (id: string, headers: Readonly<Record<string, string>>, type: string) => {
      const stream = await openSse(`${url}/api/v1/missions/${id}/events`, headers);
      const events: { type: string; data: any }[] = [];
      for await (const { event = '', data } of stream.events) {
        events.push({ type: event, data: JSON.parse(data).data });
        if (event === type) break;
      }
      stream.close();
      return events;
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

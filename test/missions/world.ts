import { sql } from 'slonik';
import { startConductor } from '#src/missions/run/conductor.ts';
import { startAnchors } from '#src/receipts/anchor/start-anchors.ts';
import { testChain } from '#test/helpers/servers/anvil.ts';
import { testWorld } from '#test/helpers/test-world.ts';
import { openSse } from '#test/http/streams.ts';

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
  const starts = [...(chain ? [startAnchors] : []), ...(conducted ? [startConductor] : [])];
  const world = stack.use(await testWorld({ ...chain?.settings, ...settings }, { name: 'missions', starts }));
  const { context, url } = world;
  const all = stack.move();

  /** A key of an owner that is bound to a human who is in the table, without any proof. */
  const humanKey = async (owner = 'ada', n = 1) => {
    await context.db.query(sql.unsafe`
      insert into humans (nullifier, commitment, provider, assurance, scopes, tier)
      values (${sql.binary(Buffer.alloc(32, n))}, ${sql.binary(Buffer.alloc(32, n + 100))}, 'operator-invite', 'enrolled', '{}', 'standard')
      on conflict do nothing`);
    return (await world.key({ owner, human: someHuman(n) })).headers;
  };
  return {
    ...world,
    chain,
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

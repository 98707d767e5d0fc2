import { sql } from 'slonik';
import type { Decider } from '#src/governance/approvals/decide-approval.ts';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { startStudio } from '#src/studio/live/start-studio.ts';
import { testApi } from '#test/http/api.ts';
import { handlers } from '#workers/handlers.ts';
import { startFleet } from '#workers/run/fleet.ts';

/** A person who signed in as this owner. */
export const person = (owner: string, more: Partial<Decider> = {}): Decider => ({
  owner,
  operator: false,
  email: `${owner}@example.com`,
  issuer: 'https://id.example.com',
  subject: owner,
  human: null,
  ...more,
});

/** The studio on real servers: an API that listens, its own work, and a fleet unless it is to stay away. */
export async function studioWorld(settings: Readonly<Record<string, string>> = {}, { fleet: hasFleet = true } = {}) {
  await using stack = new AsyncDisposableStack();
  const api = stack.use(await testApi(settings));
  const { context } = api;
  startRelay(context);
  startSweep(context);
  startStudio(context);
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  if (hasFleet) {
    const module = new URL('../../workers/handlers.ts', import.meta.url);
    const fleet = await startFleet(context, { name: 'studio', handlers, module });
    stack.defer(() => fleet.drain());
  }
  const all = stack.move();

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
    call,
    /** A plan of a brief, by HTTP: the plan and its approval. */
    plan: async (headers: Readonly<Record<string, string>>, brief: object = {}, more: object = {}) => {
      const asked = { mode: 'voice', prompt: 'A harbour wakes', ...brief };
      const { body: kept } = await call('POST', '/api/studio/v1/brief', headers, asked);
      const { body } = await call('POST', '/api/studio/v1/plan', headers, { briefId: kept.output.brief.id, ...more });
      return body.output as { plan: any; approval: any; budgetExceeded: boolean };
    },
    /** Has an approval granted; how a human comes to grant it is tested with decisions. */
    granted: async (approval: string) =>
      void (await context.db.query(sql.unsafe`update approvals set state = 'granted' where id = ${approval}`)),
    /** How many jobs there are in a queue. */
    jobsOf: async (queue: string) =>
      (await context.db.any(sql.unsafe`select id, state from jobs where queue = ${queue} order by id`)) as {
        id: string;
        state: string;
      }[],
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

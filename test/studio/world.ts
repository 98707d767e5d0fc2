import { sql } from 'slonik';
import type { Decider } from '#src/governance/approvals/decide-approval.ts';
import { startStudio } from '#src/studio/live/start-studio.ts';
import { testWorld } from '#test/helpers/test-world.ts';

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
export async function studioWorld(settings: Readonly<Record<string, string>> = {}, { fleet = true } = {}) {
  const world = await testWorld(settings, { name: 'studio', starts: [startStudio], fleet });
  const { context, call } = world;
  return {
    ...world,
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
  };
}

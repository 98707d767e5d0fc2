import { randomUUID } from 'node:crypto';
import type { Payload } from '#queues/define.ts';
import { generate } from '#queues/providers.ts';
import { readBudget } from '#src/governance/budgets/budget-rows.ts';
import { openBudget, readCalls } from '#src/governance/budgets/budgets.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import { startChild } from '#test/helpers/child.ts';
import { type TestSystem, testSystem } from '#test/helpers/jobs.ts';
import { until } from '#test/helpers/processes.ts';
import { testHome } from '#test/providers/asset-world.ts';
import { type Fleet, startFleet } from '#workers/run/fleet.ts';
import { type PaidServer, paidServer } from './paid-server.ts';
import { handlersWith } from './trial-parts.ts';

const styles = {
  local: 'local-animatic',
  exchange: 'openai-compatible',
  task: 'replicate-style',
  find: 'fal-style',
} as const;

/** Its name says how it is spoken to and whether it deduplicates: `exchange-1`, `once-exchange`, `task`, `find`. */
function provider(id: string, url: string): Provider {
  const style = Object.entries(styles).find(([name]) => id.includes(name))?.[1] ?? 'openai-compatible';
  return {
    id,
    title: id,
    style,
    url,
    idempotent: id.startsWith('once'),
    capabilities: { 'image.generate': { model: 'm', price: { perCall: 0.1 }, latency: { base: 1 }, quality: 1 } },
  };
}

export interface Generating extends AsyncDisposable {
  readonly system: TestSystem;
  readonly server: PaidServer;
  readonly fleet: () => Promise<Fleet>;
  /** A fleet in a process of its own. */
  readonly child: () => ReturnType<typeof startChild>;
  /** Asks for a picture that each provider quotes at 100 millionths. */
  readonly ask: (more?: Partial<Payload<typeof generate>>) => Promise<Job>;
  readonly provider: (id: string) => Provider;
  /** The job once it has ended, however long processes take to be started. */
  readonly ended: (job: Job) => Promise<Job>;
  /** What the budget `job:1` holds. */
  readonly money: () => Promise<{ readonly reserved: number; readonly spent: number }>;
  /** The job's calls as `provider state`. */
  readonly calls: (job: Job) => Promise<readonly string[]>;
  /** The task that a job's newest call has at its provider. */
  readonly task: (job: Job) => Promise<string | null>;
}

/** Providers over HTTP, a budget, and fleets that call them. */
export async function generating(names: readonly string[], ceiling = 1_000): Promise<Generating> {
  const home = await testHome();
  const [system, server] = await Promise.all([testSystem({ PROOFLINE_HOME: home.path }), paidServer()]);
  const { context } = system;
  const catalogue = names.map((id) => provider(id, server.url));
  const fleets: Fleet[] = [];
  await openBudget(context.db, 'job:1', ceiling);
  return {
    system,
    server,
    fleet: async () => {
      const module = new URL('./trial-parts.ts', import.meta.url);
      const fleet = await startFleet(context, {
        name: 'studio',
        handlers: handlersWith(catalogue),
        module,
        concurrency: 20,
      });
      fleets.push(fleet);
      return fleet;
    },
    child: async () =>
      await startChild(new URL('./generate-fleet.ts', import.meta.url), {
        ...system.env,
        TRIAL_PROVIDERS: JSON.stringify(catalogue),
      }),
    ask: async (more = {}) => {
      const payload = {
        capability: 'image.generate' as const,
        request: { prompt: 'a picture of a house' },
        route: names.map((name) => ({ provider: name, quoted: 100 })),
        budgets: ['job:1'],
        surface: 'studio' as const,
        keyId: null,
        name: 'cover',
        ...more,
      };
      const idempotencyKey = randomUUID();
      return (await submit(context, generate, { principal: { owner: 'alice' }, payload, idempotencyKey })).job;
    },
    provider: (id) => provider(id, server.url),
    ended: async ({ id }) => {
      await until(async () => isTerminal((await readJob(context, id))?.state ?? ''));
      return await system.ended(id);
    },
    money: async () => {
      const { reserved, spent } = (await readBudget(context, 'job:1')) ?? { reserved: -1, spent: -1 };
      return { reserved, spent };
    },
    calls: async ({ id }) => (await readCalls(context, id)).map((call) => `${call.provider} ${call.state}`),
    task: async ({ id }) => (await readCalls(context, id)).at(-1)?.externalId ?? null,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(fleets.map((fleet) => fleet.drain()));
      await system[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

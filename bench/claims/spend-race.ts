import type { Claim } from '#bench/lib/claim.ts';
import { figure, spreadText, table } from '#bench/lib/markdown.ts';
import { type PaidProvider, startPaidProvider } from '#bench/lib/paid-parts.ts';
import { spread } from '#bench/lib/statistics.ts';
import { generate } from '#queues/providers.ts';
import { readBudget } from '#src/governance/budgets/budget-rows.ts';
import { openBudget } from '#src/governance/budgets/budgets.ts';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { awaitJobs } from '#src/jobs/read/await-jobs.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { generateWith } from '#workers/providers/generate.ts';
import { startFleet } from '#workers/run/fleet.ts';
import { handler } from '#workers/run/processor.ts';

const CALLS = 200;
/** Millionths of a dollar of one call; the ceiling pays for a quarter of them, and a bit that pays for none. */
const PRICE = 100_000;
const CEILING = (CALLS / 4) * PRICE + PRICE / 2;

interface Race {
  readonly seconds: number;
  readonly made: number;
  /** Millionths of a dollar above the ceiling, by the provider's own count. */
  readonly over: number;
  readonly isBooked: boolean;
}

/** 200 calls of a provider at once under one ceiling, in two fleets with connections of their own. */
export const spendRace: Claim = async (servers, { quick, say }) => {
  await using stack = new AsyncDisposableStack();
  const provider = stack.use(await startPaidProvider(PRICE));
  const env = await servers.fresh('ours');
  const open = async () => stack.use(await openContext(loadConfig(env), 'bench'));
  const contexts = [await open(), await open()] as const;
  for (const context of contexts) {
    const handlers = [handler(generate, generateWith(provider.parts))];
    const module = new URL(import.meta.url);
    const fleet = await startFleet(context, { name: 'studio', handlers, module, concurrency: CALLS });
    stack.defer(() => fleet.drain());
  }
  startRelay(contexts[0]);
  const races: Race[] = [];
  for (let round = 0; round < (quick ? 2 : 20); round++) races.push(await race(contexts[0], provider, `job:${round}`));
  say(`  ${races.length} races of ${CALLS} calls`);
  const over = races.filter((one) => one.over > 0).length;
  const booked = races.filter(({ isBooked }) => isBooked).length;
  return {
    title: 'Calls of providers under one ceiling',
    body: [
      `${CALLS} jobs that call a paid provider, all at once, in two fleets of one process; the ceiling pays for ${CALLS / 4} of them. The provider counts by itself what it is owed.`,
      table(
        ['what', 'measured'],
        [
          ['races', String(races.length)],
          ['calls made, min / median / max', spreadText(spread(races.map(({ made }) => made)))],
          ['races that passed the ceiling', String(over)],
          ['races whose books say what the provider says', String(booked)],
          ['calls decided per second', figure(CALLS / spread(races.map(({ seconds }) => seconds)).median)],
        ],
      ),
    ].join('\n\n'),
    verdicts: [
      {
        promise: `${CALLS} calls at once never spend more than their ceiling`,
        measured: `${over} overspends in ${races.length} races`,
        held: over === 0 && booked === races.length,
      },
    ],
  };
};

async function race(context: Context, { id, billed }: PaidProvider, budget: string): Promise<Race> {
  await openBudget(context.db, budget, CEILING);
  const before = billed();
  const payload = {
    capability: 'text.generate' as const,
    request: { prompt: 'a line about the sea' },
    route: [{ provider: id, quoted: PRICE }],
    budgets: [budget],
    surface: 'studio' as const,
    keyId: null,
    name: 'text',
  };
  const since = performance.now();
  const jobs = await Promise.all(
    Array.from({ length: CALLS }, async () => {
      const { job } = await submit(context, generate, { principal: { owner: 'bench' }, payload });
      return job.id;
    }),
  );
  const ended = await awaitJobs(context, jobs, AbortSignal.timeout(120_000));
  const seconds = (performance.now() - since) / 1_000;
  const spent = billed() - before;
  const books = await readBudget(context, budget);
  const made = [...ended.values()].filter(({ state }) => state === 'succeeded').length;
  return {
    seconds,
    made,
    over: Math.max(0, spent - CEILING),
    isBooked: books?.spent === spent && books.reserved === 0,
  };
}

import pg from 'pg';
import { type Helper, startHelper } from '#bench/lib/calls.ts';
import type { Claim } from '#bench/lib/claim.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import { percentile } from '#bench/lib/statistics.ts';
import { startOpenApi } from './open-api.ts';

const MOST_SECONDS = 60;
const MOST_RATIO = 1.5;
const RATE = 2_500;
const PER_SECOND = 50;

interface Round {
  readonly alone: number;
  readonly beside: number;
  readonly seconds: number;
  readonly previewMs: number;
  readonly done: number;
}

/** Failed jobs of one owner redriven by one action, beside the jobs of another owner. */
export const actOnMany: Claim = async (servers, { quick, say }) => {
  const count = quick ? 5_000 : 100_000;
  await using stack = new AsyncDisposableStack();
  const { env, api } = await startOpenApi(servers);
  stack.use(api);
  const database = new pg.Client({ connectionString: env['DATABASE_URL'], connectionTimeoutMillis: 5_000 });
  await database.connect();
  stack.defer(() => database.end());
  const start = async (name: string) =>
    stack.use(await startHelper(new URL(`../../children/${name}`, import.meta.url), env));
  const acting = await start('acting.ts');
  const load = await start('steady-load.ts');
  stack.use(await startHelper(new URL('../../children/consumer.ts', import.meta.url), env, ['proofline', '50']));
  await waitsOf(load, 200);
  const rounds: Round[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    await fail(database, count);
    const during = Math.ceil((count / RATE) * PER_SECOND);
    const alone = await waitsOf(load, during);
    const [beside, redriven] = await Promise.all([
      waitsOf(load, during),
      acting.call<{ ms: number; previewMs: number; result: { done: number } }>('redrive', {
        owner: 'flood',
        rate: RATE,
      }),
    ]);
    const seconds = redriven.ms / 1_000;
    rounds.push({ alone, beside, seconds, previewMs: redriven.previewMs, done: redriven.result.done });
    say(`  round ${round + 1}: ${figure(seconds)} s, p95 wait ${figure(alone)} ms alone, ${figure(beside)} ms beside`);
  }
  const seconds = Math.max(...rounds.map((one) => one.seconds));
  const ratio = percentile(
    rounds.map(({ alone, beside }) => beside / alone),
    0.5,
  );
  return {
    title: 'Acting on many jobs',
    body: [
      `${figure(count)} failed jobs of one owner are redriven by one action at ${figure(RATE)} a second, from the beginning of its preview to the end of its job; no worker takes their queue. Meanwhile another owner submits ${PER_SECOND} trivial jobs a second to a queue of its own, run by a fleet process of its own: p95 of the time from acceptance to start, against the same without the action just before.`,
      table(
        ['round', 'redriven', 'seconds', 'of these the preview, ms', 'p95 wait alone, ms', 'beside, ms', 'ratio'],
        rounds.map((one, index) => [
          String(index + 1),
          figure(one.done),
          ...[one.seconds, one.previewMs, one.alone, one.beside, one.beside / one.alone].map(figure),
        ]),
      ),
    ].join('\n\n'),
    verdicts: [
      {
        promise: `${figure(count)} jobs redriven in at most ${MOST_SECONDS} s`,
        measured: `${figure(seconds)} s in the slowest round, ${rounds.map(({ done }) => figure(done)).join(', ')} jobs`,
        held: seconds <= MOST_SECONDS && rounds.every(({ done }) => done === count),
      },
      {
        promise: `meanwhile the p95 wait of another owner at most ${MOST_RATIO} times`,
        measured: `${figure(ratio)} times (median of ${rounds.length})`,
        held: ratio <= MOST_RATIO,
      },
    ],
  };
};

/** The p95 of the waits of another owner's jobs, ms. */
async function waitsOf(load: Helper, count: number): Promise<number> {
  const waits = await load.call<readonly number[]>('steady', { owner: 'other', count, perSecond: PER_SECOND });
  return percentile(waits, 0.95);
}

/** Puts so many failed jobs in place of those of before. */
async function fail(database: pg.Client, count: number): Promise<void> {
  await database.query(`delete from jobs where owner = 'flood'`);
  await database.query(
    `insert into jobs (id, owner, queue, state, priority, payload, request_hash, attempt, failures, events, started_at, finished_at, error)
     select uuidv7(), 'flood', 'bench.do-nothing', 'failed', 0, '{"text": "fails"}', '\\x00', 3, 3, 7, now(), now(),
       '{"code": "timeout", "message": "It took too long."}'
     from generate_series(1, $1::int)`,
    [count],
  );
  await database.query('vacuum analyze jobs');
}

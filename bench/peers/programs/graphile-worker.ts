import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { charge, mail } from './services.ts';

const Order = Type.Object({ order: Type.String(), cents: Type.Integer({ minimum: 1 }) });
const order = Compile(Order);
type Order = Type.Static<typeof Order>;

const logger = new Logger(() => () => {});
const pgPool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] });
pgPool.on('error', (error) => console.error(error));
await pgPool.query(
  'create table if not exists order_steps (job text, name text, value jsonb, primary key (job, name))',
);
await pgPool.query('create table if not exists order_results (job text primary key, result jsonb)');
const step = async <T>(job: string, name: string, work: () => Promise<T>): Promise<T> => {
  const kept = await pgPool.query<{ value: T }>('select value from order_steps where job = $1 and name = $2', [
    job,
    name,
  ]);
  if (kept.rows[0]) return kept.rows[0].value;
  const value = await work();
  await pgPool.query('insert into order_steps values ($1, $2, $3) on conflict do nothing', [
    job,
    name,
    JSON.stringify(value ?? null),
  ]);
  return value;
};

const utils = await makeWorkerUtils({ pgPool, logger });
await utils.migrate();
const runner = await run({
  pgPool,
  logger,
  taskList: {
    fulfil_order: async (payload, { job }) => {
      const { order: name, cents } = payload as Order;
      const late = AbortSignal.timeout(60_000);
      const work = async () => {
        const paid = await step(job.id, 'charge', () => charge(name, cents));
        await step(job.id, 'mail', () => mail(name));
        await pgPool.query('insert into order_results values ($1, $2) on conflict do nothing', [
          job.id,
          JSON.stringify({ charge: paid }),
        ]);
      };
      const timedOut = new Promise<never>((_, reject) => {
        late.addEventListener('abort', () => reject(late.reason as Error));
      });
      await Promise.race([work(), timedOut]);
    },
  },
});

const payload = { order: 'order 1', cents: 100 };
if (!order.Check(payload)) throw new Error('the order does not fit');
const { id } = await utils.addJob('fulfil_order', payload, { jobKey: 'order-1', maxAttempts: 5 });
for (;;) {
  const { rows } = await pgPool.query<{ result: unknown }>('select result from order_results where job = $1', [id]);
  if (rows[0]) {
    console.log(JSON.stringify(rows[0].result));
    break;
  }
  await sleep(100);
}
await runner.stop();
await utils.release();
await pgPool.end();

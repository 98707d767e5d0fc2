import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { charge, mail } from './services.ts';

const Order = Type.Object({ order: Type.String(), cents: Type.Integer({ minimum: 1 }) });
const order = Compile(Order);
type Order = Type.Static<typeof Order>;

const database = new pg.Pool({ connectionString: process.env['DATABASE_URL'] });
await database.query(
  'create table if not exists order_steps (job uuid, name text, value jsonb, primary key (job, name))',
);
const step = async <T>(job: string, name: string, run: () => Promise<T>): Promise<T> => {
  const kept = await database.query<{ value: T }>('select value from order_steps where job = $1 and name = $2', [
    job,
    name,
  ]);
  if (kept.rows[0]) return kept.rows[0].value;
  const value = await run();
  await database.query('insert into order_steps values ($1, $2, $3) on conflict do nothing', [
    job,
    name,
    JSON.stringify(value ?? null),
  ]);
  return value;
};

const boss = new PgBoss({ connectionString: process.env['DATABASE_URL'] ?? '' });
boss.on('error', (error) => console.error(error));
await boss.start();
await boss.createQueue('fulfil-order', { retryLimit: 4, retryDelay: 1, retryBackoff: true, expireInSeconds: 60 });
await boss.work<Order>('fulfil-order', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
  if (!job) return null;
  const { order: name, cents } = job.data;
  const paid = await step(job.id, 'charge', () => charge(name, cents));
  await step(job.id, 'mail', () => mail(name));
  return { charge: paid };
});

const payload = { order: 'order 1', cents: 100 };
if (!order.Check(payload)) throw new Error('the order does not fit');
const id = await boss.send('fulfil-order', payload, { singletonKey: 'order-1' });
if (id === null) throw new Error('the order was sent before');
for (;;) {
  const [job] = await boss.findJobs('fulfil-order', { id });
  if (job?.state === 'failed') throw new Error('the order failed');
  if (job?.state === 'completed') {
    console.log(JSON.stringify(job.output));
    break;
  }
  await sleep(100);
}
await boss.stop();
await database.end();

import { Queue, QueueEvents, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { charge, mail } from './services.ts';

const Order = Type.Object({ order: Type.String(), cents: Type.Integer({ minimum: 1 }) });
const order = Compile(Order);
type Data = Type.Static<typeof Order> & { readonly charge?: string; readonly mailed?: boolean };

const connect = () => new Redis(process.env['REDIS_URL'] ?? '', { maxRetriesPerRequest: null });
const queue = new Queue<Data, { charge: string }>('fulfil-order', { connection: connect() });
const events = new QueueEvents('fulfil-order', { connection: connect() });
const worker = new Worker<Data, { charge: string }>(
  'fulfil-order',
  async (job) => {
    const late = AbortSignal.timeout(60_000);
    const run = async () => {
      let { data } = job;
      if (data.charge === undefined) {
        data = { ...data, charge: await charge(data.order, data.cents) };
        await job.updateData(data);
      }
      const paid = data.charge ?? '';
      await job.updateProgress({ charged: paid });
      if (!data.mailed) {
        await mail(data.order);
        await job.updateData({ ...data, mailed: true });
      }
      return { charge: paid };
    };
    const timedOut = new Promise<never>((_, reject) => {
      late.addEventListener('abort', () => reject(late.reason as Error));
    });
    return await Promise.race([run(), timedOut]);
  },
  { connection: connect() },
);
worker.on('error', (error) => console.error(error));

const payload = { order: 'order 1', cents: 100 };
if (!order.Check(payload)) throw new Error('the order does not fit');
const options = { jobId: 'order-1', attempts: 5, backoff: { type: 'exponential', delay: 50 } };
const job = await queue.add('order', payload, options);
console.log(JSON.stringify(await job.waitUntilFinished(events)));
await Promise.all([worker.close(), events.close(), queue.close()]);
process.exit(0);

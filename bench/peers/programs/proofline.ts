import { createClient } from '@proofline/client';
import { contractOf, defineJob, serve } from '@proofline/worker';
import Type from 'typebox';
import { charge, mail } from './services.ts';

const order = defineJob({
  name: 'bench.fulfil-order',
  payload: Type.Object({ order: Type.String(), cents: Type.Integer({ minimum: 1 }) }),
  result: Type.Object({ charge: Type.String() }),
  attempts: 5,
  backoff: { first: '50ms', cap: '1s' },
  timeout: '1m',
  run: async ({ payload, step, progress }) => {
    const paid = await step('charge', () => charge(payload.order, payload.cents));
    progress({ charged: paid });
    await step('mail', () => mail(payload.order));
    return { charge: paid };
  },
});

const client = createClient({ url: process.env['PROOFLINE_URL'] ?? '', key: process.env['PROOFLINE_KEY'] ?? '' });
await client.call('PUT', `/v1/queues/${order.name}`, { body: { contract: contractOf(order) } });
const stop = new AbortController();
const serving = serve([order], { signal: stop.signal });
const job = await client.submit(order, { order: 'order 1', cents: 100 }, { idempotencyKey: 'order-1' });
console.log(JSON.stringify(await job.result()));
stop.abort();
await serving;

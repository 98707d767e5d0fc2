import Type from 'typebox';
import { buildApp } from '#src/api/app.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { cannotStart } from '#test/helpers/servers/cannot-start.ts';
import { ChaosPayload, chaos } from './queue.ts';
import { seeded } from './random.ts';
import { withholdAdds } from './withhold.ts';

/** An API process of the chaos test: the real one, with a route for the chaos queue, and 2 % of its broker adds lost. */
const [seed = '1'] = process.argv.slice(2);
const config = loadConfig();
const context = await openContext(config, 'api').catch(cannotStart('an API'));
const adds = withholdAdds(context, seeded(Number(seed)), 0.02);
startSweep(context, [chaos.name]);
startRelay(context);
const app = await buildApp(context);

const Body = Type.Object({
  payload: ChaosPayload,
  delay: Type.Integer({ minimum: 0 }),
  priority: Type.Integer({ minimum: 0, maximum: 1_000 }),
});
app.post('/chaos/jobs', { schema: { body: Body } }, async (request) => {
  const { payload, delay, priority } = request.body as Type.Static<typeof Body>;
  const key = request.headers['idempotency-key'];
  const { job, created } = await submit(context, chaos, {
    principal: principalOf(request),
    payload,
    priority,
    ...(typeof key === 'string' && { idempotencyKey: key }),
    ...(delay > 0 && { runAt: new Date(Date.now() + delay) }),
  });
  return { id: job.id, created };
});
app.get('/chaos/role', { config: { access: 'public', unlimited: true } }, async () => {
  const { values } = await context.metrics.proofline_relay_leader.get();
  return { leads: values[0]?.value === 1, withheld: adds.withheld() };
});

await app.listen({ port: config.PORT, host: config.HOST });
process.once('disconnect', () => process.exit(0));
process.send?.('ready');

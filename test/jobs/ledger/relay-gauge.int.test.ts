import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { gaugeRelay, startRelay } from '#src/jobs/ledger/relay.ts';
import { openPosition } from '#src/jobs/ledger/relay-position.ts';
import { quietSystem } from '#test/helpers/quiet.ts';

test('the lag of the ledger rises while no process leads, and is gone once a relay has caught up', async () => {
  await using system = await quietSystem();
  const { context } = system;
  gaugeRelay(context);
  const lag = async () => (await context.metrics.proofline_ledger_lag_seconds.get()).values[0]?.value ?? -1;
  const client = await system.connect();
  expect(await lag()).toBe(0);
  await openPosition(context, client, randomUUID());
  await client.query(`insert into events (job, n, type, at) values ($1, 1, 'told', now() - interval '10 s')`, [
    randomUUID(),
  ]);
  expect(await lag()).toBeGreaterThanOrEqual(10);
  await using _relay = startRelay(context);
  await expect.poll(lag).toBe(0);
});

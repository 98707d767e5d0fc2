import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeMission } from '#src/governance/missions/change-mission.ts';
import { moveMission } from '#src/governance/missions/draft.ts';
import { redriveJob } from '#src/jobs/change/redrive.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { conduct } from '#src/missions/run/conduct.ts';
import { missionWorld } from '#test/missions/world.ts';

let server: Server;
let origin: string;
let world: Awaited<ReturnType<typeof missionWorld>>;
let headers: Readonly<Record<string, string>>;
let arrived: PromiseWithResolvers<ServerResponse>;

beforeAll(async () => {
  server = createServer((_request, response) => arrived.resolve(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  world = await missionWorld({ WEBHOOK_ORIGINS: origin }, { chain: false, conducted: false });
  headers = await world.humanKey();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

/** A mission whose message is on its way, and the job that sends it. */
async function sending() {
  const { context } = world;
  arrived = Promise.withResolvers();
  const steps = [{ id: 'tell', capability: 'notify.webhook', input: { url: `${origin}/hook`, body: 1 } }];
  const { missionId } = (await world.call('POST', '/api/v1/missions', headers, { goal: 'tell them', steps })).body;
  await world.call('POST', `/api/v1/missions/${missionId}/execute`, { ...headers, prefer: 'respond-async' }, {});
  await conduct(context, missionId);
  // how a human comes to approve is tested elsewhere
  await changeMission(context, missionId, async (_tx, draft) => {
    draft.setStep('tell', 'approved');
    moveMission(draft, 'resume');
  });
  await conduct(context, missionId);
  const response = await arrived.promise;
  const { body } = await world.call('GET', `/api/v1/missions/${missionId}`, headers);
  return { missionId: missionId as string, jobId: body.steps[0].jobId as string, response };
}

async function reached(jobId: string, state: 'succeeded' | 'failed') {
  while ((await readJob(world.context, jobId))?.state !== state)
    await new Promise((resolve) => setTimeout(resolve, 10));
}

async function sealedTypes(missionId: string) {
  await conduct(world.context, missionId);
  const { body: receipt } = await world.call('GET', `/api/v1/receipts/${missionId}`);
  expect(receipt.statement.predicate.outcome).toBe('cancelled');
  return receipt.events.map(({ type }: { type: string }) => type).slice(-3);
}

test('an effect that was quicker than the end of its mission stands in the receipt', async () => {
  const { missionId, jobId, response } = await sending();
  response.writeHead(204).end();
  await reached(jobId, 'succeeded');
  expect(await world.call('DELETE', `/api/v1/missions/${missionId}`, headers)).toMatchObject({ status: 200 });
  expect(await sealedTypes(missionId)).toEqual(['effect.dispatched', 'mission.cancelled', 'effect.confirmed']);
});

test('so does one whose job a crash left unnoted', async () => {
  const { missionId, jobId, response } = await sending();
  await world.context.db.query(sql.unsafe`update mission_steps set job = null where mission = ${missionId}`);
  response.writeHead(204).end();
  await reached(jobId, 'succeeded');
  await world.call('DELETE', `/api/v1/missions/${missionId}`, headers);
  expect(await sealedTypes(missionId)).toEqual(['effect.dispatched', 'mission.cancelled', 'effect.confirmed']);
});

test('a job that still runs is stopped before the receipt is sealed, noted or not', async () => {
  for (const isNoted of [true, false]) {
    const { missionId, jobId } = await sending();
    if (!isNoted)
      await world.context.db.query(sql.unsafe`update mission_steps set job = null where mission = ${missionId}`);
    await world.call('DELETE', `/api/v1/missions/${missionId}`, headers);
    expect(await sealedTypes(missionId)).toEqual(['effect.dispatched', 'mission.cancelled', 'step.cancelled']);
    expect((await readJob(world.context, jobId))?.state).toBe('cancelled');
  }
});

test('a job that an operator redrives after its mission has ended does nothing', async () => {
  const { context } = world;
  const { missionId, jobId, response } = await sending();
  // whether it was heard is not known then, so that the operator is asked
  response.destroy();
  await reached(jobId, 'failed');
  await conduct(context, missionId);
  arrived = Promise.withResolvers();
  await redriveJob(context, jobId, 'operator', 'send_again');
  await Promise.race([reached(jobId, 'failed'), arrived.promise]);
  expect((await readJob(context, jobId))?.error).toMatchObject({ code: 'state_conflict' });
});

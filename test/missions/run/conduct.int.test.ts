import { sql } from 'slonik';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { changeMission } from '#src/governance/missions/change-mission.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { advanceMission } from '#src/missions/run/advance.ts';
import { conduct } from '#src/missions/run/conduct.ts';
import { startConductor } from '#src/missions/run/conductor.ts';
import { checkChain } from '#src/receipts/format/event-chain.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { missionWorld } from '#test/missions/world.ts';

const digest = (id: string, value: unknown) => ({ id, capability: 'content.digest', input: { value } });

test('whatever a crash left half done is taken up by the next conductor, and nothing is done twice', async () => {
  await using world = await missionWorld({}, { conducted: false, chain: false });
  const { context } = world;
  const headers = await world.humanKey();
  const begin = async () => {
    const steps = [digest('a', 1), digest('b', { $from: 'a' })];
    const { missionId } = (await world.call('POST', '/api/v1/missions', headers, { goal: 'two steps', steps })).body;
    const prefer = { ...headers, prefer: 'respond-async' };
    expect(await world.call('POST', `/api/v1/missions/${missionId}/execute`, prefer, {})).toMatchObject({
      status: 202,
    });
    return missionId as string;
  };
  const ended = async (mission: string, step: string) => {
    const job = await context.db.oneFirst(sql.type(row(Type.Object({ job: Type.String() })))`
      select job from mission_steps where mission = ${mission} and step = ${step}`);
    while ((await readJob(context, job))?.state !== 'succeeded')
      await new Promise((resolve) => setTimeout(resolve, 10));
  };
  // ended before anything, after a step was to run, after its job was submitted, after the job, before the seal
  const [nothing, meant, submitted, done, unsealed] = await Promise.all(Array.from({ length: 5 }, begin));
  const goOn = async (id: string) =>
    await changeMission(context, id, (tx, draft) => advanceMission({ context, tx, draft }));
  await goOn(meant!);
  await conduct(context, submitted!);
  await context.db.query(sql.unsafe`update mission_steps set job = null where mission = ${submitted!}`);
  await conduct(context, done!);
  await ended(done!, 'a');
  await conduct(context, unsealed!);
  await ended(unsealed!, 'a');
  await conduct(context, unsealed!);
  await ended(unsealed!, 'b');
  await goOn(unsealed!);

  startConductor(context);
  for (const id of [nothing, meant, submitted, done, unsealed]) {
    const types = (await world.until(id!, headers, 'receipt.sealed')).map(({ type }) => type);
    expect(types.filter((type) => type === 'step.succeeded')).toHaveLength(2);
    const { body: receipt } = await world.call('GET', `/api/v1/receipts/${id}`);
    expect(checkChain(receipt.events, receipt.statement.predicate.events)).toBeNull();
  }
  const jobs = await context.db.oneFirst(sql.type(row(Type.Object({ n: Type.Integer() })))`
    select count(*) as n from jobs where queue = 'missions.execute'`);
  expect(jobs).toBe(10);
});

test('two conductors at once do not fork a chain', async () => {
  await using world = await missionWorld({}, { chain: false, conducted: false });
  const headers = await world.humanKey();
  const steps = Array.from({ length: 8 }, (_, n) => digest(`s${n}`, n));
  const { missionId } = (await world.call('POST', '/api/v1/missions', headers, { goal: 'eight', steps })).body;
  const prefer = { ...headers, prefer: 'respond-async' };
  await world.call('POST', `/api/v1/missions/${missionId}/execute`, prefer, {});
  const sealed = world.until(missionId, headers, 'receipt.sealed');
  let isSealed = false;
  const hurry = async () => {
    while (!isSealed) await conduct(world.context, missionId);
  };
  const working = Promise.all([hurry(), hurry(), hurry()]);
  await sealed;
  isSealed = true;
  await working;
  const { body: receipt } = await world.call('GET', `/api/v1/receipts/${missionId}`);
  expect(checkChain(receipt.events, receipt.statement.predicate.events)).toBeNull();
  expect(receipt.events.filter(({ type }: { type: string }) => type === 'step.succeeded')).toHaveLength(8);
});

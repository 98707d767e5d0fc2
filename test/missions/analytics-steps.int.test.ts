import { expect, test } from 'vitest';
import { ingestChain } from '#src/analytics/feed/feed.ts';
import { csvOf } from '#test/analytics/market.ts';
import { missionWorld } from './world.ts';

test('a mission takes a snapshot, a surface, a stress and an answer from the analyses, as their routes give them', async () => {
  await using world = await missionWorld({ FEED: 'none' }, { chain: false });
  const headers = await world.humanKey();
  await ingestChain(world.context, 'SPX', csvOf('SPX'));
  const goal = [
    'Take a snapshot of SPX',
    'show the surface',
    'stress SPX if spot drops 3% and vol rises 10',
    'where is the gamma flip of SPX?',
  ].join('. ');
  const planned = await world.call('POST', '/api/v1/missions', headers, { goal });
  expect(planned.body.plan.steps.map(({ capability }: { capability: string }) => capability)).toEqual([
    'analytics.snapshot',
    'analytics.surface',
    'analytics.stress',
    'analytics.oracle',
  ]);
  const { missionId } = planned.body;
  const prefer = { ...headers, prefer: 'respond-async' };
  await world.call('POST', `/api/v1/missions/${missionId}/execute`, prefer, {});
  await world.until(missionId, headers, 'receipt.sealed');
  const { steps } = (await world.call('GET', `/api/v1/missions/${missionId}`, headers)).body;
  const [snapshot, surface, stress, oracle] = steps.map(({ output }: { output: any }) => output);
  const served = (await world.call('GET', '/v1/gex/SPX', headers)).body;
  expect(snapshot).toMatchObject({ symbol: 'SPX', synthetic: served.synthetic });
  expect(surface.data).toEqual((await world.call('GET', '/v1/surface/SPX', headers)).body.data);
  expect(stress.results).toMatchObject([{ spot_shock_pct: -3, vol_shock_pct: 10 }]);
  expect(oracle.data).toMatchObject({ answerable: true, written_by: 'rules' });
});

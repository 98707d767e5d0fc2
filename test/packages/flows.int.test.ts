import { defineJob } from '@proofline/worker';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { startFlows } from '#src/jobs/flows/start-flows.ts';
import { openApi } from './open-api.ts';

const list = defineJob({
  name: 'acme.list-images',
  payload: Type.Object({ shop: Type.Integer() }),
  result: Type.Object({ widths: Type.Array(Type.Integer()) }),
  run: ({ payload }) => ({ widths: [payload.shop, 2] }),
});
const resize = defineJob({
  name: 'acme.resize-image',
  payload: Type.Object({ width: Type.Integer() }),
  result: Type.Object({ bytes: Type.Integer() }),
  run: ({ payload }) => ({ bytes: payload.width * 4 }),
});

test('a flow is submitted by the client and followed as a job', async () => {
  await using open = await openApi();
  startFlows(open.context);
  await open.serve([list, resize]);
  const flow = await open.client.submitFlow<{ all: { bytes: number }[] }>({
    name: 'thumbnails',
    nodes: [
      { name: 'list', queue: list, payload: { shop: 1 }, priority: 5 },
      {
        name: 'resize',
        queue: resize,
        forEach: { $from: 'list', path: '/widths' },
        payload: { width: { $item: '' } },
        onFailure: 'continue',
        delay: '1ms',
      },
    ],
    result: { all: { $from: 'resize' } },
  });
  expect(await flow.result({ timeout: '20s' })).toEqual({ all: [{ bytes: 4 }, { bytes: 8 }] });
});

test('a job waits for others, and one of a key is the job that holds it', async () => {
  await using open = await openApi();
  const unique = { key: 'a', while: 'unfinished', conflict: 'return' } as const;
  await open.serve([resize]);
  const first = await open.client.submit(resize, { width: 1 }, { unique, delay: '1s' });
  expect((await open.client.submit(resize, { width: 2 }, { unique })).id).toBe(first.id);
  const second = await open.client.submit(resize, { width: 3 }, { dependsOn: [first.id], onFailure: 'fail' });
  expect(await second.result({ timeout: '20s' })).toEqual({ bytes: 12 });
  expect(await first.job()).toMatchObject({ state: 'succeeded' });
});
